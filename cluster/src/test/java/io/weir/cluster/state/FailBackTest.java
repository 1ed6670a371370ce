package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When singletons go back to their preferred servers, and when an operator's word counts more. */
class FailBackTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    @Test
    void failBackIsOffUnlessAskedFor() {
        StateBench b = StateBench.of("b");
        b.define(POLLER.preferring("a"));
        b.runs("poller");
        b.up("a");
        assertThat(b.where("poller")).isEqualTo("active on b");
    }

    @Test
    void immediateFailBackFollowsThePreferredServersLease() {
        StateBench b = StateBench.of("b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.IMMEDIATE, 0));
        b.runs("poller");
        b.join("a");
        assertThat(b.where("poller")).isEqualTo("active on b");
        b.alive("a");
        assertThat(b.where("poller")).isEqualTo("placed on a");
        b.releases("poller");
        b.fails("poller");
        b.runs("poller");
        assertThat(b.where("poller"))
                .as("it failed there, so it does not go back and forth")
                .isEqualTo("active on b");
        b.up("a");
        assertThat(b.where("poller")).as("but it does once that was restarted").isEqualTo("placed on a");
    }

    @Test
    void anOperatorsMoveHoldsUntilThePreferredServerComesUpAgain() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.IMMEDIATE, 0));
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", "maintenance"));
        b.releases("poller");
        b.runs("poller");
        assertThat(b.where("poller")).as("a had never gone").isEqualTo("active on b");
        assertThat(b.state.explain("poller"))
                .contains(
                        "a: could have it; it is preferred, but an operator moved it: it goes back once that server has"
                                + " come up again");
        assertThat(SnapshotCodec.decode(SnapshotCodec.encode(b.state)).singleton("poller"))
                .isEqualTo(b.singleton("poller"));
        b.up("c");
        assertThat(b.where("poller")).as("another comes up").isEqualTo("active on b");
        b.expire("member/a");
        b.alive("a");
        assertThat(b.where("poller")).as("away and there again").isEqualTo("placed on a");
        b.releases("poller");
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on a");
    }

    @Test
    void aMoveToThePreferredServerAndTheLossOfTheOtherEndTheHold() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.IMMEDIATE, 0));
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        b.releases("poller");
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "a", ""));
        b.releases("poller");
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on a");
        b.expire("singleton/poller");
        assertThat(b.where("poller")).as("where it was lost is no destination").isEqualTo("placed on b");
        b.runs("poller");
        assertThat(b.where("poller")).as("nobody moved it away this time").isEqualTo("placed on a");
    }

    @Test
    void anOperatorsMoveHoldsOverARedefinitionAndAgainstADelayedFailBack() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.AFTER, 60_000));
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        b.releases("poller");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.AFTER, 60_000).with(Map.of("k", "v")));
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("active on b");
        b.refused(
                new SingletonCommand.FailBack("poller", b.singleton("poller").version(), b.fence("member/a")),
                Refusal.BUSY);
        assertThat(b.state.holds(b.singleton("poller"))).isTrue();
    }

    /** A log that was written before is to come to the same state. */
    @Test
    void inAnEarlierVersionsLogAMoveDoesNotHold() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.IMMEDIATE, 0));
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", "", false));
        b.releases("poller");
        b.runs("poller");
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void immediateFailBackAlsoFollowsAnActivationElsewhere() {
        StateBench b = StateBench.of("b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.IMMEDIATE, 0));
        Fence f = b.takes("poller");
        b.up("a");
        assertThat(b.where("poller")).isEqualTo("activating on b");
        b.ok(new SingletonCommand.Activated("poller", f, 1));
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void delayedFailBackIsRefusedWhenThePreferredServerWasAwayMeanwhile() {
        StateBench b = StateBench.of("b", "a");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.AFTER, 60_000));
        b.ok(new SingletonCommand.Migrate("poller", "b", ""));
        b.runs("poller");
        Fence seen = b.fence("member/a");
        b.expire("member/a");
        b.alive("a");
        long version = b.singleton("poller").version();
        b.refused(new SingletonCommand.FailBack("poller", version, seen), Refusal.CHANGED);
        b.refused(new SingletonCommand.FailBack("poller", version + 1, b.fence("member/a")), Refusal.CHANGED);
        b.ok(new SingletonCommand.FailBack("poller", version, b.fence("member/a")));
        assertThat(b.where("poller")).isEqualTo("placed on a");
    }

    @Test
    void delayedFailBackIsRefusedWhereItFailed() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.AFTER, 60_000));
        b.fails("poller");
        b.runs("poller");
        long version = b.singleton("poller").version();
        b.refused(new SingletonCommand.FailBack("poller", version, b.fence("member/a")), Refusal.BUSY);
    }
}
