package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.broker.Handings.Fate;
import io.weir.broker.Taker.Style;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Consumers of all kinds come and go at random on links that are cut at random, also while another link is being made.
 * Afterwards every message was consumed or is still there, none was settled twice, each that came again said so.
 */
@Tag("slow")
class LostLinkSimulationTest {
    private static final int TAKERS = 3;
    private static final int STEPS = 60;
    private static final List<Integer> MODES = List.of(
            Session.AUTO_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED);

    private static final List<Style> STYLES = List.of(Style.values());

    @TempDir
    Path journal;

    private RandomGenerator random = Chance.seeded(0).random();
    private Handings books = new Handings();
    private final List<String> sent = new ArrayList<>();

    @Test
    @Timeout(300)
    void nothingIsLostOrDoubledByLinksThatAreLost() throws Exception {
        for (long seed = 1; seed <= 8; seed++) {
            run(seed);
        }
    }

    @Test
    @Tag("nightly")
    @Timeout(3600)
    void nothingIsLostOrDoubledByLinksThatAreLostAThousandTimes() throws Exception {
        for (long seed = 1000; seed < 2000; seed++) {
            run(seed);
        }
    }

    private void run(long seed) throws Exception {
        random = Chance.seeded(seed).random();
        books = new Handings();
        sent.clear();
        boolean persistent = random.nextInt(3) == 0;
        try (RealBroker broker = new RealBroker(persistent ? journal.resolve("" + seed) : null);
                Relay relay = new Relay(broker);
                JMSContext direct = broker.factory(
                                "default-delivery-mode=" + (persistent ? "persistent" : "non-persistent"))
                        .createContext()) {
            List<Taker> takers = new ArrayList<>();
            for (int i = 0; i < TAKERS; i++) {
                takers.add(taker(relay));
            }
            cutSometimes(relay);
            for (int step = 0; step < STEPS; step++) {
                step(relay, direct, takers);
            }
            relay.cutAt(f -> false);
            for (Taker t : takers) {
                t.close();
            }
            drain(direct);
        }
        assertThat(books.wrong(sent)).as("seed " + seed).isEmpty();
    }

    private void step(Relay relay, JMSContext direct, List<Taker> takers) throws JMSException {
        int i = random.nextInt(TAKERS);
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                for (int n = 1 + random.nextInt(5); n > 0; n--) {
                    sent.add("m" + sent.size());
                    direct.createProducer().send(direct.createQueue("q"), sent.getLast());
                }
            }
            case 3 -> {
                takers.get(i).close();
                takers.set(i, taker(relay));
            }
            default -> takers.get(i).receive(1 + random.nextInt(5));
        }
    }

    private Taker taker(Relay relay) throws JMSException {
        while (true) {
            try {
                Taker t = new Taker(
                        relay.url(),
                        MODES.get(random.nextInt(MODES.size())),
                        STYLES.get(random.nextInt(STYLES.size())),
                        books);
                RandomGenerator own = Chance.seeded(random.nextLong()).random();
                t.takesBack(() -> own.nextInt(4) == 0);
                t.start();
                return t;
            } catch (JMSException e) {
                // cut while it connected: a failed attempt leaves nothing behind
                random.nextInt();
            }
        }
    }

    private void cutSometimes(Relay relay) {
        RandomGenerator own = Chance.seeded(random.nextLong()).random();
        AtomicInteger left = new AtomicInteger(1 + own.nextInt(60));
        relay.cutAt(f -> {
            if (left.decrementAndGet() > 0) {
                return false;
            }
            left.set(1 + own.nextInt(60));
            return true;
        });
    }

    /** Consumes what is left. */
    private void drain(JMSContext direct) throws JMSException {
        JMSConsumer rest = direct.createConsumer(direct.createQueue("q"));
        for (TextMessage m = (TextMessage) rest.receive(300); m != null; m = (TextMessage) rest.receive(300)) {
            books.ended(List.of(books.handed(m.getText(), m.getJMSRedelivered())), Fate.SETTLED);
        }
    }
}
