package io.weir.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.cluster.log.LogFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link LeaseBackend} keeps, whatever it is made of. A backend's test extends this and says how to make one and
 * how time passes.
 */
public abstract class LeaseBackendConformance {
    /** A backend under test with the machinery around it. */
    public interface Bench {
        /** A backend that asks on this owner's behalf, on a loop of its own. */
        LeaseBackend open(Owner owner);

        /** Waits for a future, letting loops run; fails with its cause, or after a bound. */
        <T> T await(CompletableFuture<T> future) throws Exception;

        /** How long a lease lasts here unless renewed. */
        Duration timeToLive();

        /** Lets time pass: whatever watches over expiry in this backend sees it pass. */
        void pass(Duration time) throws Exception;

        void close() throws Exception;
    }

    private static final AtomicLong TESTS = new AtomicLong();
    private static final Owner ANNA = new Owner("anna", 0x1111);
    private static final Owner BERTA = new Owner("berta", 0x2222);

    /** Names that no test before this one used: a bench may be of machinery that served others. */
    private final String one = "conformance/one-" + TESTS.incrementAndGet();

    private final String two = "conformance/two-" + TESTS.get();
    private Bench bench;
    private LeaseBackend anna;
    private LeaseBackend berta;

    /** One in which no lease of this test's names was ever held. */
    protected abstract Bench bench() throws Exception;

    @BeforeEach
    void open() throws Exception {
        bench = bench();
        anna = bench.open(ANNA);
        berta = bench.open(BERTA);
    }

    @AfterEach
    void close() throws Exception {
        anna.close();
        berta.close();
        bench.close();
    }

    @Test
    void aLeaseThatNobodyHoldsIsGranted() throws Exception {
        assertThat(bench.await(anna.read(one)).owner()).isNull();
        Grant grant = granted(anna, one);
        assertThat(grant.lease()).isEqualTo(one);
        assertThat(grant.fence()).isGreaterThan(Fence.NONE);
        assertThat(anna.self()).isEqualTo(ANNA);
    }

    @Test
    void aHeldLeaseIsRefusedAndItsHolderNamed() throws Exception {
        granted(anna, one);
        assertThat(bench.await(berta.acquire(one)))
                .isInstanceOfSatisfying(
                        Acquisition.Refused.class, r -> assertThat(r.holder()).isEqualTo(ANNA));
    }

    @Test
    void anotherLifeOfTheSameMemberIsAnotherOwner() throws Exception {
        granted(anna, one);
        try (LeaseBackend reborn = bench.open(new Owner("anna", 0x9999))) {
            assertThat(bench.await(reborn.acquire(one))).isInstanceOf(Acquisition.Refused.class);
        }
    }

    @Test
    void askingAgainGrantsTheSameFence() throws Exception {
        Grant first = granted(anna, one);
        assertThat(granted(anna, one)).isEqualTo(first);
        assertThat(bench.await(anna.read(one)).transitions()).isEqualTo(1);
    }

