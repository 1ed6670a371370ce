package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** DeploymentRules and their singletons. */
class DeploymentTest {
    private static final SingletonSpec ONE = SingletonSpec.of("one", "X").deployedBy("app");
    private static final SingletonSpec TWO = SingletonSpec.of("two", "X").deployedBy("app");

    private static DeploymentCommand.Deploy deploy(String sha256, SingletonSpec... singletons) {
        return new DeploymentCommand.Deploy("app", sha256, 10, "a", List.of(singletons));
    }

    private static Deployment app(StateBench b) {
        return Objects.requireNonNull(b.state.deployments().get("app"));
    }

    @Test
    void deployingDefinesItsSingletons() {
        StateBench b = StateBench.of("a", "b");
        b.ok(deploy("aa", ONE, TWO));
        assertThat(b.where("one")).isEqualTo("placed on a");
        assertThat(b.where("two")).isEqualTo("placed on b");
        assertThat(app(b).version()).isEqualTo(b.state.applied());
        assertThat(app(b).sources()).containsExactly("a");
    }

    @Test
    void redeployingActivatesTheNewVersionWhereTheOldOneIs() {
        StateBench b = StateBench.of("a", "b");
        b.ok(deploy("aa", ONE, TWO));
        b.runs("two");
        Fence old = b.runs("one");
        b.ok(deploy("bb", ONE));
        assertThat(b.where("one")).isEqualTo("placed on a");
        assertThat(b.singleton("one").runsOn("a", old)).isFalse();
        assertThat(b.state.singleton("two")).isNull();
        b.releases("one");
        assertThat(b.runs("one")).isGreaterThan(old);
    }

    @Test
    void theSameAgainChangesNothingButItsSources() {
        StateBench b = StateBench.of("a", "b");
        b.ok(deploy("aa", ONE));
        b.runs("one");
        long version = app(b).version();
        int lines = b.state.history().size();
        b.ok(deploy("aa", ONE));
        assertThat(b.where("one")).isEqualTo("active on a");
        assertThat(b.state.history()).hasSize(lines);
        b.ok(new DeploymentCommand.Deploy("app", "aa", 10, "a", List.of(ONE), "to be sure"));
        assertThat(b.where("one")).isEqualTo("active on a");
        assertThat(b.state.history()).hasSize(lines + 1).last().satisfies(t -> {
            assertThat(t.reason()).isEqualTo("deployed again, nothing changed: to be sure");
            assertThat(t.to()).isEqualTo("version " + version);
        });
        b.ok(new DeploymentCommand.Fetched("app", version, "b"));
        assertThat(app(b).version()).isEqualTo(version);
        assertThat(app(b).sources()).containsExactly("a", "b");
        b.refused(new DeploymentCommand.Fetched("app", version - 1, "b"), Refusal.CHANGED);
        b.refused(new DeploymentCommand.Fetched("app", version, "z"), Refusal.UNKNOWN_NAME);
        b.refused(new DeploymentCommand.Fetched("none", version, "b"), Refusal.UNKNOWN_NAME);
        b.expire("member/b");
        b.ok(new MemberCommand.Remove("b"));
        assertThat(app(b).sources()).containsExactly("a");
    }

    @Test
    void anOperatorsPauseSurvivesARedeployment() {
        StateBench b = StateBench.of("a");
        b.ok(deploy("aa", ONE));
        b.ok(new SingletonCommand.Pause("one", ""));
        b.ok(deploy("bb", ONE));
        assertThat(b.where("one")).isEqualTo("paused");
        b.ok(deploy("cc", ONE.attempting(1, 1)));
        assertThat(b.where("one")).isEqualTo("paused");
    }

    @Test
    void aFailedOneIsTriedAgainWithTheNewVersion() {
        StateBench b = StateBench.of("a");
        b.ok(deploy("aa", ONE.attempting(0, 1)));
        b.fails("one");
        assertThat(b.where("one")).isEqualTo("failed");
        b.ok(deploy("bb", ONE.attempting(0, 1)));
        assertThat(b.where("one")).isEqualTo("placed on a");
    }

    @Test
    void undeployingTakesItsSingletonsAway() {
        StateBench b = StateBench.of("a");
        b.ok(deploy("aa", ONE));
        b.ok(new DeploymentCommand.Undeploy("app"));
        b.ok(new DeploymentCommand.Undeploy("app"));
        assertThat(b.state.singletons()).isEmpty();
        assertThat(b.state.deployments()).isEmpty();
    }

    @Test
    void namesOfOthersAreNotTaken() {
        StateBench b = StateBench.of("a");
        b.define(SingletonSpec.of("one", "Y"));
        b.refused(deploy("aa", ONE), Refusal.NAME_TAKEN);
        b.ok(deploy("aa", TWO));
        b.refused(new SingletonCommand.Define(SingletonSpec.of("two", "Y")), Refusal.NAME_TAKEN);
        b.refused(
                new DeploymentCommand.Deploy("other", "aa", 10, "a", List.of(TWO.deployedBy("other"))),
                Refusal.NAME_TAKEN);
        b.refused(deploy("bb", TWO, TWO), Refusal.MALFORMED);
        b.refused(deploy("bb", SingletonSpec.of("three", "X")), Refusal.MALFORMED);
    }

    @Test
    void aConfiguredOneOfTheSameClassBecomesTheDeployments() {
        StateBench b = StateBench.of("a", "b");
        b.define(SingletonSpec.of("one", "X"));
        Fence old = b.runs("one");
        b.ok(deploy("aa", ONE.preferring("b")));
        assertThat(b.singleton("one").spec()).isEqualTo(ONE.preferring("b"));
        assertThat(b.singleton("one").runsOn("a", old)).isFalse();
        b.ok(new DeploymentCommand.Undeploy("app"));
        assertThat(b.state.singletons()).isEmpty();
    }

    @Test
    void whatIsPausedStaysSoWhenADeploymentTakesItOver() {
        StateBench b = StateBench.of("a");
        b.define(SingletonSpec.of("one", "X"));
        b.ok(new SingletonCommand.Pause("one", ""));
        b.ok(deploy("aa", ONE));
        assertThat(b.where("one")).isEqualTo("paused");
        assertThat(b.singleton("one").spec().deployment()).isEqualTo("app");
    }

    @Test
    void aMemberThatStartsLaterDoesNotRedefineADeployedOne() {
        StateBench b = StateBench.of("a", "b");
        b.ok(deploy("aa", ONE));
        b.runs("one");
        b.ok(new SingletonCommand.Define(SingletonSpec.of("one", "X").preferring("b")));
        assertThat(b.where("one")).isEqualTo("active on a");
        assertThat(b.singleton("one").spec()).isEqualTo(ONE);
    }

    @Test
    void theTimersServiceIsNoDeployments() {
        StateBench b = StateBench.of("a");
        b.define(SingletonSpec.of(Leases.TIMERS_SERVICE, "X"));
        b.refused(deploy("aa", SingletonSpec.of(Leases.TIMERS_SERVICE, "X").deployedBy("app")), Refusal.NAME_TAKEN);
    }

    @Test
    void fiveHundredAreTheMost() {
        StateBench b = StateBench.of("a");
        for (int i = 0; i < StateLimits.DEPLOYMENTS; i++) {
            b.ok(new DeploymentCommand.Deploy("d" + i, "aa", 1, "a", List.of()));
        }
        b.refused(deploy("aa"), Refusal.LIMIT);
    }
}
