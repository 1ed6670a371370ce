package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long migrations, redeployments and graceful stops take between processes, from the moment when the server is told until
 * the service is active again: printed, not asserted, for docs/cluster.md. What is asserted is that each happened, in order of
 * fences. On PostgreSQL also what a killed server and a restarted database do.
 */
@Tag("slow")
@Tag("nightly")
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlannedChangesTest {
    private static final String LEASE = "  lease: {time-to-live: 2s}\n";
    private static final int TIMES = Integer.getInteger("weir.times", 20);

    @TempDir
    Path folder = Path.of("");

    @Test
    void changesAreMeasuredWithConsensusLeasing() throws Exception {
        try (Shops shops = new Shops();
                Works works = new Works(folder, LEASE + "  initial-boot-delay: 60s\n", Works.shop(shops))) {
            works.fleet().startAll();
            works.whole();
            measure("consensus", works, shops);
        }
    }

    @Test
    void changesAreMeasuredWithLeasesInPostgresql() throws Exception {
        try (Postgres database = Postgres.start();
                Shops shops = new Shops();
                Works works = new Works(
                        folder,
                        LEASE + "  leasing: database\n  initial-boot-delay: 1s\n  database: {url: \"" + database.url()
                                + "\"}\n",
                        Works.shop(shops))) {
            works.fleet().unlisted().startAll();
            works.whole();
            measure("PostgreSQL", works, shops);
            theKilledOnesServiceIsActiveElsewhere(works, shops);
            theDatabaseIsRestarted(works, database);
        }
    }

    private void measure(String leasing, Works works, Shops shops) throws Exception {
        works.fleet().post("alpha", deploy("deploy", 0));
        shops.await(_ -> true);
        Times redeployments = new Times();
        Times migrations = new Times();
        Times stops = new Times();
        for (int i = 0; i < TIMES; i++) {
            redeployments.add(redeployed(works, shops, i + 1));
            migrations.add(migrated(works, shops));
            stops.add(stopped(works, shops));
        }
        System.out.println("planned changes, leasing " + leasing + ", until active again:\n  redeployments "
                + redeployments + "\n  migrations " + migrations + "\n  graceful stops " + stops);
        assertThat(redeployments.count() + migrations.count() + stops.count()).isEqualTo(3 * TIMES);
        assertThat(shops.fences()).isSorted().doesNotHaveDuplicates();
    }

    private String deploy(String verb, int version) throws Exception {
        return "/cluster/" + verb + "?name=shop&file="
                + URLEncoder.encode(Archive.of(folder, version).toString(), StandardCharsets.UTF_8);
    }

    private static long now() {
        return SystemClock.INSTANCE.nanos();
    }

    private long redeployed(Works works, Shops shops, int version) throws Exception {
        String request = deploy("redeploy", version);
        works.active("shop");
        long asked = now();
        works.fleet().post("alpha", request);
        return shops.await(a -> a.version() == version).at() - asked;
    }

    private static long migrated(Works works, Shops shops) throws Exception {
        String from = works.active("shop");
        String to = works.fleet().other(from);
        long fence = shops.latest().fence();
        long asked = now();
        works.fleet().post(from, "/cluster/migrate?name=shop&to=" + to);
        Shops.Open there = shops.await(a -> a.fence() > fence);
        assertThat(there.member()).isEqualTo(to);
        return there.at() - asked;
    }

    private static long stopped(Works works, Shops shops) throws Exception {
        String from = works.active("shop");
        long fence = shops.latest().fence();
        long asked = now();
        works.fleet().server(from).stop();
        Shops.Open there = shops.await(a -> a.fence() > fence);
        assertThat(there.member()).isNotEqualTo(from);
        assertThat(works.fleet().server(from).exit()).isIn(0, 143);
        works.whole();
        return there.at() - asked;
    }

    private static void theKilledOnesServiceIsActiveElsewhere(Works works, Shops shops) throws Exception {
        String killed = works.active("shop");
        long fence = shops.latest().fence();
        long at = now();
        works.kill(killed);
        Shops.Open there = shops.await(a -> a.fence() > fence);
        assertThat(there.member()).isNotEqualTo(killed);
        System.out.println("kill -9 with leases in PostgreSQL, lease 2 s: active elsewhere after "
                + (there.at() - at) / 1_000_000 + " ms");
        works.whole();
    }

    /** While it is away nothing can be renewed, so nothing runs; then all goes on with higher fences. */
    private static void theDatabaseIsRestarted(Works works, Postgres database) throws Exception {
        String fence = works.notes("active", "desk").getLast();
        assertThat(works.notes("inactive")).doesNotContain(fence);
        database.down();
        works.fleet().await("the desk is closed", () -> works.notes("inactive").contains(fence));
        database.up();
        works.fleet()
                .await(
                        "it is open again",
                        () -> !works.notes("active", "desk").getLast().equals(fence));
        works.whole();
        assertThat(works.notes("active", "desk")).doesNotHaveDuplicates();
    }
}
