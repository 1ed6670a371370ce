package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of the member on which the singleton is active, every other time the one that leads the log, too: it becomes active
 * elsewhere with a higher fence, and not one update of what it guards is lost; what the members and observers of all three saw of its
 * lease is linearizable. The times are printed, not asserted: they are
 * docs/cluster.md's. The normal run kills two in {@link ClusterTroubleTest}.
 */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActiveMemberKillTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    @Tag("nightly")
    void fiftyDeathsOfTheActiveMemberLoseNothing() throws Exception {
        try (Store store = new Store();
                Fleet fleet = new Fleet(folder, store, "  lease: {time-to-live: 2s}\n")) {
            fleet.startAll();
            store.await(_ -> true);
            try (Observers observers = new Observers(fleet, store.lease())) {
                deaths(50, fleet, store);
                System.out.println("history of the lease: " + observers.told());
            }
            System.out.println(store.value() + " increments, " + store.refused() + " refused by their fence");
            assertThat(store.lease().reads()).as("observers were answered").isPositive();
            assertThat(store.violation()).isEmpty();
        }
    }

    /** Kills whoever is active, again and again; all are members again in the end. */
    static void deaths(int times, Fleet fleet, Store store) throws Exception {
        Times ofLeaders = new Times();
        Times ofOthers = new Times();
        for (int i = 0; i < times; i++) {
            String victim = victim(fleet, store, i % 2 == 0);
            boolean led = fleet.fact(victim, "leader").equals(victim);
            (led ? ofLeaders : ofOthers).add(killed(victim, fleet, store));
            fleet.restart(victim);
        }
        System.out.println("kill -9 of the active member, lease 2 s, until active elsewhere: leaders " + ofLeaders
                + "; others " + ofOthers);
    }

    /** How long until another was active, in nanoseconds. */
    private static long killed(String victim, Fleet fleet, Store store) throws Exception {
        long fence = store.latest().fence();
        store.awaitProgress(store.value());
        long killed = SystemClock.INSTANCE.nanos();
        fleet.server(victim).kill();
        Store.Active next = store.await(a -> a.fence() > fence);
        assertThat(next.member()).as(fleet.logs()).isNotEqualTo(victim);
        store.awaitProgress(store.value());
        fleet.server(victim).exit();
        return next.at() - killed;
    }

    /** The active member, made so that it leads, or does not. */
    private static String victim(Fleet fleet, Store store, boolean leading) throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            Store.Active now = store.latest();
            String leader = fleet.fact(now.member(), "leader");
            if (now.member().equals(leader) == leading) {
                return now.member();
            }
            String to = leading
                    ? leader
                    : Fleet.NAMES.stream()
                            .filter(n -> !n.equals(leader))
                            .findFirst()
                            .orElseThrow();
            long asked = SystemClock.INSTANCE.nanos();
            fleet.post(now.member(), "/cluster/migrate?name=counting&to=" + to);
            Store.Active there = store.await(a -> a.fence() > now.fence());
            System.out.println("migrated in " + (there.at() - asked) / 1_000_000 + " ms");
        }
        return store.latest().member();
    }
}
