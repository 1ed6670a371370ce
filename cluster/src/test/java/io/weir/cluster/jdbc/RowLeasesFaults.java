package io.weir.cluster.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.RecordingLog;
import io.weir.base.SteppedClock;
import io.weir.cluster.lease.Acquisition;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.lease.Lease;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.lease.Owner;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.stats.ClusterStats;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What can go wrong between a member and the rows of its leases, on one kind of database. Members' clocks stand still unless
 * stepped; the rows' time passes by making them older.
 */
abstract class RowLeasesFaults {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(60));
    private static final Owner ANNA = new Owner("anna", 0xa);
    private static final Owner BERTA = new Owner("berta", 0xb);
    private static final String LEASE = "singleton/one";
    /** So short that a locked table is noticed soon; everything else here is quick, or may fail and be tried again. */
    private static final Duration SHORT = Duration.ofMillis(400);

    private final Dialect dialect;
    private final SteppedClock clock = new SteppedClock(0);
    private final ClusterLoop loop = new ClusterLoop(clock, Chance.seeded(1));
    private final RecordingLog log = new RecordingLog();
    private TestDatabase tables;
    private Cutting annas;
    private RowLeases anna;
    private RowLeases berta;

    RowLeasesFaults(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void open() throws SQLException {
        tables = TestDatabase.of(dialect);
        annas = new Cutting(tables.plain().connector());
        anna = new RowLeases(tables.with(annas, TestDatabase.STATEMENT, log), ANNA, TIMES, loop);
        berta = new RowLeases(tables.plain(), BERTA, TIMES, loop);
    }

    @AfterEach
    void close() throws SQLException {
        anna.close();
        berta.close();
        loop.close();
        tables.close();
    }

    final TestDatabase tables() {
        return tables;
    }

    private RowLeases impatient(Owner owner) {
        return new RowLeases(tables.over(tables.url, SHORT, log), owner, TIMES, loop);
    }

    private static Grant granted(RowLeases by, String lease) throws Exception {
        Acquisition answer = Wait.on(by.acquire(lease));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    /** As a backup, or a transaction that somebody forgot: nobody writes to the rows, everybody reads them. */
    private Connection lock() throws SQLException {
        Connection c = tables.connect();
        c.setAutoCommit(false);
        try (Statement s = c.createStatement()) {
            s.execute(
                    dialect == Dialect.POSTGRESQL
                            ? "lock table " + tables.lease() + " in exclusive mode"
                            : "update " + tables.lease() + " set PREFERRED = 'locked'");
        }
        return c;
    }

    @Test
    void aLockedTableIsNoMassExpiry() throws Exception {
        try (RowLeases a = impatient(ANNA);
                RowLeases b = impatient(BERTA)) {
            Grant held = granted(a, LEASE);
            granted(b, "member/berta");
            tables.pass(TIMES.timeToLive().multipliedBy(2));
            try (Connection locked = lock()) {
                assertThat(Wait.failure(b.acquire(LEASE)))
                        .as("readers see that its time has passed, but it is not stolen")
                        .isInstanceOf(LogFault.class);
                assertThat(Wait.on(b.expired())).extracting(Lease::name).doesNotContain(LEASE);
                locked.rollback();
            }
            assertThat(Wait.on(b.acquire(LEASE)))
                    .as("the holder comes first")
                    .isInstanceOfSatisfying(
                            Acquisition.Refused.class,
                            r -> assertThat(r.holder()).isEqualTo(ANNA));
            assertThat(Wait.on(b.expired())).isEmpty();
            assertThat(Wait.on(a.renew(List.of(held))))
                    .as("what is over is not renewed")
                    .isEmpty();
            assertThat(granted(a, LEASE).fence())
                    .as("but is taken back, with a new fence")
                    .isGreaterThan(held.fence());
        }
    }

    @Test
    void afterALockWhoeverDoesNotTakeItsOwnBackLosesItAfterAnIntervalOfRenewals() throws Exception {
        try (RowLeases b = impatient(BERTA)) {
            granted(anna, LEASE);
            granted(b, "member/berta");
            tables.pass(TIMES.timeToLive().multipliedBy(2));
            try (Connection locked = lock()) {
                assertThat(Wait.failure(b.acquire(LEASE))).isInstanceOf(LogFault.class);
                locked.rollback();
            }
            assertThat(Wait.on(b.acquire(LEASE))).isInstanceOf(Acquisition.Refused.class);
            clock.step(TIMES.renew());
            assertThat(Wait.on(b.expired())).extracting(Lease::name).contains(LEASE);
            granted(b, LEASE);
        }
    }

    @Test
    void aLockShorterThanTheLeaseCostsNothing() throws Exception {
        try (RowLeases a = impatient(ANNA)) {
            Grant held = granted(a, LEASE);
            try (Connection locked = lock()) {
                assertThat(Wait.failure(a.renew(List.of(held)))).isInstanceOf(LogFault.class);
                locked.rollback();
            }
            assertThat(Wait.on(a.renew(List.of(held)))).containsExactly(held);
            assertThat(tables.stats.value(ClusterStats.DATABASE_FAILURES, "time-out"))
                    .isPositive();
            assertThat(log.count(DatabaseMessages.LATE)).isPositive();
        }
    }

    @Test
    void anAcquisitionWhoseConnectionIsCutAfterTheCommitIsOne() throws Exception {
        granted(anna, "member/anna");
        annas.afterNextCommitOf("update " + tables.lease() + " set OWNER = ?");
        Grant grant = granted(anna, LEASE);
        assertThat(annas.cuts()).isEqualTo(1);
        assertThat(grant.fence().counter()).as("the first, not a second").isEqualTo(1);
        assertThat(Wait.on(berta.read(LEASE)))
                .satisfies(l -> assertThat(l.transitions()).isEqualTo(1))
                .satisfies(l -> assertThat(l.fence()).isEqualTo(grant.fence()));
        assertThat(log.count(DatabaseMessages.LOST)).isEqualTo(1);
    }

    @Test
    void renewalsAndReleasesBearACutConnection() throws Exception {
        Grant grant = granted(anna, LEASE);
        annas.afterNextCommitOf("update " + tables.lease() + " set EXPIRES_AT");
        assertThat(Wait.on(anna.renew(List.of(grant)))).containsExactly(grant);
        annas.afterNextCommitOf("update " + tables.lease() + " set OWNER = null");
        assertThat(Wait.on(anna.release(grant))).as("it was given up once").isTrue();
        assertThat(annas.cuts()).isEqualTo(2);
        assertThat(Wait.on(anna.release(grant))).isTrue();
        granted(berta, LEASE);
        assertThat(Wait.on(anna.release(grant))).isFalse();
    }

    @Test
    void aDatabaseThatIsAwayRenewsNothingAndAllGoesOnWhenItIsBack() throws Exception {
        Grant grant = granted(anna, LEASE);
        annas.away(true);
        for (int i = 0; i < 3; i++) {
            assertThat(Wait.failure(anna.renew(List.of(grant)))).isInstanceOf(LogFault.class);
        }
        assertThat(log.count(DatabaseMessages.AWAY)).as("told once").isEqualTo(1);
        annas.away(false);
        assertThat(Wait.failure(anna.renew(List.of(grant))))
                .as("it is not asked before its pause is over")
                .isInstanceOf(LogFault.class);
        clock.step(Duration.ofSeconds(1));
        assertThat(Wait.on(anna.renew(List.of(grant)))).containsExactly(grant);
        assertThat(log.count(DatabaseMessages.BACK)).isEqualTo(1);
    }

    @Test
    void aLeaseThatWasGivenUpIsReportedUntilSomebodyHasIt() throws Exception {
        Grant grant = granted(anna, LEASE);
        assertThat(Wait.on(berta.expired())).isEmpty();
        Wait.on(anna.release(grant));
        assertThat(Wait.on(berta.expired()))
                .singleElement()
                .satisfies(l -> assertThat(l.fence()).isEqualTo(grant.fence()));
        granted(berta, LEASE);
        assertThat(Wait.on(anna.expired())).isEmpty();
    }

    @Test
    void aHigherEpochMakesEveryFenceHigher() throws Exception {
        Grant old = granted(anna, LEASE);
        tables.execute("update " + tables.lease() + " set FENCE_EPOCH = 7, FENCE = 0, OWNER = null,"
                + " OWNER_INSTANCE = null, EXPIRES_AT = null, STATE = 'FREE'");
        assertThat(Wait.on(anna.renew(List.of(old)))).isEmpty();
        Grant now = granted(berta, LEASE);
        assertThat(now.fence()).isGreaterThan(old.fence());
        assertThat(granted(berta, "singleton/new").fence().epoch())
                .as("of leases that are new, too")
                .isEqualTo(7);
    }

    @Test
    void manyLeasesAreRenewedAtOnce() throws Exception {
        List<CompletableFuture<Acquisition>> asked = new java.util.ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(anna.acquire("singleton/" + i));
        }
        List<Grant> grants = new java.util.ArrayList<>();
        for (CompletableFuture<Acquisition> a : asked) {
            grants.add(((Acquisition.Granted) Wait.on(a)).grant());
        }
        long before = statements();
        assertThat(Wait.on(anna.renew(grants))).isEqualTo(Set.copyOf(grants));
        assertThat(statements() - before).as("transactions").isEqualTo(1);
    }

    private long statements() {
        return tables.stats.value(ClusterStats.DATABASE_TIME);
    }
}
