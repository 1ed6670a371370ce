package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.ledger.Ledger;
import io.weir.lab.ledger.MixedLoad;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The durability promise: a persistent send or a commit that returned survives kill -9; nothing is lost, nothing is doubled
 * without its flag, and order holds. The seed is printed; {@code -Dweir.kill.seed=N} repeats its choices.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillTest {
    private static final int SHORTEST_LIFE_MILLIS = 50;
    private static final int LONGEST_LIFE_MILLIS = 1200;
    private static final String NOTHING_STORED =
            "  jms-server: {store-enabled: off, allows-persistent-downgrade: on}\n";

    @TempDir
    Path folder = Path.of("");

    @Test
    void tenSuddenDeathsLoseAndDoubleNothing() throws Exception {
        kill(10);
    }

    @Test
    @Tag("nightly")
    void twoHundredSuddenDeathsLoseAndDoubleNothing() throws Exception {
        kill(200);
    }

    @Test
    void theLedgerFindsWhatAServerWithoutAStoreLoses() throws Exception {
        Ledger ledger = new Ledger();
        live(ledger, 0, Chance.seeded(1), NOTHING_STORED, LONGEST_LIFE_MILLIS);
        drain(ledger, 0, NOTHING_STORED);
        assertThat(ledger.violations()).isNotEmpty();
    }

    private void kill(int times) throws Exception {
        long seed = Long.getLong("weir.kill.seed", Chance.unseeded().random().nextLong());
        RandomGenerator chance = Chance.seeded(seed).random();
        Ledger ledger = new Ledger();
        for (int life = 0; life < times; life++) {
            long millis = chance.nextLong(SHORTEST_LIFE_MILLIS, LONGEST_LIFE_MILLIS);
            live(ledger, life, Chance.seeded(chance.nextLong()), "", millis);
            drain(ledger, life, "");
            assertThat(ledger.violations())
                    .as("after death " + life + " of seed " + seed)
                    .isEmpty();
        }
        System.out.println("kill -9: seed " + seed + ", " + times + " deaths, " + ledger.promised() + " of "
                + ledger.sent() + " sends promised, " + ledger.received() + " receipts");
        assertThat(ledger.promised()).as("the load sent something").isGreaterThan(times * 10L);
    }

    /** Loads a server and kills it. */
    private void live(Ledger ledger, int life, Chance chance, String more, long millis) throws Exception {
        try (ProcessLauncher.Running server = start(more)) {
            ConnectionFactory factory = factory(server);
            if (life == 0) {
                MixedLoad.prepare(ledger, factory);
            }
            MixedLoad load = new MixedLoad(ledger, factory, life, chance);
            load.start();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            server.kill();
            load.stop();
        }
    }

    private void drain(Ledger ledger, int life, String more) throws Exception {
        try (ProcessLauncher.Running server = start(more)) {
            new MixedLoad(ledger, factory(server), life, Chance.seeded(life)).drain();
            server.stop();
        }
    }

    private static ConnectionFactory factory(ProcessLauncher.Running server) {
        return new WeirConnectionFactory("weir://127.0.0.1:" + server.port("messaging") + "?reconnect-policy=none");
    }

    private ProcessLauncher.Running start(String more) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues: {ledger-one: {}, ledger-two: {}}
                  topics: {ledger-news: {}}
                """ + more);
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }
}
