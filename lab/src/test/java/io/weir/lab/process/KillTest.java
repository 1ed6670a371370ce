package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.ledger.Clients;
import io.weir.lab.ledger.LastingLoad;
import io.weir.lab.ledger.Ledger;
import io.weir.lab.ledger.MixedLoad;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The durability promise: a persistent send or a commit that returned survives kill -9; nothing is lost, nothing is doubled
 * without its flag, of what a session acknowledges by itself the last at most comes again, and order holds, for connections that die with the server and for those that outlive it. Rule for one-way
 * sends, which are not persistent: they may be lost at a kill, and never come twice without the flag. The seed is printed;
 * {@code -Dweir.kill.seed=N} repeats its choices, {@code -Dweir.kill.deaths=N} kills the nightly one's server so often.
 */
@Tag("slow")
@Timeout(value = 240, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillTest {
    private static final int SHORTEST_LIFE_MILLIS = 50;
    private static final int LONGEST_LIFE_MILLIS = 1200;
    /** After one death of so many the connections that outlived it are closed, and others made. */
    private static final int RENEWAL = 8;
    /** Said after so many deaths. */
    private static final int PROGRESS = 20;

    /** Clients say each time that they lost a connection; held, or it is forgotten. */
    private static final Logger CLIENTS = Logger.getLogger("io.weir.jms");

    private static final String NOTHING_STORED =
            "  jms-server: {store-enabled: off, allows-persistent-downgrade: on}\n";

    @TempDir
    Path folder = Path.of("");

    @BeforeAll
    static void quiet() {
        CLIENTS.setUseParentHandlers(false);
    }

    @AfterAll
    static void loud() {
        CLIENTS.setUseParentHandlers(true);
    }

    @AfterEach
    void noMoreNotes() {
        List.of(CLIENTS.getHandlers()).forEach(CLIENTS::removeHandler);
    }

    /** Enters what the clients say of their connections. */
    private static final class Noting extends Handler {
        private final Ledger ledger;

        Noting(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        public void publish(LogRecord said) {
            ledger.note("client: " + said.getMessage() + ", " + said.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void twoSuddenDeathsLoseAndDoubleNothing() throws Exception {
        kill(2);
    }

    @Test
    @Tag("nightly")
    void twoHundredSuddenDeathsLoseAndDoubleNothing() throws Exception {
        kill(Integer.getInteger("weir.kill.deaths", 200));
    }

    @Test
    void theLedgerFindsWhatAServerWithoutAStoreLoses() throws Exception {
        Ledger ledger = new Ledger();
        try (ProcessLauncher.Running server = start(NOTHING_STORED)) {
            MixedLoad.prepare(ledger, clients(server));
            // without the load, whose consumers may have received all that was promised when the server dies
            MixedLoad.promise(ledger, clients(server));
            server.kill();
        }
        try (ProcessLauncher.Running server = start(NOTHING_STORED)) {
            drain(ledger, 0, server);
        }
        assertThat(ledger.violations()).isNotEmpty();
    }

    private void kill(int times) throws Exception {
        long seed = Long.getLong("weir.kill.seed", Chance.unseeded().random().nextLong());
        RandomGenerator chance = Chance.seeded(seed).random();
        Ledger ledger = new Ledger();
        CLIENTS.addHandler(new Noting(ledger));
        try (Relay port = new Relay(0)) {
            @Nullable LastingLoad steady = null;
            for (int life = 0; life < times; life++) {
                steady = live(ledger, life, chance, port, steady);
                try (ProcessLauncher.Running server = start("")) {
                    lead(ledger, port, server);
                    List<String> missing = steady.settle();
                    drain(ledger, life, server);
                    if (!ledger.violations().isEmpty()) {
                        fail(ledger, server, "after death " + life + " of seed " + seed);
                    }
                    assertThat(missing)
                            .as("last words that did not come after death " + life + " of seed " + seed)
                            .isEmpty();
                    if (life == times - 1 || chance.nextInt(RENEWAL) == 0) {
                        steady.close();
                        steady = null;
                    }
                    port.leadTo(0);
                    ledger.note("stop");
                    server.stop();
                    if (life % PROGRESS == PROGRESS - 1) {
                        System.out.println("kill -9: seed " + seed + ", " + (life + 1) + " deaths");
                    }
                }
            }
        }
        System.out.println("kill -9: seed " + seed + ", " + times + " deaths, " + ledger.promised() + " of "
                + ledger.sent() + " sends promised, " + ledger.received() + " receipts, " + ledger.repeated()
                + " of them again");
        assertThat(ledger.promised()).as("the load sent something").isGreaterThan(times * 10L);
    }

    /**
     * What came so far was of the server before: a client may take the last one that it has of it after that server's death, as
     * long as it does not see the connection's end. A planned end ends connections like a death.
     */
    private static void lead(Ledger ledger, Relay port, ProcessLauncher.Running server) {
        ledger.death();
        port.leadTo(server.port("messaging"));
    }

    /** Says what is wrong, and whether it is still so at a second look: what comes then was not lost, but withheld. */
    private static void fail(Ledger ledger, ProcessLauncher.Running server, String when) throws Exception {
        List<String> wrong = ledger.violations();
        String there = new Counters(server.port("admin"), SystemClock.INSTANCE).fetch("/messaging/subscriptions");
        drain(ledger, Integer.MAX_VALUE, server);
        assertThat(wrong)
                .as(
                        "%s%nsubscriptions: %s%nat a second look: %s%nnotes:%n%s",
                        when, there, ledger.violations(), String.join("\n", ledger.notes()))
                .isEmpty();
    }

    /** Loads a server and kills it; what is steady outlives that. */
    private LastingLoad live(Ledger ledger, int life, RandomGenerator chance, Relay port, @Nullable LastingLoad before)
            throws Exception {
        long millis = chance.nextLong(SHORTEST_LIFE_MILLIS, LONGEST_LIFE_MILLIS);
        try (ProcessLauncher.Running server = start("")) {
            Clients clients = clients(server);
            if (life == 0) {
                MixedLoad.prepare(ledger, clients);
                LastingLoad.prepare(ledger, clients);
            }
            lead(ledger, port, server);
            LastingLoad steady = before;
            if (steady == null) {
                steady = new LastingLoad(
                        ledger, clients(port.address()), "steady" + life, Chance.seeded(chance.nextLong()));
                steady.start();
            } else {
                steady.resume();
            }
            steady.awaitBegun();
            loadAndKill(ledger, life, Chance.seeded(chance.nextLong()), server, millis);
            port.leadTo(0);
            return steady;
        }
    }

    private static void loadAndKill(Ledger ledger, int life, Chance chance, ProcessLauncher.Running server, long millis)
            throws Exception {
        MixedLoad load = new MixedLoad(ledger, clients(server), life, chance);
        load.start();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        ledger.note("kill");
        server.kill();
        ledger.note("killed");
        load.stop();
    }

    private static void drain(Ledger ledger, int life, ProcessLauncher.Running server) throws Exception {
        new MixedLoad(ledger, clients(server), life, Chance.seeded(life)).drain();
    }

    private static Clients clients(ProcessLauncher.Running server) {
        return clients("127.0.0.1:" + server.port("messaging"));
    }

    private static Clients clients(String address) {
        return new Clients(options -> new WeirConnectionFactory("weir://" + address + "?" + options));
    }

    private ProcessLauncher.Running start(String more) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues:
                    ledger-one: {}
                    ledger-two: {}
                    ledger-steady-auto: {}
                    ledger-steady-client: {}
                    ledger-steady-work: {}
                    ledger-steady-listen: {}
                    ledger-steady-pair: {}
                  topics: {ledger-news: {}}
                """ + more);
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }
}
