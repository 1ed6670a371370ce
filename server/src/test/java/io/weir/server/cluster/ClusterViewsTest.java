package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.cluster.deploy.DeployFault;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Deployment;
import io.weir.cluster.state.MemberState;
import io.weir.cluster.state.Refusal;
import io.weir.cluster.state.SingletonState;
import io.weir.cluster.state.TimerState;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.Routed;
import io.weir.server.monitor.Facts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ClusterViewsTest {
    private final FakeCluster cluster = new FakeCluster();
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final ClusterFacts facts = new ClusterFacts(cluster, stats);
    private final AdminRouter router = new AdminRouter();

    ClusterViewsTest() {
        new ClusterViews(cluster, facts).register(router);
        new ClusterChanges(
                        cluster,
                        new Uploads(Path.of("nowhere"), 1, 4, new SteppedClock(0), stats),
                        new SteppedClock(0),
                        log)
                .register(router);
    }

    private AdminAnswer get(String path, String... query) throws Exception {
        return Routed.ask(router, "GET", "/cluster" + path, map(query), "anonymous");
    }

    private AdminAnswer post(String path, String... query) throws Exception {
        return Routed.ask(router, "POST", "/cluster/" + path, map(query), "joe");
    }

    private List<String> lines() {
        return log.entries().stream()
                .map(e -> String.format(
                        e.message().text().replace("{}", "%s"), e.arguments().toArray()))
                .toList();
    }

    private static Map<String, String> map(String... namesAndValues) {
        Map<String, String> map = new java.util.LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    @Test
    void statusTellsOfTheMemberTheLogAndTheCounts() throws Exception {
        assertThat(get("").body())
                .isEqualTo(
                        "{\"cluster\":\"works\",\"member\":\"alpha\",\"leasing\":\"consensus\",\"role\":\"follower\","
                                + "\"leader\":\"beta\",\"term\":7,\"applied\":1200,\"committed\":1210,\"epoch\":1,"
                                + "\"membersLive\":2,\"membersKnown\":3,\"leasesHeld\":2,\"singletons\":1,\"active\":1,"
                                + "\"fenceRefusals\":5,\"waiting\":\"\",\"outage\":\"\"}\n");
    }

    @Test
    void aFenceRefusalCountsOnceWhetherTheLogOrThisMemberRefusedIt() {
        stats.counter(ClusterStats.FENCE_REFUSED, "bind", "log").inc();
        assertThat(facts.figures().totals().fenceRefusals())
                .as("the state has it")
                .isEqualTo(5);
        stats.counter(ClusterStats.FENCE_REFUSED, "bind", "member").inc();
        assertThat(facts.figures().totals().fenceRefusals()).isEqualTo(6);
    }

    @Test
    void membersAreLiveLeavingOrGone() throws Exception {
        assertThat(get("/members").body().lines())
                .satisfiesExactly(
                        alpha -> assertThat(alpha).contains("\"alpha\",\"state\":\"live\"", "\"here\":true"),
                        beta -> assertThat(beta).contains("\"beta\",\"state\":\"leaving\",\"leader\":true"),
                        gamma -> assertThat(gamma)
                                .contains("\"gamma\",\"state\":\"gone\"", "\"witness\":true", "\"lag\":812"));
    }

    @Test
    void withoutAnAnswerOfTheClusterOnlyWhatIsKnownIsSaid() throws Exception {
        assertThat(get("").body()).contains("\"membersLive\":2", "\"active\":1", "\"outage\":\"\"");
        cluster.outage = new Outage("no majority", 3_661_500, List.of("counter"));
        assertThat(get("").body())
                .contains("\"outage\":\"no majority since 1970-01-01T01:01:01Z; stopped here: counter\"")
                .contains("\"membersLive\":1", "\"active\":0");
        assertThat(get("/members").body())
                .contains("\"alpha\",\"state\":\"cut-off\"", "\"beta\",\"state\":\"unknown\"");
        assertThat(get("/singletons").body())
                .contains("\"phase\":\"stopped\"", "no majority; before that: the lease of gamma expired");
        assertThat(facts.checks()).singleElement().satisfies(c -> {
            assertThat(c.health()).as("a proxy goes on without a majority").isEqualTo(Facts.Health.WARNING);
            assertThat(c.detail()).startsWith("no majority since 1970-01-01T01:01:01Z; stopped here: counter");
        });
        cluster.outage = new Outage("database away", 0, List.of());
        assertThat(get("/singletons").body()).as("it still runs").contains("\"phase\":\"active\"");
        assertThat(facts.checks().getFirst().detail()).isEqualTo("database away since 1970-01-01T00:00:00Z");
    }

    @Test
    void leasesSayHowLongAndWhetherThatIsAGuess() throws Exception {
        assertThat(get("/leases").body())
                .contains("{\"lease\":\"member/alpha\",\"owner\":\"alpha\",\"fence\":\"1.17\",\"millisLeft\":6500,"
                        + "\"estimated\":false,")
                .contains(
                        "\"member/beta\",\"owner\":\"beta\",\"fence\":\"1.18\",\"millisLeft\":8200,\"estimated\":true,")
                .contains("\"singleton/counter\",\"owner\":\"alpha\",\"fence\":\"1.1100\",\"millisLeft\":0,")
                .doesNotContain("member/gamma");
    }

    @Test
    void currentLeasesAreToldOnlyByAMemberThatCanKnow() throws Exception {
        assertThat(get("/leases/current").body()).isEqualTo(get("/leases").body());
        cluster.barrier =
                CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader answers"));
        AdminAnswer answer = get("/leases/current");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("majority (no leader answers)").doesNotContain("singleton/counter");
    }

    @Test
    void singletonsTimersNamesAndDeploymentsAreListed() throws Exception {
        assertThat(get("/singletons").body())
                .contains("\"phase\":\"active\",\"member\":\"alpha\",\"preferred\":\"gamma\",\"fence\":\"1.1100\"");
        assertThat(get("/timers").body())
                .contains("\"last\":\"1970-01-01T03:00:00Z\",\"next\":\"1970-01-02T03:00:00Z\",\"firings\":12");
        assertThat(get("/bindings").body()).contains("\"app/counter\"", "counter (acme.Counting)");
        assertThat(get("/deployments").body()).contains("\"shop\",\"version\":900,\"size\":4096");
        assertThat(get("/checkpoints").body()).contains("\"counter\",\"key\":\"last\",\"text\":\"file-17\"");
    }

    @Test
    void historyIsOfEverythingOrOfOneThingAndBounded() throws Exception {
        assertThat(get("/history").body().lines()).hasSize(2);
        assertThat(get("/history", "name", "counter").body())
                .isEqualTo("[{\"entry\":1100,\"time\":\"1970-01-01T00:00:01Z\",\"what\":\"singleton\","
                        + "\"name\":\"counter\",\"from\":\"gamma\",\"to\":\"alpha\",\"fence\":\"1.1100\","
                        + "\"by\":\"member:beta\",\"reason\":\"the lease of gamma expired\"}]\n");
        assertThat(get("/history", "n", "1").body()).contains("counter").doesNotContain("shop");
        assertThat(get("/history", "n", "all").status()).isEqualTo(400);
    }

    @Test
    void anExplanationIsOfASingletonThatIsThere() throws Exception {
        assertThat(get("/explain", "name", "counter").body()).startsWith("{\"singleton\":\"counter\",\"lines\":[");
        assertThat(get("/explain").status()).isEqualTo(400);
        AdminAnswer none = get("/explain", "name", "countr");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.body())
                .contains("there is no singleton \\\"countr\\\"; did you mean \\\"counter\\\"? Known: counter");
    }

    @Test
    void aMoveGoesThroughTheLogInTheOperatorsNameAndLeavesALine() throws Exception {
        assertThat(post("migrate", "name", "counter", "to", "beta", "reason", "maintenance")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.asked).containsExactly("joe Migrate[name=counter, to=beta, reason=maintenance]");
        assertThat(lines())
                .containsExactly(
                        "joe from 127.0.0.1 asked the cluster for migrate to beta of counter (maintenance): done");
    }

    @Test
    void singletonsAndTimersArePausedResumedAndForgotten() throws Exception {
        for (String what : new String[] {"pause", "resume", "forget"}) {
            assertThat(post(what, "name", "counter").body()).contains("\"outcome\":\"done\"");
            assertThat(post("timers/" + what, "id", "night").status()).isEqualTo(200);
        }
        assertThat(post("timers/fire", "id", "night").status()).isEqualTo(200);
        assertThat(cluster.asked)
                .extracting(a -> a.substring(0, a.indexOf('[')))
                .containsExactly(
                        "joe Pause",
                        "joe PauseTimer",
                        "joe Resume",
                        "joe ResumeTimer",
                        "joe Forget",
                        "joe ForgetTimer",
                        "joe FireNow");
        assertThat(lines()).hasSize(7).first().asString().contains("no reason given");
    }

    @Test
    void whatIsUnknownIsRefusedBeforeItReachesTheLog() throws Exception {
        assertThat(post("migrate").status()).isEqualTo(400);
        assertThat(post("timers/pause").status()).isEqualTo(400);
        assertThat(post("migrate", "name", "none").body()).contains("there is no singleton");
        assertThat(post("migrate", "name", "counter", "to", "gama").body())
                .contains("there is no member \\\"gama\\\"; did you mean \\\"gamma\\\"?");
        assertThat(post("timers/fire", "id", "day").body()).contains("there is no timer \\\"day\\\"");
        assertThat(cluster.asked).isEmpty();
    }

    @Test
    void aRefusalOfTheClusterIsToldAndAudited() throws Exception {
        cluster.answer =
                CompletableFuture.completedFuture(new Answer.Refused(Refusal.NOT_CANDIDATE, "beta is no candidate"));
        AdminAnswer refused = post("migrate", "name", "counter", "to", "beta");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body()).contains("beta is no candidate");
        assertThat(lines().getLast()).endsWith("refused: beta is no candidate");
    }

    @Test
    void aLogThatTakesNothingAndOneThatIsSilentAreToldApart() throws Exception {
        cluster.answer = CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader"));
        AdminAnswer none = post("pause", "name", "counter");
        assertThat(none.status()).isEqualTo(503);
        assertThat(none.body()).contains("nothing was changed").contains("no leader");
        cluster.answer = CompletableFuture.failedFuture(new LogFault(LogFault.Kind.UNKNOWN, "timed out"));
        assertThat(post("pause", "name", "counter").body()).contains("unknown").contains("timed out");
        assertThat(lines()).hasSize(2).allSatisfy(l -> assertThat(l).contains("failed: "));
    }

    private static ClusterState without(ClusterState s) {
        SortedMap<String, SingletonState> none = new TreeMap<>();
        SortedMap<String, TimerState> noTimers = new TreeMap<>();
        SortedMap<String, Deployment> noDeployments = new TreeMap<>();
        SortedMap<String, MemberState> members = new TreeMap<>(s.members());
        members.remove("gamma");
        return new ClusterState(
                s.applied(),
                s.epoch(),
                s.tookOver(),
                s.boot(),
                s.fenceRefusals(),
                members,
                s.leases(),
                none,
                s.bindings(),
                noTimers,
                noDeployments,
                s.checkpoints(),
                s.configurations(),
                s.history());
    }

    @Test
    void aRemovalThatWasCommittedAfterItWasGivenUpIsReportedAsDone() throws Exception {
        LogFault late = new LogFault(LogFault.Kind.UNKNOWN, "no answer within 5000 ms");
        cluster.answer = CompletableFuture.failedFuture(late);
        cluster.deployed = CompletableFuture.failedFuture(new DeployFault("the cluster could not be told", late));
        for (String[] removal : new String[][] {
            {"forget", "name", "counter"},
            {"timers/forget", "id", "night"},
            {"undeploy", "name", "shop"},
            {"remove", "member", "gamma"}
        }) {
            cluster.asked.clear();
            // a member's vote is taken away first, which does not count as asking here
            cluster.changed = s -> cluster.asked.stream().noneMatch(a -> a.startsWith("joe ")) ? s : without(s);
            AdminAnswer answer = post(removal[0], removal[1], removal[2]);
            assertThat(answer.status()).as(removal[0] + answer.body()).isEqualTo(200);
            assertThat(lines().getLast()).endsWith(", later than it was waited for");
            cluster.asked.clear();
            cluster.changed = s -> s;
            assertThat(post(removal[0], removal[1], removal[2]).status())
                    .as("what is still there was not removed")
                    .isEqualTo(503);
        }
    }

    @Test
    void membersAreAddedReplacedAndRemovedOnceTheyAreStopped() throws Exception {
        assertThat(post("add").status()).isEqualTo(400);
        assertThat(post("remove").status()).isEqualTo(400);
        assertThat(post("replace", "member", "gamma").status()).isEqualTo(400);
        assertThat(post("add", "address", "10.0.0.4:7001").body()).contains("add was done");
        assertThat(post("remove", "member", "beta").body()).contains("beta is alive: stop it first");
        assertThat(post("remove", "member", "gamma").status()).isEqualTo(200);
        assertThat(post("replace", "member", "gamma", "address", "10.0.0.5:7001")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.asked)
                .containsExactly(
                        "add  10.0.0.4:7001",
                        "remove gamma ",
                        "joe Remove[member=gamma, reason=]",
                        "replace gamma 10.0.0.5:7001",
                        "joe Remove[member=gamma, reason=]");
    }

    @Test
    void archivesAreDeployedFromTheMachinesFilesAndARefusalIsTold() throws Exception {
        assertThat(post("deploy", "name", "shop").body()).contains("the query needs upload");
        assertThat(post("undeploy").body()).contains("the query needs name");
        assertThat(post("deploy", "name", "shop", "file", "/tmp/shop.jar").body())
                .contains("\"outcome\":\"shop deployed\"");
        assertThat(post("undeploy", "name", "shop").status()).isEqualTo(200);
        AdminAnswer broken = post("redeploy", "name", "broken", "file", "/tmp/b.jar", "reason", "new");
        assertThat(broken.status()).isEqualTo(422);
        assertThat(broken.body()).contains("no singleton is in it");
        assertThat(cluster.asked)
                .containsExactly(
                        "joe deploy shop /tmp/shop.jar ", "joe undeploy shop  ", "joe redeploy broken /tmp/b.jar new");
        assertThat(lines().getLast()).endsWith("for redeploy of broken (new): refused: no singleton is in it");
    }

    @Test
    void gaugesTellOfMembersLeaderAndLag() {
        facts.refresh();
        assertThat(stats.value(ClusterStats.MEMBERS, "live")).isEqualTo(2);
        assertThat(stats.value(ClusterStats.MEMBERS, "gone")).isEqualTo(1);
        assertThat(stats.value(ClusterStats.LEADING)).isZero();
        assertThat(stats.value(ClusterStats.LEADER_KNOWN)).isEqualTo(1);
        assertThat(stats.value(ClusterStats.TERM)).isEqualTo(7);
        assertThat(stats.value(ClusterStats.APPLIED)).isEqualTo(1200);
        assertThat(stats.value(ClusterStats.BINDINGS)).isEqualTo(1);
        assertThat(stats.value(ClusterStats.LAG, "gamma")).isEqualTo(812);
    }

    @Test
    void healthTellsOfTheLeaderAndOfWhatIsWaitedForAndIsReadyEitherWay() {
        assertThat(facts.checks()).singleElement().satisfies(c -> {
            assertThat(c.healthy()).isTrue();
            assertThat(c.detail()).isEqualTo("beta leads, term 7, entry 1200");
        });
        cluster.waiting = "waits for beta";
        assertThat(facts.checks()).singleElement().satisfies(c -> {
            assertThat(c.healthy()).isTrue();
            assertThat(c.detail()).isEqualTo("waits for beta");
        });
    }
}
