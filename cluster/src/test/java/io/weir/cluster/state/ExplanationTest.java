package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a singleton is here, and why not there. */
class ExplanationTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    @Test
    void saysWhyItIsHereAndForEachOtherMemberWhyNot() {
        StateBench b = StateBench.of("a", "b", "c", "d");
        b.define(POLLER.preferring("a").among(List.of("a", "b", "c", "x")));
        b.runs("poller");
        b.expire("member/b");
        List<String> lines = b.state.explain("poller");
        assertThat(lines.getFirst())
                .startsWith("poller is active on a since entry")
                .endsWith(": defined");
        assertThat(lines.get(1)).startsWith("its lease is held by a with fence " + b.fence("singleton/poller"));
        assertThat(lines)
                .contains(
                        "a: here",
                        "b: not here: it is not alive: its lease member/b ended",
                        "c: could have it; a is its preferred server",
                        "d: not here: it is no candidate",
                        "x: not here: it has not joined the cluster");
    }

    @Test
    void saysWhatAMoveWaitsFor() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER);
        b.runs("poller");
        b.ok(new SingletonCommand.Migrate("poller", "b", "maintenance"));
        assertThat(b.state.explain("poller"))
                .anyMatch(l -> l.contains("placed on b") && l.contains("maintenance"))
                .anyMatch(l -> l.endsWith("it must deactivate and release it first"));
    }

    @Test
    void saysWhereItFailedAndHowLongItWaits() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.attempting(1, 5_000));
        b.fails("poller");
        assertThat(b.state.explain("poller")).contains("a: not here: it failed there in this circuit");
        b.fails("poller");
        assertThat(b.state.explain("poller")).contains("circuit 2 of 2 begins after a pause of 5000 ms");
        b.ok(new SingletonCommand.RetryNow("poller", b.singleton("poller").version()));
        assertThat(b.state.explain("poller"))
                .contains("a: not here: this migration began there, and another candidate is up");
        b.fails("poller");
        assertThat(b.state.explain("poller")).contains("it stays deactivated until it is resumed or migrated");
    }

    @Test
    void saysWhyItDoesNotGoBack() {
        StateBench b = StateBench.of("b");
        b.define(POLLER.preferring("a"));
        b.runs("poller");
        b.up("a");
        assertThat(b.state.explain("poller")).contains("a: could have it; it is preferred, but fail-back is off");
        b.define(POLLER.preferring("a").failingBack(FailBackMode.AFTER, 60_000));
        assertThat(b.state.explain("poller"))
                .contains("a: could have it; it is preferred: it goes back once that was there for 60000 ms");
    }

    @Test
    void saysThatItWaitsForTheClusterToCome() {
        StateBench b = new StateBench();
        b.up("a");
        b.define(POLLER);
        assertThat(b.state.explain("poller")).anyMatch(l -> l.contains("initial-boot-delay"));
        assertThat(b.state.explain("poller")).contains("its lease was never held", "a: could have it");
        assertThat(b.state.explain("none")).containsExactly("there is no singleton none");
    }

    @Test
    void saysWhoCannotHaveItAtAll() {
        StateBench b = StateBench.of("a", "b");
        b.ok(new MemberCommand.Join("w", 1, "disk", "", true));
        b.define(POLLER);
        b.ok(new MemberCommand.Leave("b", 1));
        b.ok(new MemberCommand.TookOver("a", 2, false));
        assertThat(b.state.explain("poller"))
                .contains(
                        "a: here, although it has not renewed its lease since the log's leader took over",
                        "b: not here: it shuts down",
                        "w: not here: it is a witness");
        b.ok(new SingletonCommand.Pause("poller", ""));
        assertThat(b.state.explain("poller")).contains("it stays deactivated until it is resumed");
    }
}
