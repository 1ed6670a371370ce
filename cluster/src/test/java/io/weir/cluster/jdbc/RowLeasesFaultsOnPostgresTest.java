package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Log;
import io.weir.base.SystemClock;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LogFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults between members and rows on PostgreSQL; among them its restart. */
@Tag("slow")
class RowLeasesFaultsOnPostgresTest extends RowLeasesFaults {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofMinutes(3));

    RowLeasesFaultsOnPostgresTest() {
        super(Dialect.POSTGRESQL);
    }

    @Test
    void aRestartOfTheDatabaseEndsNoLeaseAndLosesNoDecision() throws Exception {
        Owner owner = new Owner("anna", 0xa);
        Book book = new Book();
        try (ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
                RowLeases leases = new RowLeases(tables().plain(), owner, TIMES, loop);
                JdbcLog log = JdbcLog.open(
                        tables().plain(),
                        Settings.database(Map.of("poll", "10ms")),
                        Settings.log(Map.of("submit-time-out", "1m")),
                        TIMES,
                        owner,
                        book,
                        SystemClock.INSTANCE)) {
            Grant grant = ((Acquisition.Granted) Wait.on(leases.acquire("singleton/one"))).grant();
            Wait.on(log.submit(new byte[] {'a'}));
            Postgres.running().stop();
            assertThat(Wait.failure(leases.renew(List.of(grant)))).isNotNull();
            CompletableFuture<byte[]> meanwhile = log.submit(new byte[] {'b'});
            Postgres.running().start();
            Wait.on(meanwhile);
            assertThat(book.lines()).containsExactly("a", "b");
            Wait.until("renewed again", () -> renewed(leases, grant));
        }
    }

    @Test
    void aNetworkThatLosesEverythingIsNoticedWithinTheTimeOfAFewStatements() throws Exception {
        Owner owner = new Owner("anna", 0xa);
        Duration statement = Duration.ofMillis(300);
        try (Between network = new Between(Postgres.running().port());
                ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
                RowLeases leases = new RowLeases(
                        tables().over(Postgres.url(network.port()), statement, Log.NONE), owner, TIMES, loop)) {
            Wait.until("it answers", () -> acquired(leases));
            Grant grant = ((Acquisition.Granted) Wait.on(leases.acquire("singleton/one"))).grant();
            network.lose(true);
            assertThat(Wait.failure(leases.renew(List.of(grant))))
                    .as("without an answer it may have happened, or not")
                    .isInstanceOf(LogFault.class);
            network.lose(false);
            Wait.until("renewed again", () -> renewed(leases, grant));
        }
    }

    private static boolean acquired(RowLeases leases) {
        try {
            return Wait.on(leases.acquire("singleton/one")) instanceof Acquisition.Granted;
        } catch (Exception e) {
            return false;
        }
    }

    private static boolean renewed(RowLeases leases, Grant grant) {
        try {
            return Wait.on(leases.renew(List.of(grant))).contains(grant);
        } catch (Exception e) {
            return false;
        }
    }
}
