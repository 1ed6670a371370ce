package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.cluster.deploy.DeployFault;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.members.MembershipFault;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.cluster.state.timers.TimerState;
import io.weir.cluster.stats.ClusterStats;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.Routed;
import io.weir.server.monitor.source.Facts;
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
                                + "\"fenceRefusals\":5,\"electionTimeOut\":\"\",\"waiting\":\"\",\"outage\":\"\"}\n");
    }

    @Test
    void statusTellsHowLongTheLeaderIsWaitedForAndWhy() throws Exception {
        stats.gauge(ClusterStats.ELECTION_TIME_OUT_USUAL, () -> 500);
        stats.gauge(ClusterStats.ELECTION_TIME_OUT, () -> 500);
        assertThat(get("").body()).contains("\"electionTimeOut\":\"500 ms\"");
        stats.gauge(ClusterStats.ELECTION_TIME_OUT, () -> 1300);
        stats.gauge(ClusterStats.STARVED, () -> 200);
        assertThat(get("").body()).contains("1300 ms instead of 500: this process is scheduled up to 200 ms late");
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
        cluster.outage = new Outage("no majority", 3_661_500, List.of("counter"), Map.of());
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
        cluster.outage = new Outage("database away", 0, List.of(), Map.of("counter", "active"));
        assertThat(get("/singletons").body()).as("it still runs").contains("\"phase\":\"active\"");
        assertThat(facts.checks().getFirst().detail()).isEqualTo("database away since 1970-01-01T00:00:00Z");
    }

    /** What was is not told as what is: another member may have it by now. */
    @Test
    void anExplanationWithoutAnAnswerOfTheClusterTellsWhatWasAsWhatWas() throws Exception {
        cluster.outage = new Outage("no majority", 3_661_500, List.of("counter"), Map.of());
        AdminAnswer answer = get("/explain", "name", "counter");
        assertThat(answer.body())
                .contains(
                        "no majority since 1970-01-01T01:01:01Z: later decisions of the cluster are unknown on alpha",
                        "\"counter is stopped on alpha; before that it was active on alpha since entry 1101: ",
                        "\"the holder of its lease is unknown; before that it was alpha, and the last fence was 1.1100\"",
                        "\"alpha: cut off, stopped here\"",
                        "\"beta: unknown\"",
                        "\"gamma: unknown\"")
                .doesNotContain("is held by", "\"counter is active", ": here", "could have it");
        assertThat(answer.fields())
                .contains(new AdminAnswer.Field("Weir-Outage", "no majority since 1970-01-01T01:01:01Z"));
        cluster.held = Map.of("member/alpha", 5L, "singleton/counter", 5L);
        cluster.outage = new Outage("no majority", 0, List.of(), Map.of("counter", "deactivating"));
        assertThat(get("/explain", "name", "counter").body())
                .contains("counter is deactivating on alpha", "its lease is held by alpha until it ends");
        cluster.changed = FakeCluster::elsewhere;
        assertThat(get("/explain", "name", "counter").body())
                .contains(
                        "the location of counter is unknown; before that it was active on beta", "\"alpha: cut off\"");
        cluster.changed = ClusterViewsTest::without;
        assertThat(get("/explain", "name", "counter").body())
                .contains("before that there was no singleton counter")
                .doesNotContain("is held by");
    }

    @Test
    void eachViewWithoutAnAnswerOfTheClusterSaysOnlyWhatIsKnown() throws Exception {
        cluster.outage = new Outage("no majority", 3_661_500, List.of("counter"), Map.of());
        String names = "members leases singletons timers bindings deployments checkpoints purges history";
        for (String name : names.split(" ", -1)) {
            String view = "/" + name;
            assertThat(get(view).fields())
                    .as(view)
                    .containsExactly(new AdminAnswer.Field("Weir-Outage", "no majority since 1970-01-01T01:01:01Z"));
        }
        assertThat(get("/members").body())
                .as("who was gone may be back")
                .contains("\"gamma\",\"state\":\"unknown\"")
                .doesNotContain("gone");
        assertThat(get("/leases").body())
                .contains("\"member/alpha\",\"owner\":\"alpha\",\"fence\":\"1.17\",\"millisLeft\":6500")
                .contains("\"member/beta\",\"owner\":\"unknown\",\"fence\":\"\",\"millisLeft\":-1,\"estimated\":false")
                .contains("\"singleton/counter\",\"owner\":\"unknown\"");
        assertThat(get("/bindings").body()).contains("\"member\":\"unknown\"").doesNotContain("alpha");
        assertThat(get("/timers").body()).contains("\"next\":\"unknown\"");
        cluster.held = Map.of();
        assertThat(get("").body()).contains("\"membersLive\":0");
        cluster.outage = null;
        assertThat(get("/members").fields()).isEmpty();
    }

    /** What is placed nowhere, or elsewhere, may be anywhere by now. */
    @Test
    void whatWasNotHereIsUnknownWithoutAnAnswerOfTheCluster() throws Exception {
        cluster.outage = new Outage("no majority", 0, List.of(), Map.of());
        cluster.changed = FakeCluster::elsewhere;
        assertThat(get("/singletons").body()).contains("\"phase\":\"unknown\"", "\"fence\":\"\"");
        cluster.changed = FakeCluster::paused;
        assertThat(get("/singletons").body()).contains("\"phase\":\"unknown\"");
        assertThat(get("/deployments/progress", "name", "shop").body())
                .contains(
                        "\"pending\":[\"counter is unknown: no majority since 1970-01-01T00:00:00Z\"],\"failed\":[],\"settled\":[]");
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
        String all = get("/leases/current").body();
        assertThat(all).isEqualTo(get("/leases").body()).contains("\"owner\":\"alpha\"");
        cluster.outage = new Outage("no majority", 0, List.of(), Map.of());
        assertThat(get("/leases").body()).isNotEqualTo(all);
        assertThat(get("/leases/current").body()).as("it was asked just now").isEqualTo(all);
        cluster.outage = null;
        cluster.barrier =
                CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader answers"));
        AdminAnswer answer = get("/leases/current");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("majority (no leader answers)").doesNotContain("singleton/counter");
        // as the log words it when its library fails
        String foreign = "no answer within 5000 ms; beta: org.apache.ratis.protocol.exceptions.ReadException: leader"
                + " is not ready\n\tat java.base/java.lang.Thread.run";
        cluster.barrier = CompletableFuture.failedFuture(new LogFault(LogFault.Kind.UNKNOWN, foreign));
        assertThat(get("/leases/current").body())
                .contains("(no answer within 5000 ms; beta leads the log and did not answer)")
                .doesNotContain("apache", "java");
        cluster.answer = CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, foreign));
        cluster.outage = new Outage("no majority", 0, List.of(), Map.of());
        assertThat(post("pause", "name", "counter").body())
                .contains("no answer within 5000 ms; no majority since 1970-01-01T00:00:00Z")
                .doesNotContain("apache", "java");
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
        cluster.outage = new Outage("no majority", 0, List.of(), Map.of());
        assertThat(get("/explain", "name", "countr").status()).isEqualTo(503);
    }

    @Test
    void aMoveGoesThroughTheLogInTheOperatorsNameAndLeavesALine() throws Exception {
        assertThat(post("migrate", "name", "counter", "to", "beta", "reason", "maintenance")
                        .status())
                .isEqualTo(200);
        assertThat(cluster.asked).containsExactly("joe Migrate[name=counter, to=beta, reason=maintenance, holds=true]");
        assertThat(post("migrate", "name", "counter", "to", "beta").body())
                .isEqualTo("{\"what\":\"migrate\",\"name\":\"counter\",\"to\":\"beta\",\"outcome\":\"done\"}\n");
        assertThat(lines())
                .first()
                .isEqualTo(
                        "joe from 127.0.0.1 requested migrate to beta of counter in the cluster (maintenance): done");
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
    void whatThisMemberDoesNotKnowMayBeThereWhileTheClusterDoesNotAnswer() throws Exception {
        cluster.barrier =
                CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader answers"));
        AdminAnswer unknown = post("migrate", "name", "none");
        assertThat(unknown.status()).isEqualTo(503);
        assertThat(unknown.body()).contains("nothing was changed", "no leader answers");
        assertThat(post("timers/fire", "id", "day").status()).isEqualTo(503);
        assertThat(post("undeploy", "name", "shop").status()).isEqualTo(503);
        assertThat(cluster.asked).isEmpty();
        assertThat(lines().getLast()).contains("failed: nothing was changed");
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
                s.purges(),
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
            assertThat(lines().getLast()).endsWith(", after the time-out of the request");
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
    void aChangeOfMembersThatIsRefusedIsNotAServiceThatIsAway() throws Exception {
        cluster.membership = new MembershipFault("no member is called delta; there are alpha, beta", true);
        for (String[] change : new String[][] {
            {"add", "address", "foo"},
            {"remove", "member", "delta"},
            {"replace", "member", "delta", "address", "10.0.0.4:7001"}
        }) {
            AdminAnswer answer =
                    post(change[0], List.of(change).subList(1, change.length).toArray(String[]::new));
            assertThat(answer.status()).as(change[0]).isEqualTo(422);
            assertThat(answer.body()).contains("no member is called delta");
            assertThat(lines().getLast()).contains("refused: no member is called delta");
        }
        cluster.membership = new MembershipFault("no leader is known here", false);
        assertThat(post("add", "address", "10.0.0.4:7001").status()).isEqualTo(503);
        assertThat(lines().getLast()).endsWith("failed: no leader is known here");
    }

    @Test
    void howLongUntilTheNextAttemptIsToldAsItIs() {
        ClusterState waiting = FakeCluster.with(cluster.now(), FakeCluster.waiting(500));
        DeploymentProgress progress = DeploymentProgress.of(waiting, "shop", null, "alpha");
        assertThat(progress)
                .isNotNull()
                .satisfies(p -> assertThat(p.failed())
                        .containsExactly("counter is waiting: no luck; it is tried again in 500ms"));
        assertThat(DeploymentProgress.of(
                        FakeCluster.with(cluster.now(), FakeCluster.waiting(300_000)), "shop", null, "alpha"))
                .isNotNull()
                .satisfies(p -> assertThat(p.failed().getFirst()).endsWith("tried again in 5m"));
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
        assertThat(lines().getLast())
                .endsWith("redeploy of broken in the cluster (new): refused: no singleton is in it");
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
            assertThat(c.health()).as("a proxy goes on").isEqualTo(Facts.Health.WARNING);
            assertThat(c.detail()).isEqualTo("waiting: waits for beta");
        });
    }
}
