package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.LeaseEvent;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Leases and their fences. */
class LeasingTest {
    private static Answer.Renewed renewed(Answer a) {
        assertThat(a).isInstanceOf(Answer.Renewed.class);
        return (Answer.Renewed) a;
    }

    @Test
    void aFreeLeaseIsGrantedWithTheIndexOfItsEntryAsFence() {
        StateBench b = StateBench.of("a", "b");
        Fence f = StateBench.granted(b.acquire("backup", "a"));
        assertThat(f).isEqualTo(new Fence(1, b.state.applied()));
        assertThat(b.acquire("backup", "b")).isEqualTo(new Answer.HeldBy("a", 1, f));
        assertThat(StateBench.granted(b.acquire("backup", "a")))
                .as("its own, again")
                .isEqualTo(f);
        assertThat(b.lease("backup").renewal()).as("not renewed by that").isEqualTo(f.counter());
        assertThat(b.lease("backup").transitions()).isEqualTo(1);
    }

    @Test
    void eachFenceIsHigherThanAllBefore() {
        StateBench b = StateBench.of("a", "b");
        Fence last = Fence.NONE;
        for (String owner : List.of("a", "b", "b", "a")) {
            Fence f = StateBench.granted(b.acquire("backup", owner));
            assertThat(f).isGreaterThan(last);
            b.ok(new LeaseCommand.Release("backup", f));
            last = f;
        }
        assertThat(b.lease("backup").transitions()).isEqualTo(4);
    }

    @Test
    void aRequestThatArrivesAgainAfterItsLeaseWasGivenUpIsRefused() {
        StateBench b = StateBench.of("a");
        var request = new LeaseCommand.Acquire("backup", "a", 1, 77);
        Fence f = StateBench.granted(b.ok(request));
        b.ok(new LeaseCommand.Release("backup", f));
        b.refused(request, Refusal.DUPLICATE);
        b.ok(new LeaseCommand.Acquire("backup", "a", 1, 78));
    }

    @Test
    void nobodyAcquiresAnotherMembersLife() {
        StateBench b = StateBench.of("a");
        b.join("b");
        b.refused(new LeaseCommand.Acquire("member/b", "a", 1, 90), Refusal.NOT_CANDIDATE);
        b.refused(new LeaseCommand.Acquire("backup", "z", 1, 91), Refusal.UNKNOWN_NAME);
        b.refused(new LeaseCommand.Acquire("singleton/none", "a", 1, 92), Refusal.UNKNOWN_NAME);
    }

    @Test
    void renewalAnswersWhatIsLostAndRenewsTheRest() {
        StateBench b = StateBench.of("a", "b");
        Fence f = StateBench.granted(b.acquire("backup", "a"));
        var life = new LeaseRef("member/a", b.fence("member/a"));
        var stale = new LeaseRef("backup", new Fence(1, f.counter() - 1));
        var unknown = new LeaseRef("never", f);
        Answer.Renewed r = renewed(b.apply(new LeaseCommand.Renew("a", 1, List.of(life, stale, unknown))));
        assertThat(r.lost()).containsExactly(stale, unknown);
        assertThat(b.lease("member/a").renewal()).isEqualTo(r.index());
        assertThat(b.lease("backup").renewal()).isEqualTo(f.counter());
        assertThat(b.events(LeaseEvent.Renewed.class))
                .singleElement()
                .satisfies(e -> assertThat(e.leases()).containsExactly("member/a"));
    }

    @Test
    void nobodyRenewsForAnotherOrForAFormerLife() {
        StateBench b = StateBench.of("a", "b");
        var life = new LeaseRef("member/a", b.fence("member/a"));
        assertThat(renewed(b.apply(new LeaseCommand.Renew("b", 1, List.of(life))))
                        .lost())
                .containsExactly(life);
        assertThat(renewed(b.apply(new LeaseCommand.Renew("a", 2, List.of(life))))
                        .lost())
                .containsExactly(life);
    }

    @Test
    void expiryIsRefusedWhenAnythingChanged() {
        StateBench b = StateBench.of("a");
        Fence f = StateBench.granted(b.acquire("backup", "a"));
        var expire = new LeaseCommand.Expire("backup", f, b.lease("backup").renewal());
        b.ok(new LeaseCommand.Renew("a", 1, List.of(new LeaseRef("backup", f))));
        b.refused(expire, Refusal.CHANGED);
        b.refused(
                new LeaseCommand.Expire(
                        "backup", new Fence(1, 1), b.lease("backup").renewal()),
                Refusal.CHANGED);
        b.expire("backup");
        assertThat(b.lease("backup").free()).isTrue();
        assertThat(b.lease("backup").fence()).as("kept for ever").isEqualTo(f);
        b.refused(new LeaseCommand.Expire("backup", f, b.lease("backup").renewal()), Refusal.CHANGED);
        b.refused(new LeaseCommand.Expire("none", f, 1), Refusal.UNKNOWN_NAME);
    }

