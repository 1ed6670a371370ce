package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.SystemClock;
import io.weir.cluster.SingletonService;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.singleton.SingletonTimes;
import io.weir.cluster.state.singletons.Phase;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.cluster.state.singletons.SingletonState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole members whose leases and decisions are in one kind of database, in one JVM: real threads, real time, short leases. */
abstract class DatabaseMembers {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(2));
    private static final SingletonSpec SERVICE = SingletonSpec.of("one", "Service");

    private final Dialect dialect;
    private final List<Member> members = new ArrayList<>();
    private final List<Fence> fences = new CopyOnWriteArrayList<>();
    private long incarnations;
    private TestDatabase tables;

    DatabaseMembers(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void create() throws SQLException {
        tables = TestDatabase.of(dialect);
    }

    @AfterEach
    void drop() throws SQLException {
        members.forEach(Member::kill);
        tables.close();
    }

    /** One member with everything that a server gives it. */
    private final class Member {
        final String name;
        final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1));
        final Cutting cutting = new Cutting(tables.plain().connector());
        final ClusterNode node;
        final JdbcLog log;
        final ServiceThreads threads;
        volatile boolean active;
        private boolean dead;

        Member(String name, String storage) {
            this(name, storage, "20ms");
        }

        Member(String name, String storage, String poll) {
            this.name = name;
            NodeSettings settings = new NodeSettings(
                    "test",
                    name,
                    storage,
                    "127.0.0.1:1",
                    false,
                    TIMES,
                    new SingletonTimes(Duration.ofSeconds(30), Duration.ofSeconds(10), 4, false),
                    new LeaderSettings(TIMES, Duration.ofSeconds(30), Duration.ZERO, 1, true));
            node = new ClusterNode(settings, ++incarnations, loop, LeaseSafety.SAFE, tables.stats, Log.NONE);
            Database database = tables.with(cutting, TIMES.renew().dividedBy(2), Log.NONE);
            log = JdbcLog.open(
                            database,
                            Settings.database(Map.of("poll", poll)),
                            Settings.log(Map.of()),
                            TIMES,
                            node.self(),
                            node.holder(),
                            SystemClock.INSTANCE)
                    .among(() -> node.now().members().values());
            threads = new ServiceThreads(loop, _ -> new ServiceObject(service(), this), node.services(), 8, Log.NONE);
            node.start(new NodeParts(
                    log,
                    (Owner self, io.weir.cluster.state.Proposer proposer) -> new RecordedLeases(
                            new RowLeases(database, self, TIMES, loop), proposer, node.holder()::now),
                    threads,
                    () -> {}));
            members.add(this);
        }

        private SingletonService service() {
            return new SingletonService() {
                @Override
                public void activate(Fence fence) {
                    fences.add(fence);
                    active = true;
                }

                @Override
                public void deactivate() {
                    active = false;
                }
            };
        }

        /** Its connections are cut and its thread ends: nothing is given up in order. */
        void kill() {
            if (!dead) {
                dead = true;
                cutting.away(true);
                node.close();
                log.close();
                threads.close();
                loop.close();
            }
        }
    }

    private Member active() {
        Wait.until("somebody is active", () -> members.stream().anyMatch(m -> !m.dead && activeIn(m)));
        return members.stream().filter(m -> !m.dead && activeIn(m)).findFirst().orElseThrow();
    }

    private static boolean activeIn(Member m) {
        SingletonState s = m.node.now().singleton("one");
        return s != null && s.phase() == Phase.ACTIVE && m.name.equals(s.member()) && m.active;
    }

    @Test
    void whenTheActiveMemberDiesAnotherActivatesWithAHigherFence() throws Exception {
        Member anna = new Member("anna", "disk-a");
        Wait.on(anna.node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(anna);
        Member berta = new Member("berta", "disk-b");
        Wait.on(berta.node.joined());
        anna.kill();
        assertThat(active()).isEqualTo(berta);
        assertThat(fences).hasSizeGreaterThanOrEqualTo(2).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aMemberThatLeavesHandsItsSingletonsOver() throws Exception {
        Member anna = new Member("anna", "disk-a");
        Wait.on(anna.node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(anna);
        Member berta = new Member("berta", "disk-b");
        Wait.on(berta.node.joined());
        Wait.until(
                "both are known to both",
                () -> members.stream()
                        .allMatch(m -> m.log.status().peers().stream()
                                .map(LogStatus.Peer::member)
                                .toList()
                                .equals(List.of("anna", "berta"))));
        assertThat(berta.log.status().peers()).extracting(LogStatus.Peer::lag).containsExactly(-1L, 0L);
        Wait.on(anna.node.leave(Duration.ofSeconds(20)));
        assertThat(anna.active).isFalse();
        anna.kill();
        assertThat(active()).isEqualTo(berta);
    }

    @Test
    void whileDecisionsComeMembersDoNotWaitForTheirIntervals() throws Exception {
        Member anna = new Member("anna", "disk-a", "1m");
        Wait.on(anna.node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(anna);
        Member berta = new Member("berta", "disk-b", "1m");
        Wait.on(berta.node.joined());
        // an entry of one's own makes one look: from then on each answers what the other decided
        Wait.on(anna.node.proposer().propose(new SingletonCommand.Migrate("one", "berta", "test")));
        Wait.on(berta.node.proposer().propose(new SingletonCommand.Migrate("nothing", null, "test")));
        Wait.until(
                "berta has it",
                Duration.ofSeconds(20),
                () -> activeIn(berta) && !anna.active && anna.node.now().equals(berta.node.now()));
        Wait.on(anna.node.leave(Duration.ofSeconds(20)));
        assertThat(anna.active).isFalse();
    }

    /** Prints what planned moves took, for docs/cluster-database.md. */
    @Test
    @Tag("nightly")
    void plannedMovesAreMeasured() throws Exception {
        List<Member> both = new ArrayList<>(List.of(new Member("anna", "disk-a", "100ms")));
        Wait.on(both.getFirst().node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(both.getFirst());
        both.add(new Member("berta", "disk-b", "100ms"));
        Wait.on(both.getLast().node.joined());
        for (int i = 0; i < 20; i++) {
            Member to = both.getLast();
            quiet(i);
            took(
                    "migrated",
                    to,
                    () -> both.getFirst()
                            .node
                            .proposer()
                            .propose(new SingletonCommand.Migrate("one", to.name, "test")));
            Collections.reverse(both);
        }
        quiet(0);
        took("left", both.getLast(), () -> both.getFirst().node.leave(Duration.ofSeconds(20)));
    }

    /** Until members ask as seldom as they do while nothing happens; not always by the same distance from their last question. */
    private static void quiet(int round) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1500 + 7L * round));
    }

    private void took(String what, Member by, Supplier<CompletableFuture<?>> asked) throws Exception {
        long begun = SystemClock.INSTANCE.nanos();
        CompletableFuture<?> done = asked.get();
        Wait.until(what, () -> by.active);
        System.out.printf("%s %s %d ms%n", dialect, what, (SystemClock.INSTANCE.nanos() - begun) / 1_000_000);
        Wait.on(done);
    }

    @Test
    void aMemberThatIsKilledAndStartedAgainNeedNotWaitForItsFormerLease() throws Exception {
        Member anna = new Member("anna", "disk-a");
        Wait.on(anna.node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(anna);
        tables.execute("update " + tables.lease() + " set EXPIRES_AT = EXPIRES_AT + interval '1' hour");
        anna.kill();
        tables.execute("update " + tables.lease() + " set EXPIRES_AT = EXPIRES_AT + interval '1' hour where LEASE_NAME"
                + " <> 'coordinator'");
        Member again = new Member("anna", "disk-a");
        Wait.on(again.node.joined());
        assertThat(active()).isEqualTo(again);
        assertThat(fences).hasSizeGreaterThanOrEqualTo(2).isSorted();
    }

    @Test
    void whileTheDatabaseIsAwayHoldersStopAndAllGoesOnWhenItIsBack() throws Exception {
        Member anna = new Member("anna", "disk-a");
        Wait.on(anna.node.define(List.of(SERVICE)));
        assertThat(active()).isEqualTo(anna);
        anna.cutting.away(true);
        Wait.until("it is deactivated", () -> !anna.active);
        anna.cutting.away(false);
        Wait.until("it is active again", () -> fences.size() >= 2);
        assertThat(active()).isEqualTo(anna);
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }
}
