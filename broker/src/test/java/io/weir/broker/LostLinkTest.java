package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.Taker.Style;
import io.weir.broker.admin.DestinationView;
import io.weir.jms.WeirSession;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Consumers of every kind whose link is cut at every step: at each frame of a run without faults, which is lost. No message is
 * lost, none comes again after it was settled, each that comes again says so.
 */
@Tag("slow")
@Timeout(300)
class LostLinkTest {
    private static final int MESSAGES = 4;

    private RealBroker broker;
    private Relay relay;
    private JMSContext direct;
    private int runs;

    @BeforeEach
    void open() throws Exception {
        broker = new RealBroker(null);
        relay = new Relay(broker);
        direct = broker.factory("default-delivery-mode=non-persistent").createContext();
    }

    @AfterEach
    void close() throws Exception {
        direct.close();
        relay.close();
        broker.close();
    }

    static List<Arguments> consumers() {
        List<Arguments> all = new ArrayList<>();
        for (int mode : List.of(
                Session.AUTO_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED,
                WeirSession.NO_ACKNOWLEDGE)) {
            for (Style style : Style.values()) {
                all.add(Arguments.of(mode, style));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("consumers")
    void aLinkThatIsLostAtAnyFrameLosesNoMessage(int mode, Style style) throws Exception {
        int frames = run(mode, style, Integer.MAX_VALUE);
        assertThat(frames).isGreaterThan(MESSAGES);
        for (int lost = 1; lost <= frames; lost++) {
            run(mode, style, lost);
        }
    }

    /** Consumes everything, with the link lost at one frame; gives the number of frames that passed. */
    private int run(int mode, Style style, int lost) throws JMSException {
        List<String> sent = new ArrayList<>();
        int run = ++runs;
        for (int i = 0; i < MESSAGES; i++) {
            sent.add("run" + run + "-" + i);
            direct.createProducer().send(direct.createQueue("q"), sent.get(i));
        }
        Handings books = new Handings();
        AtomicInteger frames = new AtomicInteger();
        try (Taker taker = new Taker(relay.url(), mode, style, books)) {
            relay.cutAt(f -> f.type() >= 0x20 && frames.incrementAndGet() == lost);
            taker.start();
            Relay.await(mode + " " + style + " to take everything, the link lost at frame " + lost, () -> {
                taker.receive(20);
                return done(mode, books, sent);
            });
        }
        relay.cutAt(f -> false);
        List<String> wrong = books.wrong(mode == WeirSession.NO_ACKNOWLEDGE ? List.of() : sent);
        assertThat(wrong)
                .as(mode + " " + style + ", the link lost at frame " + lost)
                .isEmpty();
        if (mode == WeirSession.NO_ACKNOWLEDGE) {
            assertThat(books.repeated()).isZero();
        }
        return frames.get();
    }

    private boolean done(int mode, Handings books, List<String> sent) {
        if (mode != WeirSession.NO_ACKNOWLEDGE && !books.had(sent)) {
            return false;
        }
        DestinationView q = broker.broker.admin().destinations().join().stream()
                .filter(d -> d.name().equals("queue/q"))
                .findFirst()
                .orElseThrow();
        return q.messagesCurrent() + q.messagesPending() == 0;
    }
}
