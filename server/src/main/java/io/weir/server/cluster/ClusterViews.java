package io.weir.server.cluster;

import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.CutOff;
import io.weir.cluster.state.deployments.Deployment;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.singletons.Checkpoint;
import io.weir.cluster.state.singletons.SingletonState;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.figures.cluster.ClusterFigures;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The cluster on the admin listener, read: {@code /cluster} and {@code /cluster/members}, {@code leases},
 * {@code singletons}, {@code timers}, {@code bindings}, {@code deployments}, {@code history}, {@code explain}. Answers what
 * this member knows, at once; only {@code /cluster/leases/current} asks the others whether that is all. Shared.
 */
public final class ClusterViews {
    /** Header field of answers while the cluster does not answer this member. */
    public static final String OUTAGE = "Weir-Outage";

    private static final int HISTORY_SHOWN = 100;
    private static final int TIME_OUT_SECONDS = 10;

    private final ClusterAccess cluster;
    private final ClusterFacts facts;

    public ClusterViews(ClusterAccess cluster, ClusterFacts facts) {
        this.cluster = cluster;
        this.facts = facts;
    }

    public void register(AdminRouter router) {
        router.get("/cluster", _ -> AdminAnswer.json(200, status() + "\n"));
        router.get(
                "/cluster/members",
                _ -> list(figures().members().stream().map(ClusterViews::member).toList()));
        router.get("/cluster/leases", _ -> leases());
        router.on("GET", "/cluster/leases/current", Where.THREAD, _ -> current());
        router.get(
                "/cluster/singletons",
                _ -> list(figures().singletons().stream()
                        .map(ClusterViews::singleton)
                        .toList()));
        router.get(
                "/cluster/timers",
                _ -> list(figures().timers().stream().map(ClusterViews::timer).toList()));
        router.get(
                "/cluster/bindings",
                _ -> list(
                        state().bindings().values().stream().map(this::binding).toList()));
        router.get(
                "/cluster/deployments",
                _ -> list(state().deployments().values().stream()
                        .map(ClusterViews::deployment)
                        .toList()));
        router.get("/cluster/deployments/progress", this::progress);
        router.get(
                "/cluster/checkpoints",
                _ -> list(state().checkpoints().values().stream()
                        .map(ClusterViews::checkpoint)
                        .toList()));
        router.get("/cluster/history", this::history);
        router.get("/cluster/explain", this::explain);
    }

    private AdminAnswer leases() {
        return list(figures().leases().stream().map(ClusterViews::lease).toList());
    }

    /** A linearizable read: the leases at some moment between the question and the answer, or no answer. */
    private AdminAnswer current() throws InterruptedException {
        try {
            cluster.barrier().get(TIME_OUT_SECONDS, TimeUnit.SECONDS);
            // the cluster has just said that this is all: also where it had not answered for a while before
            return AdminAnswer.json(
                    200,
                    JsonRow.array(facts.currentLeases().stream()
                            .map(ClusterViews::lease)
                            .toList()));
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause();
            String why = Unanswered.text(cluster, cause == null ? null : cause.getMessage());
            return AdminAnswer.problem(
                    503,
                    "Service unavailable",
                    "this member cannot find out what holds now, as without a majority (" + why
                            + "); /cluster/leases tells what it knows");
        }
    }

    private ClusterState state() {
        return cluster.now();
    }

    private ClusterFigures figures() {
        return facts.figures();
    }

    private AdminAnswer list(List<String> rows) {
        return told(AdminAnswer.json(200, JsonRow.array(rows)));
    }

    /** While the cluster does not answer this member, each answer says so: what is in it is of before, where it says no more. */
    private AdminAnswer told(AdminAnswer answer) {
        Outage outage = cluster.outage();
        return outage == null ? answer : answer.with(OUTAGE, outage.since());
    }

    private String status() {
        ClusterFigures.Totals t = figures().totals();
        Outage outage = cluster.outage();
        return new JsonRow()
                .add("cluster", t.cluster())
                .add("member", t.member())
                .add("leasing", t.leasing())
                .add("role", t.role())
                .add("leader", t.leader())
                .add("term", t.term())
                .add("applied", t.applied())
                .add("committed", t.committed())
                .add("epoch", state().epoch())
                .add("membersLive", t.live())
                .add("membersKnown", t.known())
                .add("leasesHeld", t.held())
                .add("singletons", state().singletons().size())
                .add("active", t.active())
                .add("fenceRefusals", t.fenceRefusals())
                .add("electionTimeOut", facts.elections())
                .add("waiting", waiting())
                .add("outage", outage == null ? "" : outage.text())
                .end();
    }

    private String waiting() {
        String waiting = cluster.waiting();
        return waiting.isEmpty() && state().boot().pending() ? "for members to arrive (initial-boot-delay)" : waiting;
    }

    private static String member(ClusterFigures.Member m) {
        return new JsonRow()
                .add("member", m.name())
                .add("state", m.state())
                .add("leader", m.leader())
                .add("witness", m.witness())
                .add("address", m.address())
                .add("lag", m.lag())
                .add("incarnation", m.incarnation())
                .add("here", m.self())
                .end();
    }

