package io.weir.server.cluster;

import io.weir.base.Fence;
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
import io.weir.server.json.Json;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The cluster on the admin listener, read: {@code /cluster} and {@code /cluster/members}, {@code leases}, {@code
 * singletons}, {@code timers}, {@code bindings}, {@code deployments}, {@code history}, {@code explain}. Answers at once
 * with what this member knows; only {@code /cluster/leases/current} verifies with the others that it is current.
 * Shared.
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
        router.get("/cluster", _ -> AdminAnswer.json(200, this::status));
        router.get("/cluster/members", _ -> list(figures().members(), ClusterViews::member));
        router.get("/cluster/leases", _ -> leases());
        router.on("GET", "/cluster/leases/current", Where.THREAD, _ -> current());
        router.get("/cluster/singletons", _ -> list(figures().singletons(), ClusterViews::singleton));
        router.get("/cluster/timers", _ -> list(figures().timers(), ClusterViews::timer));
        router.get("/cluster/bindings", _ -> list(state().bindings().values(), this::binding));
        router.get("/cluster/deployments", _ -> list(state().deployments().values(), ClusterViews::deployment));
        router.get("/cluster/deployments/progress", this::progress);
        router.get("/cluster/checkpoints", _ -> list(state().checkpoints().values(), ClusterViews::checkpoint));
        router.get("/cluster/purges", _ -> purges());
        router.get("/cluster/history", this::history);
        router.get("/cluster/explain", this::explain);
    }

    private AdminAnswer leases() {
        return list(figures().leases(), ClusterViews::lease);
    }

    /** A linearizable read: the leases at some moment between request and answer, or an error. */
    private AdminAnswer current() throws InterruptedException {
        try {
            cluster.barrier().get(TIME_OUT_SECONDS, TimeUnit.SECONDS);
            // the cluster has just confirmed that this is current, even if it had not answered for a while before
            return AdminAnswer.json(200, Json.rows(facts.currentLeases(), ClusterViews::lease));
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause();
            String why = Unanswered.text(cluster, cause == null ? null : cause.getMessage());
            return AdminAnswer.problem(
                    503,
                    "Service unavailable",
                    "this member cannot verify the current leases, as without a majority (" + why
                            + "); /cluster/leases tells what it knows");
        }
    }

    private ClusterState state() {
        return cluster.now();
    }

    private ClusterFigures figures() {
        return facts.figures();
    }

    private <T> AdminAnswer list(Collection<T> items, BiConsumer<T, Json> row) {
        return marked(AdminAnswer.json(200, Json.rows(items, row)));
    }

    /** Marks answers as possibly stale while the cluster does not answer this member. */
    private AdminAnswer marked(AdminAnswer answer) {
        Outage outage = cluster.outage();
        return outage == null ? answer : answer.with(OUTAGE, outage.since());
    }

    private void status(Json to) {
        ClusterFigures.Totals t = figures().totals();
        Outage outage = cluster.outage();
        to.add("cluster", t.cluster())
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
                .add("outage", outage == null ? "" : outage.text());
    }

    private String waiting() {
        String waiting = cluster.waiting();
        return waiting.isEmpty() && state().boot().pending() ? "for members to join (initial-boot-delay)" : waiting;
    }

    private static void member(ClusterFigures.Member m, Json to) {
        to.add("member", m.name())
                .add("state", m.state())
                .add("leader", m.leader())
                .add("witness", m.witness())
                .add("address", m.address())
                .add("lag", m.lag())
                .add("incarnation", m.incarnation())
                .add("here", m.self());
    }

    private static void lease(ClusterFigures.Lease l, Json to) {
        to.add("lease", l.name())
                .add("owner", l.owner())
                .add("fence", l.fence())
                .add("millisLeft", l.millisLeft())
                .add("estimated", l.estimated())
                .add("transitions", l.transitions());
    }

    private static void singleton(ClusterFigures.Singleton s, Json to) {
        to.add("singleton", s.name())
                .add("phase", s.phase())
                .add("member", s.member())
                .add("preferred", s.preferred())
                .add("fence", s.fence())
                .add("activationMicros", s.activationNanos() / 1000)
                .add("reason", s.reason());
    }

    private static void timer(ClusterFigures.Timer t, Json to) {
        to.add("timer", t.id())
                .add("schedule", t.schedule())
                .add("zone", t.zone())
                .add("last", t.last())
                .add("next", t.next())
                .add("firings", t.firings())
                .add("paused", t.paused())
                .add("failure", t.failure());
    }

    private void binding(Binding b, Json to) {
        boolean known = cluster.outage() == null || (b.member().equals(cluster.self()) && facts.holds(b.lease()));
        to.add("name", b.path())
                .add("member", known ? b.member() : CutOff.UNKNOWN)
                .add("lease", b.lease())
                .add("fence", fence(b.fence()))
                .add("value", value(b.value()));
    }

    private static String fence(Fence fence) {
        return fence.equals(Fence.NONE) ? "" : fence.toString();
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

    private static void checkpoint(Checkpoint c, Json to) {
        to.add("singleton", c.singleton())
                .add("key", c.key())
                .add("text", c.text())
                .add("fence", c.fence().toString());
    }

    private AdminAnswer purges() {
        ClusterState now = state();
        return list(now.members().keySet(), (member, to) -> MemberPurges.row(now, member, to));
    }

    private static void deployment(Deployment d, Json to) {
        to.add("deployment", d.name())
                .add("version", d.version())
                .add("size", d.size())
                .add("members", String.join(", ", d.sources()))
                .add("sha256", d.sha256());
    }

    /** The history, the newest last; {@code ?n=} bounds the number of lines, {@code ?name=} selects one object. */
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
        return list(lines.subList(lines.size() - shown, lines.size()), ClusterViews::transition);
    }

    private static void transition(Transition t, Json to) {
        to.add("entry", t.index())
                .add("time", Instant.ofEpochMilli(t.atMillis()).toString())
                .add("what", t.what().name().toLowerCase(Locale.ROOT))
                .add("name", t.name())
                .add("from", t.from())
                .add("to", t.to())
                .add("fence", fence(t.fence()))
                .add("by", t.by())
                .add("reason", t.reason());
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
                ? marked(AdminAnswer.problem(
                        404, "Not found", ClusterChanges.unknown("deployment", name, state().deployments())))
                : marked(AdminAnswer.json(200, j -> progress.json(name, j)));
    }

    /** An unknown object may have been created since this member was last answered. */
    private AdminAnswer unknown(String kind, String name, Outage outage) {
        return marked(AdminAnswer.problem(
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
            return marked(AdminAnswer.problem(
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
        return marked(AdminAnswer.json(200, j -> j.add("singleton", name).add("lines", lines)));
    }
}