    @Test
    void releaseIsIdempotentAndNeverTakesASuccessorsLease() {
        StateBench b = StateBench.of("a", "b");
        Fence f = StateBench.granted(b.acquire("backup", "a"));
        b.ok(new LeaseCommand.Release("backup", f));
        b.ok(new LeaseCommand.Release("backup", f));
        Fence next = StateBench.granted(b.acquire("backup", "b"));
        b.refused(new LeaseCommand.Release("backup", f), Refusal.CHANGED);
        assertThat(b.lease("backup").current(next)).isTrue();
        b.refused(new LeaseCommand.Release("none", f), Refusal.UNKNOWN_NAME);
    }

    @Test
    void aRowsFenceCountsWhenItIsHigher() {
        StateBench b = StateBench.of("a", "b");
        b.ok(new LeaseCommand.Recorded("backup", "a", 1, new Fence(3, 10)));
        assertThat(b.lease("backup").current(new Fence(3, 10))).isTrue();
        b.ok(new LeaseCommand.Recorded("backup", "a", 1, new Fence(3, 10)));
        b.refused(new LeaseCommand.Recorded("backup", "b", 1, new Fence(3, 10)), Refusal.STALE_FENCE);
        b.refused(new LeaseCommand.Recorded("backup", "b", 1, new Fence(2, 99)), Refusal.STALE_FENCE);
        b.ok(new LeaseCommand.Recorded("backup", "b", 1, new Fence(3, 11)));
        assertThat(b.lease("backup").owner()).isEqualTo("b");
        assertThat(b.events(LeaseEvent.Ended.class)).hasSize(1);
        b.refused(new LeaseCommand.Lost("backup", new Fence(3, 10)), Refusal.CHANGED);
        b.ok(new LeaseCommand.Lost("backup", new Fence(3, 11)));
        b.ok(new LeaseCommand.Lost("backup", new Fence(3, 11)));
        assertThat(b.lease("backup").free()).isTrue();
    }

    @Test
    void aRowForASingletonThatIsElsewhereRaisesTheFenceButGivesNothing() {
        StateBench b = StateBench.of("a", "b");
        b.define(SingletonSpec.of("poller", "X"));
        b.ok(new LeaseCommand.Recorded("singleton/poller", "a", 1, new Fence(9, 1)));
        assertThat(b.where("poller")).isEqualTo("activating on a");
        Answer refused = b.apply(new LeaseCommand.Recorded("singleton/poller", "a", 1, new Fence(9, 2)));
        assertThat(refused)
                .as("the row was given again, so the former was lost")
                .isInstanceOf(Answer.Refused.class);
        assertThat(b.lease("singleton/poller").free()).isTrue();
        assertThat(b.fence("singleton/poller")).isEqualTo(new Fence(9, 2));
        assertThat(b.where("poller")).isEqualTo("placed on b");
        b.ok(new LeaseCommand.Recorded("singleton/poller", "b", 1, new Fence(9, 3)));
        assertThat(b.where("poller")).isEqualTo("activating on b");
    }

    @Test
    void aBasisOfLowerFencesNeedsAHigherEpoch() {
        StateBench b = StateBench.of("a");
        b.ok(new LeaseCommand.Recorded("backup", "a", 1, new Fence(5, 10)));
        b.ok(new LeaseCommand.Lost("backup", new Fence(5, 10)));
        assertThat(b.acquire("backup", "a"))
                .isInstanceOfSatisfying(
                        Answer.Refused.class, r -> assertThat(r.reason()).isEqualTo(Refusal.STALE_FENCE));
        b.ok(new MemberCommand.RaiseEpoch(6));
        assertThat(StateBench.granted(b.acquire("backup", "a")).epoch()).isEqualTo(6);
    }

    @Test
    void tenThousandLeasesAreTheMost() {
        StateBench b = StateBench.of("a");
        SortedMap<String, LeaseState> many = new TreeMap<>(b.state.leases());
        for (int i = many.size(); i < StateLimits.LEASES; i++) {
            many.put("lease/" + i, new LeaseState("lease/" + i, null, 0, 0, Fence.NONE, 0, 0));
        }
        b.state = b.with(many, b.state.bindings());
        b.refused(new LeaseCommand.Acquire("more", "a", 1, 1_000_000), Refusal.LIMIT);
        b.refused(new LeaseCommand.Recorded("more", "a", 1, new Fence(7, 7)), Refusal.LIMIT);
        b.ok(new LeaseCommand.Acquire("lease/77", "a", 1, 1_000_001));
    }
}
