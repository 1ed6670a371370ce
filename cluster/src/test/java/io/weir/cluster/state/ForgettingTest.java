package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.deployments.DeploymentCommand;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators may have forgotten, and what the cluster knows of it afterwards. */
class ForgettingTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    private final StateBench b = StateBench.of("a", "b", "c");

    private static SingletonCommand.Forget forget(String why) {
        return new SingletonCommand.Forget("poller", why);
    }

    private void allSay(List<String> singletons) {
        for (String m : List.of("a", "b", "c")) {
            b.configures(m, singletons, List.of());
        }
    }

    @Test
    void whatTheConfigurationOfAMemberThatIsAliveHasStays() {
        b.define(POLLER);
        b.runs("poller");
        allSay(List.of());
        b.configures("b", List.of("other", "poller"), List.of());
        assertThat(b.refused(forget("tidy"), Refusal.CONFIGURED)).contains("the configuration of b has poller");
        assertThat(b.where("poller")).isEqualTo("active on a");
        b.dies("b");
        b.ok(forget("tidy"));
        assertThat(b.state.singleton("poller")).isNull();
    }

    @Test
    void aMemberThatDidNotSayYetMayHaveIt() {
        b.define(POLLER);
        allSay(List.of());
        b.dies("c");
        b.join("c");
        b.alive("c");
        assertThat(b.refused(forget(""), Refusal.BUSY)).contains("c has not reported");
        b.refused(
                new MemberCommand.Configures(
                        "c", b.incarnation("c") - 1, new java.util.TreeSet<>(), new java.util.TreeSet<>()),
                Refusal.STALE_INCARNATION);
        b.refused(forget(""), Refusal.BUSY);
        b.configures("c", List.of(), List.of());
        b.ok(forget(""));
    }

    @Test
    void whatADeploymentHasStays() {
        b.ok(new DeploymentCommand.Deploy("app", "ab", 10, "a", List.of(POLLER.deployedBy("app"))));
        allSay(List.of());
        assertThat(b.refused(forget("tidy"), Refusal.CONFIGURED)).contains("the deployment app has poller: undeploy");
        b.refused(new SingletonCommand.Forget("none", ""), Refusal.UNKNOWN_NAME);
    }

    @Test
    void theReasonIsKeptAndTheHistorySaysWhatBecameOfIt() {
        b.define(POLLER);
        b.runs("poller");
        allSay(List.of());
        b.ok(forget("moved to the other site"));
        assertThat(b.state.explain("poller"))
                .contains("there is no singleton poller")
                .anyMatch(l -> l.contains("its lease is held by a with fence") && l.contains("must deactivate"))
                .anyMatch(l -> l.contains("by tester (active on a): forgotten: moved to the other site"));
        assertThat(b.state.remembers("poller")).isTrue();
        b.releases("poller");
        assertThat(b.state.explain("poller"))
                .anyMatch(l -> l.contains("it does not run: its lease is free"))
                .anyMatch(l -> l.contains("forgotten: moved to the other site"))
                .anyMatch(l -> l.contains("(was on a): gone: its lease was released"));
        assertThat(b.state.history().getLast())
                .satisfies(t -> assertThat(t.name()).isEqualTo("poller"))
                .satisfies(t -> assertThat(t.from()).isEqualTo("was on a"));
        assertThat(b.state.explain("never")).containsExactly("there is no singleton never");
        assertThat(b.state.remembers("never")).isFalse();
    }

    @Test
    void otherRemovalsKeepTheirReasons() {
        b.ok(new DeploymentCommand.Deploy("app", "ab", 10, "a", List.of(POLLER.deployedBy("app")), "order 7"));
        assertThat(b.state.history()).anyMatch(t -> t.reason().endsWith("deployed, ab: order 7"));
        b.ok(new DeploymentCommand.Undeploy("app", "no more"));
        assertThat(b.state.history().getLast().reason()).isEqualTo("undeployed: no more");
        assertThat(b.state.explain("poller")).anyMatch(l -> l.contains("app was undeployed: no more"));
        b.configures("c", List.of(), List.of());
        b.dies("c");
        b.ok(new MemberCommand.Remove("c", "sold"));
        assertThat(b.state.history().getLast().reason()).isEqualTo("an operator removed it: sold");
        assertThat(b.state.configurations()).doesNotContainKey("c");
    }
}