    private static String lease(ClusterFigures.Lease l) {
        return new JsonRow()
                .add("lease", l.name())
                .add("owner", l.owner())
                .add("fence", l.fence())
                .add("millisLeft", l.millisLeft())
                .add("estimated", l.estimated())
                .add("transitions", l.transitions())
                .end();
    }

    private static String singleton(ClusterFigures.Singleton s) {
        return new JsonRow()
                .add("singleton", s.name())
                .add("phase", s.phase())
                .add("member", s.member())
                .add("preferred", s.preferred())
                .add("fence", s.fence())
                .add("activationMicros", s.activationNanos() / 1000)
                .add("reason", s.reason())
                .end();
    }

    private static String timer(ClusterFigures.Timer t) {
        return new JsonRow()
                .add("timer", t.id())
                .add("schedule", t.schedule())
                .add("zone", t.zone())
                .add("last", t.last())
                .add("next", t.next())
                .add("firings", t.firings())
                .add("paused", t.paused())
                .add("failure", t.failure())
                .end();
    }

    private String binding(Binding b) {
        boolean known = cluster.outage() == null || (b.member().equals(cluster.self()) && facts.holds(b.lease()));
        return new JsonRow()
                .add("name", b.path())
                .add("member", known ? b.member() : CutOff.UNKNOWN)
                .add("lease", b.lease())
                .add("fence", b.fence())
                .add("value", value(b.value()))
                .end();
    }

    private static String value(BindingValue value) {
        return switch (value) {
            case BindingValue.Text t -> t.value();
            case BindingValue.Remote r ->
                r.service()
                        + r.interfaces().stream()
                                .map(BindingValue.Interface::name)
                                .collect(Collectors.joining(", ", " (", ")"));
        };
    }

    private static String checkpoint(Checkpoint c) {
        return new JsonRow()
                .add("singleton", c.singleton())
                .add("key", c.key())
                .add("text", c.text())
                .add("fence", c.fence().toString())
                .end();
    }

    private static String deployment(Deployment d) {
        return new JsonRow()
                .add("deployment", d.name())
                .add("version", d.version())
                .add("size", d.size())
                .add("members", String.join(", ", d.sources()))
                .add("sha256", d.sha256())
                .end();
    }

    /** The newest last; {@code ?n=} so many, {@code ?name=} of one thing only. */
    private AdminAnswer history(AdminRequest request) {
        String asked = request.parameter("n");
        if (asked != null && !asked.matches("[1-9]\\d{0,5}")) {
            return AdminAnswer.problem(400, "Bad request", "n is a number of lines, not " + asked);
        }
        String name = request.parameter("name");
        List<Transition> lines = state().history().stream()
                .filter(t -> name == null || t.name().equals(name))
                .toList();
        int shown = Math.min(lines.size(), asked == null ? HISTORY_SHOWN : Integer.parseInt(asked));
        return list(lines.subList(lines.size() - shown, lines.size()).stream()
                .map(ClusterViews::transition)
                .toList());
    }

    private static String transition(Transition t) {
        return new JsonRow()
                .add("entry", t.index())
                .add("time", Instant.ofEpochMilli(t.atMillis()).toString())
                .add("what", t.what().name().toLowerCase(Locale.ROOT))
                .add("name", t.name())
                .add("from", t.from())
                .add("to", t.to())
                .add("fence", t.fence())
                .add("by", t.by())
                .add("reason", t.reason())
                .end();
    }

    private AdminAnswer progress(AdminRequest request) {
        String name = request.parameter("name");
        if (name == null) {
            return AdminAnswer.problem(400, "Bad request", "the query needs name, such as name=shop");
        }
        Outage outage = cluster.outage();
        DeploymentProgress progress = DeploymentProgress.of(state(), name, outage, cluster.self());
        if (progress == null && outage != null) {
            return unknown("deployment", name, outage);
        }
        return progress == null
                ? told(AdminAnswer.problem(
                        404, "Not found", ClusterChanges.unknown("deployment", name, state().deployments())))
                : told(AdminAnswer.json(200, progress.json(name) + "\n"));
    }

    /** It may have been made since this member was answered last. */
    private AdminAnswer unknown(String kind, String name, Outage outage) {
        return told(AdminAnswer.problem(
                503,
                "Service unavailable",
                "whether there is a " + kind + " " + name + " this member cannot know now: " + outage.since()));
    }

    private AdminAnswer explain(AdminRequest request) {
        String name = request.parameter("name");
        if (name == null) {
            return AdminAnswer.problem(400, "Bad request", "the query needs name, such as name=counter");
        }
        Outage outage = cluster.outage();
        SingletonState s = state().singleton(name);
        if (!state().remembers(name) && outage != null) {
            return unknown("singleton", name, outage);
        }
        if (!state().remembers(name)) {
            return told(AdminAnswer.problem(
                    404, "Not found", ClusterChanges.unknown("singleton", name, state().singletons())));
        }
        List<String> lines = outage == null
                ? state().explain(name)
                : state().explain(
                                name,
                                new CutOff(
                                        outage.since(),
                                        cluster.self(),
                                        s == null ? CutOff.UNKNOWN : outage.phase(s, cluster.self()),
                                        facts.holds(Leases.ofSingleton(name))));
        return told(AdminAnswer.json(
                200, new JsonRow().add("singleton", name).add("lines", lines).end() + "\n"));
    }
}
