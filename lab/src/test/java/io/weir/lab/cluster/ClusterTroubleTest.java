package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.Certificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to members: killed while active, stopped for longer than their lease, robbed of their disk, restarted one after the other, with
 * clocks that are hours apart; all over TLS. One cluster goes through it all, since each start of it costs seconds.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterTroubleTest {
    private static final String SETTINGS = """
              lease: {time-to-live: 2s}
              log: {snapshot-every: 10}
            """;

    @TempDir
    Path folder = Path.of("");

    @Test
    void aClusterSurvivesDeathsPausesLostDisksRestartsAndWrongClocks() throws Exception {
        Map<String, String> files = Certificates.in(folder.resolve("tls")).variables();
        try (Store store = new Store();
                Fleet fleet = new Fleet(folder, store, SETTINGS + Fleet.tls(files))) {
            fleet.listener("tls: {certificates: [{chain-file: %s, key-file: %s}]}"
                    .formatted(files.get("certificate"), files.get("key")));
            fleet.jvmOption("alpha", "-Dweir.test.clock-offset=3600000");
            fleet.jvmOption("gamma", "-Dweir.test.clock-offset=-86400000");
            fleet.startAll();
            store.await(_ -> true);
            try (Observers observers = new Observers(fleet, store.lease())) {
                ActiveMemberKillTest.deaths(2, fleet, store);
                stoppedForLongerThanItsLease(fleet, store);
                robbedOfItsDisk(fleet, store);
                restartedOneAfterTheOther(fleet, store);
                System.out.println("history of the lease: " + observers.told());
            }
            assertThat(store.lease().reads()).as("observers were answered").isPositive();
            assertThat(store.violation()).as(fleet.logs()).isEmpty();
            for (String name : Fleet.NAMES) {
                assertThat(fleet.server(name).log())
                        .as("no word of the library's on the console")
                        .noneMatch(
                                line -> line.contains("ratis") || line.contains("SLF4J") || line.contains("WARNING:"));
            }
        }
    }

    /** It must not have effect when it wakes, and goes on as a member. */
    private static void stoppedForLongerThanItsLease(Fleet fleet, Store store) throws Exception {
        Store.Active holder = store.latest();
        store.awaitProgress(store.value());
        // what is stopped lets go when it wakes: no lease excludes that, only what asks for the fence does
        store.lease().excuse(holder.fence());
        fleet.signal(holder.member(), "STOP");
        Store.Active next;
        try {
            next = store.await(a -> a.fence() > holder.fence());
            store.awaitProgress(store.value());
        } finally {
            fleet.signal(holder.member(), "CONT");
        }
        assertThat(next.member()).isNotEqualTo(holder.member());
        String other = next.member();
        fleet.await(
                holder.member() + " is live again",
                () -> !fleet.incarnation(holder.member(), other).isEmpty()
                        && !fleet.incarnation(holder.member(), holder.member()).isEmpty());
        store.awaitProgress(store.value());
        fleet.await(
                holder.member() + " holds nothing any more",
                () -> fleet.fact(holder.member(), "active").equals("0"));
        System.out.println("stopped for longer than its lease: " + store.refused() + " writes refused by their fence");
    }

    /** It comes back as another voter, and gets what it lacks as a snapshot. */
    private static void robbedOfItsDisk(Fleet fleet, Store store) throws Exception {
        String active = store.latest().member();
        String leader = fleet.fact(active, "leader");
        String victim = Fleet.NAMES.stream()
                .filter(n -> !n.equals(leader))
                .filter(n -> !n.equals(active))
                .findFirst()
                .orElseThrow();
        fleet.server(victim).kill();
        fleet.server(victim).exit();
        fleet.wipe(victim);
        long applied = Long.parseLong(fleet.fact(active, "applied"));
        fleet.await("the others drop old entries", () -> Long.parseLong(fleet.fact(active, "applied")) > applied + 20);
        fleet.restart(victim);
        assertThat(fleet.get(victim, "/metrics"))
                .as("a snapshot was installed")
                .contains("weir_cluster_snapshots_total{how=\"installed\"}");
        store.awaitProgress(store.value());
    }

    /** The singleton moves before its member stops. */
    private static void restartedOneAfterTheOther(Fleet fleet, Store store) throws Exception {
        List<Long> moves = new ArrayList<>();
        for (String name : Fleet.NAMES) {
            Store.Active before = store.latest();
            long asked = SystemClock.INSTANCE.nanos();
            fleet.server(name).stop();
            if (before.member().equals(name)) {
                moves.add((store.await(a -> a.fence() > before.fence()).at() - asked) / 1_000_000);
            }
            assertThat(fleet.server(name).exit()).as("ends by itself").isIn(0, 143);
            store.awaitProgress(store.value());
            fleet.restart(name);
        }
        System.out.println("moved by a graceful stop, ms: " + moves);
        assertThat(moves).as("one of them had it").isNotEmpty();
    }
}
