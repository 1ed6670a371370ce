package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.LeaseRef;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Joining, leaving, and being alive. */
@Tag("slow")
class MembershipTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    @Test
    void aMemberIsAliveWhileItHoldsItsLease() {
        StateBench b = new StateBench();
        b.join("a");
        assertThat(b.state.alive("a")).isFalse();
        b.alive("a");
        assertThat(b.state.alive("a")).isTrue();
        assertThat(b.state.eligible("a")).isTrue();
        b.expire("member/a");
        assertThat(b.state.alive("a")).isFalse();
        assertThat(b.state.member("a")).as("it is known still").isNotNull();
    }

    @Test
    void theSameJoinAgainChangesNothing() {
        StateBench b = StateBench.of("a");
        ClusterState before = b.state;
        b.ok(new MemberCommand.Join("a", b.incarnation("a"), "disk-of-a", "a:7001", false));
        b.unchanged(before);
    }

    @Test
    void aNewLifeOnTheSameDiskEndsWhatTheFormerHeldAtOnce() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence old = b.runs("poller");
        b.ok(new NamingCommand.Bind("jms/x", "singleton/poller", old, new BindingValue.Text("t")));
        b.join("a");
        assertThat(b.lease("member/a").free()).isTrue();
        assertThat(b.lease("singleton/poller").free()).isTrue();
        assertThat(b.state.bindings()).isEmpty();
        assertThat(b.where("poller")).isEqualTo("placed on b");
        assertThat(b.singleton("poller").origin())
                .as("the new life is a fair destination")
                .isNull();
        assertThat(b.lease("singleton/poller").fence()).as("kept for ever").isEqualTo(old);
    }

    @Test
    void anotherDiskUnderTheNameIsRefusedWhileTheLeaseIsHeldThenLeavesTheOthersToExpire() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        var foreign = new MemberCommand.Join("a", 999, "another disk", "x:1", false);
        b.refused(foreign, Refusal.NAME_TAKEN);
        b.expire("member/a");
        b.ok(foreign);
        assertThat(b.lease("singleton/poller").owner())
                .as("that process may live")
                .isEqualTo("a");
        assertThat(b.where("poller")).isEqualTo("active on a");
        b.expire("singleton/poller");
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void commandsOfAFormerLifeAreRefused() {
        StateBench b = StateBench.of("a");
        b.join("a");
        b.refused(new LeaseCommand.Acquire("member/a", "a", 1, 90), Refusal.STALE_INCARNATION);
        b.refused(new MemberCommand.Leave("a", 1), Refusal.STALE_INCARNATION);
    }

    @Test
    void onlyAMemberThatIsNotAliveIsRemoved() {
        StateBench b = StateBench.of("a", "b");
        b.refused(new MemberCommand.Remove("a"), Refusal.MEMBER_UP);
        b.expire("member/a");
        b.ok(new MemberCommand.Remove("a"));
        assertThat(b.state.member("a")).isNull();
        b.ok(new MemberCommand.Remove("a"));
        b.refused(new LeaseCommand.Acquire("member/a", "a", 1, 91), Refusal.UNKNOWN_NAME);
    }

    @Test
    void leavingTwiceIsLeavingOnceAndStrangersCannot() {
        StateBench b = StateBench.of("a");
        b.ok(new MemberCommand.Leave("a", 1));
        ClusterState before = b.state;
        b.ok(new MemberCommand.Leave("a", 1));
        b.unchanged(before);
        b.refused(new MemberCommand.Leave("z", 1), Refusal.UNKNOWN_NAME);
    }

    /** As its operator saw it: alive, with the fence of its lease, until it left. */
    @Test
    void theHistoryOfADepartureBeginsWithTheLifeThatEnds() {
        StateBench b = StateBench.of("a");
        Fence fence = b.lease("member/a").fence();
        b.ok(new MemberCommand.Leave("a", 1));
        b.expire("member/a");
        assertThat(b.history("a")).endsWith("alive to leaving " + fence, "leaving to gone " + fence);
        b.join("b");
        b.ok(new MemberCommand.Leave("b", b.incarnation("b")));
        assertThat(b.history("b")).as("it was not alive yet").endsWith(" to leaving " + Fence.NONE);
    }

    @Test
    void afterALeadersChangeNothingIsPlacedOnAMemberThatWasNotRenewedSince() {
        StateBench b = StateBench.of("a", "b", "c");
        b.ok(new MemberCommand.TookOver("a", 2, false));
        b.define(POLLER.preferring("b"));
        assertThat(b.where("poller")).isEqualTo("unplaced");
        renew(b, "c");
        assertThat(b.where("poller")).isEqualTo("placed on c");
        b.refused(new SingletonCommand.Migrate("poller", "b", ""), Refusal.MEMBER_DOWN);
        renew(b, "b");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
    }

    @Test
    void aStartOfTheWholeClusterHoldsPlacementBackUntilTheDelayIsOver() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.join("a");
        b.ok(new MemberCommand.TookOver("a", 2, true));
        b.alive("a");
        b.ok(new SingletonCommand.Undefine("poller"));
        b.define(POLLER);
        assertThat(b.where("poller")).isEqualTo("unplaced");
        b.refused(new MemberCommand.BootDelayOver(0), Refusal.CHANGED);
        b.ok(new MemberCommand.BootDelayOver(b.state.boot().version()));
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.ok(new MemberCommand.BootDelayOver(b.state.boot().version()));
    }

    @Test
    void aRenewalFromBeforeTheLeaderShowsThatTheClusterWasRunning() {
        StateBench b = StateBench.of("a", "b");
        renew(b, "b");
        b.join("a");
        b.ok(new MemberCommand.TookOver("a", 2, true));
        b.define(POLLER);
        assertThat(b.where("poller")).isEqualTo("unplaced");
        renew(b, "b");
        assertThat(b.state.boot().pending()).isFalse();
        assertThat(b.where("poller")).isEqualTo("placed on b");
    }

    @Test
    void oneThatOnlyAcquiredItsLeaseBeforeTheLeaderTookOverShowsNothing() {
        StateBench b = StateBench.of("a", "b");
        b.join("a");
        b.ok(new MemberCommand.TookOver("a", 2, true));
        renew(b, "b");
        renew(b, "b");
        assertThat(b.state.boot().pending()).isTrue();
    }

    @Test
    void theEpochIsNotRaisedWhileAServiceHoldsItsLease() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        Fence old = b.runs("poller");
        b.refused(new MemberCommand.RaiseEpoch(2), Refusal.BUSY);
        b.ok(new MemberCommand.TookOver("b", 2, true));
        b.refused(new MemberCommand.RaiseEpoch(2), Refusal.BUSY);
        assertThat(b.state.epoch()).isEqualTo(1);
        assertThat(b.singleton("poller").runsOn("a", old)).isTrue();
    }

    @Test
    void whereNoServiceHoldsALeaseTheEpochRisesAndFencesWithIt() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.ok(new MemberCommand.RaiseEpoch(2));
        assertThat(b.state.alive("a")).as("lives go on").isTrue();
        assertThat(b.takes("poller").epoch()).isEqualTo(2);
        b.refused(new MemberCommand.RaiseEpoch(2), Refusal.CHANGED);
    }

    @Test
    void aHundredMembersAreTheMost() {
        StateBench b = new StateBench();
        for (int i = 0; i < StateLimits.MEMBERS; i++) {
            b.join("m" + i);
        }
        b.refused(new MemberCommand.Join("more", 1, "d", "", false), Refusal.LIMIT);
    }

    private static void renew(StateBench b, String member) {
        b.ok(new LeaseCommand.Renew(
                member,
                b.incarnation(member),
                b.state
                        .heldBy(member, b.incarnation(member))
                        .map(l -> new LeaseRef(l.name(), l.fence()))
                        .toList()));
    }
}
