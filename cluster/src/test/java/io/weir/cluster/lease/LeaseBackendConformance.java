package io.weir.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.cluster.log.LogFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    private static final String LEASE = "conformance/one";
    private static final Owner ANNA = new Owner("anna", 0x1111);
    private static final Owner BERTA = new Owner("berta", 0x2222);

    private Bench bench;
    private LeaseBackend anna;
    private LeaseBackend berta;

    /** A new one with no lease ever held. */
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
        assertThat(bench.await(anna.read(LEASE)).owner()).isNull();
        Grant grant = granted(anna, LEASE);
        assertThat(grant.lease()).isEqualTo(LEASE);
        assertThat(grant.fence()).isGreaterThan(Fence.NONE);
        assertThat(anna.self()).isEqualTo(ANNA);
    }

    @Test
    void aHeldLeaseIsRefusedAndItsHolderNamed() throws Exception {
        granted(anna, LEASE);
        assertThat(bench.await(berta.acquire(LEASE)))
                .isInstanceOfSatisfying(
                        Acquisition.Refused.class, r -> assertThat(r.holder()).isEqualTo(ANNA));
    }

    @Test
    void anotherLifeOfTheSameMemberIsAnotherOwner() throws Exception {
        granted(anna, LEASE);
        try (LeaseBackend reborn = bench.open(new Owner("anna", 0x9999))) {
            assertThat(bench.await(reborn.acquire(LEASE))).isInstanceOf(Acquisition.Refused.class);
        }
    }

    @Test
    void askingAgainGrantsTheSameFence() throws Exception {
        Grant first = granted(anna, LEASE);
        assertThat(granted(anna, LEASE)).isEqualTo(first);
        assertThat(bench.await(anna.read(LEASE)).transitions()).isEqualTo(1);
    }

    @Test
    void askingAgainIsToldThatItWasHeldBefore() throws Exception {
        assertThat(bench.await(anna.acquire(LEASE)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class, g -> assertThat(g.again()).isFalse());
        assertThat(bench.await(anna.acquire(LEASE)))
                .isInstanceOfSatisfying(
                        Acquisition.Granted.class, g -> assertThat(g.again()).isTrue());
    }

    @Test
    void askingAgainDoesNotRenew() throws Exception {
        granted(anna, LEASE);
        long renewal = bench.await(anna.read(LEASE)).renewal();
        granted(anna, LEASE);
        assertThat(bench.await(anna.read(LEASE)).renewal()).isEqualTo(renewal);
    }

    @Test
    void eachGrantsFenceIsHigherThanAllBefore() throws Exception {
        Fence last = Fence.NONE;
        for (int i = 0; i < 10; i++) {
            LeaseBackend by = i % 2 == 0 ? anna : berta;
            Grant grant = granted(by, LEASE);
            assertThat(grant.fence()).isGreaterThan(last);
            last = grant.fence();
            assertThat(bench.await(by.release(grant))).isTrue();
        }
    }

    @Test
    void leasesHaveNothingToDoWithEachOther() throws Exception {
        Grant mine = granted(anna, LEASE);
        Grant other = granted(berta, "conformance/two");
        assertThat(bench.await(anna.release(mine))).isTrue();
        assertThat(bench.await(berta.renew(List.of(other)))).containsExactly(other);
    }

    @Test
    void onlyTheRightFenceReleases() throws Exception {
        Grant old = granted(anna, LEASE);
        bench.await(anna.release(old));
        Grant now = granted(berta, LEASE);
        assertThat(bench.await(anna.release(old))).as("anna's is long gone").isFalse();
        assertThat(bench.await(berta.renew(List.of(now)))).containsExactly(now);
        assertThat(bench.await(berta.release(now))).isTrue();
    }

    @Test
    void renewingAnswersOnlyWhatIsStillHeld() throws Exception {
        Grant released = granted(anna, LEASE);
        Grant kept = granted(anna, "conformance/two");
        bench.await(anna.release(released));
        assertThat(bench.await(anna.renew(List.of(released, kept)))).containsExactly(kept);
        assertThat(bench.await(anna.read(LEASE)).owner())
                .as("a late renewal brings nothing back")
                .isNull();
    }

    @Test
    void nobodyRenewsWhatAnotherHolds() throws Exception {
        Grant grant = granted(anna, LEASE);
        long renewal = bench.await(anna.read(LEASE)).renewal();
        assertThat(bench.await(berta.renew(List.of(grant)))).isEmpty();
        assertThat(bench.await(anna.read(LEASE)).renewal()).isEqualTo(renewal);
    }

    @Test
    void eachRenewalCanBeToldFromTheOneBefore() throws Exception {
        Grant grant = granted(anna, LEASE);
        long last = bench.await(anna.read(LEASE)).renewal();
        for (int i = 0; i < 3; i++) {
            bench.pass(Duration.ofMillis(2));
            bench.await(anna.renew(List.of(grant)));
            long now = bench.await(berta.read(LEASE)).renewal();
            assertThat(now).isGreaterThan(last);
            last = now;
        }
    }

    @Test
    void aLeaseIsNotTakenBeforeItsTimeHasPassed() throws Exception {
        Grant grant = granted(anna, LEASE);
        bench.pass(bench.timeToLive().dividedBy(2));
        assertThat(bench.await(berta.acquire(LEASE))).isInstanceOf(Acquisition.Refused.class);
        assertThat(bench.await(berta.expired())).isEmpty();
        assertThat(bench.await(anna.renew(List.of(grant)))).containsExactly(grant);
    }

    @Test
    void aRenewedLeaseOutlivesItsTime() throws Exception {
        Grant grant = granted(anna, LEASE);
        for (int i = 0; i < 5; i++) {
            bench.pass(bench.timeToLive().dividedBy(2));
            assertThat(bench.await(anna.renew(List.of(grant)))).containsExactly(grant);
        }
        assertThat(bench.await(berta.acquire(LEASE))).isInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void aLeaseThatIsNotRenewedIsAnothersInTheEnd() throws Exception {
        Grant old = granted(anna, LEASE);
        bench.pass(bench.timeToLive().multipliedBy(2));
        Grant now = granted(berta, LEASE);
        assertThat(now.fence()).isGreaterThan(old.fence());
        assertThat(bench.await(anna.renew(List.of(old)))).isEmpty();
        assertThat(bench.await(anna.release(old))).isFalse();
        assertThat(bench.await(anna.read(LEASE)))
                .satisfies(lease -> assertThat(lease.owner()).isEqualTo(BERTA))
                .satisfies(lease -> assertThat(lease.fence()).isEqualTo(now.fence()));
    }

    @Test
    void aLeaseWhoseTimeHasPassedDoesNotComeBackToItsHolder() throws Exception {
        Grant old = granted(anna, LEASE);
        bench.pass(bench.timeToLive().multipliedBy(2));
        Grant taken = granted(berta, LEASE);
        bench.await(berta.release(taken));
        assertThat(bench.await(anna.renew(List.of(old)))).isEmpty();
        assertThat(granted(anna, LEASE).fence()).isGreaterThan(taken.fence());
    }

    @Test
    void ofManyWhoAskAtOnceOneGetsIt() throws Exception {
        List<LeaseBackend> all = new ArrayList<>();
        List<CompletableFuture<Acquisition>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(bench.open(new Owner("m" + i, i + 1)));
        }
        all.forEach(b -> answers.add(b.acquire(LEASE)));
        int granted = 0;
        for (CompletableFuture<Acquisition> a : answers) {
            granted += bench.await(a) instanceof Acquisition.Granted ? 1 : 0;
        }
        assertThat(granted).isEqualTo(1);
        all.forEach(LeaseBackend::close);
    }

    @Test
    void aReadTellsWhatIsKnown() throws Exception {
        assertThat(bench.await(anna.read(LEASE)).fence()).isEqualTo(Fence.NONE);
        Grant grant = granted(anna, LEASE);
        assertThat(bench.await(berta.read(LEASE)))
                .satisfies(lease -> assertThat(lease.name()).isEqualTo(LEASE))
                .satisfies(lease -> assertThat(lease.heldBy(ANNA)).isTrue())
                .satisfies(lease -> assertThat(lease.fence()).isEqualTo(grant.fence()))
                .satisfies(lease -> assertThat(lease.transitions()).isEqualTo(1));
        bench.await(anna.release(grant));
        assertThat(bench.await(berta.read(LEASE)))
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
        assertThatThrownBy(() -> bench.await(anna.acquire(LEASE))).hasStackTraceContaining(LogFault.class.getName());
        granted(berta, LEASE);
    }

    private Grant granted(LeaseBackend by, String lease) throws Exception {
        Acquisition answer = bench.await(by.acquire(lease));
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }
}