    @Test
    void askingAgainIsToldThatItWasHeldBefore() throws Exception {
        assertThat(bench.await(anna.acquire(one)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class, g -> assertThat(g.again()).isFalse());
        assertThat(bench.await(anna.acquire(one)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class, g -> assertThat(g.again()).isTrue());
    }

    @Test
    void askingAgainDoesNotRenew() throws Exception {
        granted(anna, one);
        long renewal = bench.await(anna.read(one)).renewal();
        granted(anna, one);
        assertThat(bench.await(anna.read(one)).renewal()).isEqualTo(renewal);
    }

    @Test
    void eachGrantsFenceIsHigherThanAllBefore() throws Exception {
        Fence last = Fence.NONE;
        for (int i = 0; i < 10; i++) {
            LeaseBackend by = i % 2 == 0 ? anna : berta;
            Grant grant = granted(by, one);
            assertThat(grant.fence()).isGreaterThan(last);
            last = grant.fence();
            assertThat(bench.await(by.release(grant))).isTrue();
        }
    }

    @Test
    void leasesHaveNothingToDoWithEachOther() throws Exception {
        Grant mine = granted(anna, one);
        Grant other = granted(berta, two);
        assertThat(bench.await(anna.release(mine))).isTrue();
        assertThat(bench.await(berta.renew(List.of(other)))).containsExactly(other);
    }

    @Test
    void onlyTheRightFenceReleases() throws Exception {
        Grant old = granted(anna, one);
        bench.await(anna.release(old));
        Grant now = granted(berta, one);
        assertThat(bench.await(anna.release(old))).as("anna's is long gone").isFalse();
        assertThat(bench.await(berta.renew(List.of(now)))).containsExactly(now);
        assertThat(bench.await(berta.release(now))).isTrue();
    }

    @Test
    void renewingAnswersOnlyWhatIsStillHeld() throws Exception {
        Grant released = granted(anna, one);
        Grant kept = granted(anna, two);
        bench.await(anna.release(released));
        assertThat(bench.await(anna.renew(List.of(released, kept)))).containsExactly(kept);
        assertThat(bench.await(anna.read(one)).owner())
                .as("a late renewal brings nothing back")
                .isNull();
    }

    @Test
    void nobodyRenewsWhatAnotherHolds() throws Exception {
        Grant grant = granted(anna, one);
        long renewal = bench.await(anna.read(one)).renewal();
        assertThat(bench.await(berta.renew(List.of(grant)))).isEmpty();
        assertThat(bench.await(anna.read(one)).renewal()).isEqualTo(renewal);
    }

    @Test
    void eachRenewalCanBeToldFromTheOneBefore() throws Exception {
        Grant grant = granted(anna, one);
        long last = bench.await(anna.read(one)).renewal();
        for (int i = 0; i < 3; i++) {
            bench.pass(Duration.ofMillis(2));
            bench.await(anna.renew(List.of(grant)));
            long now = bench.await(berta.read(one)).renewal();
            assertThat(now).isGreaterThan(last);
            last = now;
        }
    }

    @Test
    void aLeaseIsNotTakenBeforeItsTimeHasPassed() throws Exception {
        Grant grant = granted(anna, one);
        bench.pass(bench.timeToLive().dividedBy(2));
        assertThat(bench.await(berta.acquire(one))).isInstanceOf(Acquisition.Refused.class);
        assertThat(bench.await(berta.expired())).isEmpty();
        assertThat(bench.await(anna.renew(List.of(grant)))).containsExactly(grant);
    }

    @Test
    void aRenewedLeaseOutlivesItsTime() throws Exception {
        Grant grant = granted(anna, one);
        for (int i = 0; i < 5; i++) {
            bench.pass(bench.timeToLive().dividedBy(2));
            assertThat(bench.await(anna.renew(List.of(grant)))).containsExactly(grant);
        }
        assertThat(bench.await(berta.acquire(one))).isInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void aLeaseThatIsNotRenewedIsAnothersInTheEnd() throws Exception {
        Grant old = granted(anna, one);
        bench.pass(bench.timeToLive().multipliedBy(2));
        Grant now = granted(berta, one);
        assertThat(now.fence()).isGreaterThan(old.fence());
        assertThat(bench.await(anna.renew(List.of(old)))).isEmpty();
        assertThat(bench.await(anna.release(old))).isFalse();
        assertThat(bench.await(anna.read(one)))
                .satisfies(lease -> assertThat(lease.owner()).isEqualTo(BERTA))
                .satisfies(lease -> assertThat(lease.fence()).isEqualTo(now.fence()));
    }

    @Test
    void aLeaseWhoseTimeHasPassedDoesNotComeBackToItsHolder() throws Exception {
        Grant old = granted(anna, one);
        bench.pass(bench.timeToLive().multipliedBy(2));
        Grant taken = granted(berta, one);
        bench.await(berta.release(taken));
        assertThat(bench.await(anna.renew(List.of(old)))).isEmpty();
        assertThat(granted(anna, one).fence()).isGreaterThan(taken.fence());
    }

    @Test
    void ofManyWhoAskAtOnceOneGetsIt() throws Exception {
        List<LeaseBackend> all = new ArrayList<>();
        List<CompletableFuture<Acquisition>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(bench.open(new Owner("m" + i, i + 1)));
        }
        all.forEach(b -> answers.add(b.acquire(one)));
        int granted = 0;
        for (CompletableFuture<Acquisition> a : answers) {
            granted += bench.await(a) instanceof Acquisition.Granted ? 1 : 0;
        }
        assertThat(granted).isEqualTo(1);
        all.forEach(LeaseBackend::close);
    }

    @Test
    void aReadTellsWhatIsKnown() throws Exception {
        assertThat(bench.await(anna.read(one)).fence()).isEqualTo(Fence.NONE);
        Grant grant = granted(anna, one);
        assertThat(bench.await(berta.read(one)))
                .satisfies(lease -> assertThat(lease.name()).isEqualTo(one))
                .satisfies(lease -> assertThat(lease.heldBy(ANNA)).isTrue())
                .satisfies(lease -> assertThat(lease.fence()).isEqualTo(grant.fence()))
                .satisfies(lease -> assertThat(lease.transitions()).isEqualTo(1));
        bench.await(anna.release(grant));
        assertThat(bench.await(berta.read(one)))
                .satisfies(lease -> assertThat(lease.owner()).isNull())
                .satisfies(lease ->
                        assertThat(lease.fence()).as("the last one stays known").isEqualTo(grant.fence()));
    }

    @Test
    void namesAreTakenAsTheyAre() throws Exception {
        String strange = "conformance/Ä'; --\"%_\\ 名";
        Grant grant = granted(anna, strange);
        assertThat(granted(berta, "conformance/ä'; --\"%_\\ 名").fence()).isGreaterThan(Fence.NONE);
        assertThat(bench.await(berta.read(strange)).owner()).isEqualTo(ANNA);
        assertThat(bench.await(anna.release(grant))).isTrue();
        String longest = "conformance/" + "x".repeat(255 - 12);
        assertThat(bench.await(berta.release(granted(berta, longest)))).isTrue();
    }

    @Test
    void whatIsClosedFails() throws Exception {
        anna.close();
        assertThatThrownBy(() -> bench.await(anna.acquire(one))).hasStackTraceContaining(LogFault.class.getName());
        granted(berta, one);
    }

    private Grant granted(LeaseBackend by, String lease) throws Exception {
        Acquisition answer = bench.await(by.acquire(lease));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }
}
