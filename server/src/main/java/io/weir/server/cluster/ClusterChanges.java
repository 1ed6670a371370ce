package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Nearest;
import io.weir.cluster.deploy.DeployFault;
import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.members.MembershipFault;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminHandler;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cluster on the admin listener, changed: {@code POST /cluster/migrate}, {@code pause}, {@code resume}, {@code
 * forget}, {@code timers/pause}, {@code timers/resume}, {@code timers/fire}, {@code add}, {@code remove}, {@code
 * replace}, {@code deploy}, {@code redeploy}, {@code undeploy}. Each goes through the log while an admin thread waits
 * for it, and leaves a line in the server log with author, action, object, reason and outcome. Shared.
 */
public final class ClusterChanges {
    private static final long TIME_OUT_SECONDS = 20;
    private static final long SETTLE_SECONDS = 10;

    /** Suffix for changes that were found done although their answer had not arrived. */
    private static final String LATE = ", after the time-out of the request";

    private final ClusterAccess cluster;
    private final Uploads uploads;
    private final Clock clock;
    private final Log log;

    public ClusterChanges(ClusterAccess cluster, Uploads uploads, Clock clock, Log log) {
        this.cluster = cluster;
        this.uploads = uploads;
        this.clock = clock;
        this.log = log;
    }

    /** Creates the command for a request. */
    private interface Maker {
        Command of(String name, AdminRequest request);
    }

    public void register(AdminRouter router) {
        singleton(router, "migrate", (name, r) -> new SingletonCommand.Migrate(name, given(r, "to"), reason(r)));
        singleton(router, "pause", (name, r) -> new SingletonCommand.Pause(name, reason(r)));
        singleton(router, "resume", (name, r) -> new SingletonCommand.Resume(name, reason(r)));
        singleton(router, "forget", (name, r) -> new SingletonCommand.Forget(name, reason(r)));
        timer(router, "pause", (id, r) -> new TimerCommand.PauseTimer(id, reason(r)));
        timer(router, "resume", (id, r) -> new TimerCommand.ResumeTimer(id, reason(r)));
        timer(router, "fire", (id, r) -> new TimerCommand.FireNow(id, clock.millis(), reason(r)));
        timer(router, "forget", (id, r) -> new TimerCommand.ForgetTimer(id, reason(r)));
        uploads.register(router);
        for (String what : new String[] {"deploy", "redeploy", "undeploy"}) {
            router.change("POST", "/cluster/" + what, r -> deploy(what, r), "file", "upload", "name", "reason");
        }
        for (String what : new String[] {"add", "remove", "replace"}) {
            router.change("POST", "/cluster/" + what, r -> membership(what, r), "member", "address", "reason");
        }
    }

    private void singleton(AdminRouter router, String what, Maker maker) {
        AdminHandler asked = r -> {
            String name = given(r, "name");
            String to = given(r, "to");
            if (name == null) {
                return missing("name, such as name=counter");
            }
            boolean known = cluster.now().singleton(name) != null
                    && (to == null || cluster.now().member(to) != null);
            AdminAnswer behind = known ? null : behind(what, name, r);
            if (behind != null) {
                return behind;
            }
            if (cluster.now().singleton(name) == null) {
                return refused(
                        what, name, r, unknown("singleton", name, cluster.now().singletons()));
            }
            if (to != null && cluster.now().member(to) == null) {
                return refused(
                        what, name, r, unknown("member", to, cluster.now().members()));
            }
            Predicate<ClusterState> gone =
                    what.equals("forget") ? s -> s.singleton(name) == null : ClusterChanges::unknown;
            return change(what, name, r, maker.of(name, r), gone);
        };
        if (what.equals("migrate")) {
            router.change("POST", "/cluster/" + what, asked, "name", "to", "reason");
        } else {
            router.change("POST", "/cluster/" + what, asked, "name", "reason");
        }
    }

    private void timer(AdminRouter router, String what, Maker maker) {
        AdminHandler asked = r -> {
            String id = given(r, "id");
            if (id == null) {
                return missing("id, such as id=night");
            }
            AdminAnswer behind = cluster.now().timer(id) != null ? null : behind(what + " timer", id, r);
            if (behind != null) {
                return behind;
            }
            if (cluster.now().timer(id) == null) {
                return refused(what, id, r, unknown("timer", id, cluster.now().timers()));
            }
            Predicate<ClusterState> gone = what.equals("forget") ? s -> s.timer(id) == null : ClusterChanges::unknown;
            return change(what + " timer", id, r, maker.of(id, r), gone);
        };
        router.change("POST", "/cluster/timers/" + what, asked, "id", "reason");
    }

    /**
     * A thing unknown to this member may still exist: first catches up with what the cluster has decided up to now.
     *
     * @return null if it did; else the answer that it cannot
     */
    private @Nullable AdminAnswer behind(String what, String name, AdminRequest r) throws InterruptedException {
        try {
            within(cluster.barrier());
            return null;
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause();
            String why = "nothing was changed: whether there is " + name + " this member cannot know now, "
                    + Unanswered.text(cluster, cause == null ? "no answer came" : cause.getMessage());
            audit(what, name, r, "failed: " + why);
            return AdminAnswer.problem(503, "Service unavailable", why);
        }
    }

    private AdminAnswer membership(String what, AdminRequest r) throws InterruptedException {
        String member = given(r, "member");
        String address = given(r, "address");
        if (member == null && !what.equals("add")) {
            return missing("member, such as member=gamma");
        }
        if (address == null && !what.equals("remove")) {
            return missing("address, the host:port of the member's weir listener");
        }
        String subject = member == null ? String.valueOf(address) : member;
        try {
            if (what.equals("remove")) {
                // whether it is alive needs a linearizable read, not this member's own state
                within(cluster.barrier());
                if (cluster.now().alive(subject)) {
                    return refused(
                            what, subject, r, subject + " is alive: stop it first, or a majority may be lost with it");
                }
            }
            return done(what, subject, r, vote(what, subject, address == null ? "" : address) + left(what, subject, r));
        } catch (ExecutionException | TimeoutException e) {
            return e.getCause() instanceof MembershipFault fault && fault.refused()
                    ? refused(what, subject, r, String.valueOf(fault.getMessage()))
                    : failed(what, subject, r, e);
        }
    }

    /**
     * Changes the members that keep the log. A member that has no vote any more but is still known only needs to be
     * forgotten.
     */
    private String vote(String what, String subject, String address)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (what.equals("remove") && !votes(subject) && cluster.now().member(subject) != null) {
            return subject + " was removed";
        }
        try {
            return within(cluster.membership(what, what.equals("add") ? "" : subject, address));
        } catch (ExecutionException | TimeoutException e) {
            if (!what.equals("remove") || votes(subject) || !settled(e)) {
                throw e;
            }
            return subject + " was removed" + LATE;
        }
    }

    private boolean votes(String member) {
        return cluster.log().peers().stream().anyMatch(p -> p.member().equals(member));
    }

    /** After a member's vote was removed: removes it from the state, too. */
    private String left(String what, String subject, AdminRequest r)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (what.equals("add")
                || cluster.now().member(subject) == null
                || cluster.now().alive(subject)) {
            return "";
        }
        try {
            Answer answer = within(cluster.propose(new MemberCommand.Remove(subject, reason(r)), r.author()));
            return answer instanceof Answer.Refused no ? "; it stays known: " + no.text() : "";
        } catch (ExecutionException | TimeoutException e) {
            if (settled(e) && cluster.now().member(subject) == null) {
                return LATE;
            }
            throw e;
        }
    }

    /** The archive was uploaded before, or is a file of the server's machine. */
    private AdminAnswer deploy(String what, AdminRequest r) throws InterruptedException, IOException {
        String file = given(r, "file");
        String upload = given(r, "upload");
        String given = given(r, "name");
        if (given == null && !what.equals("redeploy")) {
            return missing("name, such as name=shop");
        }
        String name = given == null ? "" : given;
        AdminAnswer behind = what.equals("deploy") ? null : behind(what, name, r);
        if (behind != null) {
            return behind;
        }
        if (what.equals("undeploy")) {
            return deploy(what, name, Path.of(""), r);
        }
        if (upload == null) {
            return file == null
                    ? missing(
                            "upload, the archive as /cluster/upload named it, or file, its absolute path on the server's machine")
                    : deployFile(what, name, file, r);
        }
        Path sent = uploads.take(upload);
        if (sent == null) {
            return refused(what, name, r, "there is no such upload: it was abandoned, or used already");
        }
        try {
            return deploy(what, name, sent, r);
        } finally {
            Files.deleteIfExists(sent);
        }
    }

    private AdminAnswer deployFile(String what, String name, String file, AdminRequest r) throws InterruptedException {
        try {
            return deploy(what, name, Path.of(file), r);
        } catch (InvalidPathException e) {
            return refused(what, name, r, "no path: " + e.getMessage());
        }
    }

    private AdminAnswer deploy(String what, String name, Path archive, AdminRequest r) throws InterruptedException {
        try {
            Deployed deployed = within(cluster.deploy(what, name, archive, r.author(), reason(r)));
            return done(what, deployed.name(), r, deployed.text());
        } catch (ExecutionException | TimeoutException e) {
            if (what.equals("undeploy")
                    && settled(e)
                    && !cluster.now().deployments().containsKey(name)) {
                return done(what, name, r, name + " undeployed" + LATE);
            }
            return e.getCause() instanceof DeployFault fault && !(fault.getCause() instanceof LogFault)
                    ? refused(what, name, r, String.valueOf(fault.getMessage()))
                    : failed(what, name, r, e);
        }
    }

    /**
     * Proposes and waits.
     *
     * @param gone for a removal without an answer in time: whether it has taken effect by now; for other changes that
     * is not known
     */
    private AdminAnswer change(String what, String name, AdminRequest r, Command command, Predicate<ClusterState> gone)
            throws InterruptedException {
        try {
            Answer answer = within(cluster.propose(command, r.author()));
            return answer instanceof Answer.Refused no
                    ? refused(what, name, r, no.text())
                    : done(what, name, r, "done");
        } catch (ExecutionException | TimeoutException e) {
            return settled(e) && gone.test(cluster.now())
                    ? done(what, name, r, "done" + LATE)
                    : failed(what, name, r, e);
        }
    }

    private static boolean unknown(ClusterState now) {
        return false;
    }

    /**
     * After a change without an answer: waits until this member knows what the cluster has decided up to now.
     *
     * @return false if nothing was changed for certain, or if it cannot be known
     */
    private boolean settled(Exception e) throws InterruptedException {
        Throwable fault = cause(e);
        if (fault instanceof LogFault f ? f.kind() == LogFault.Kind.NOT_COMMITTED : !(e instanceof TimeoutException)) {
            return false;
        }
        try {
            cluster.barrier().get(SETTLE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException unknown) {
            return false;
        }
    }

    private AdminAnswer done(String what, String name, AdminRequest r, String outcome) {
        audit(what, name, r, outcome);
        String to = given(r, "to");
        return AdminAnswer.json(200, j -> {
            j.add("what", what).add("name", name);
            if (to != null) {
                j.add("to", to);
            }
            j.add("outcome", outcome);
        });
    }

    private AdminAnswer refused(String what, String name, AdminRequest r, String why) {
        audit(what, name, r, "refused: " + why);
        return AdminAnswer.problem(422, "Refused", why);
    }

    private AdminAnswer failed(String what, String name, AdminRequest r, Exception e) {
        String why = why(e);
        audit(what, name, r, "failed: " + why);
        return AdminAnswer.problem(503, "Service unavailable", why);
    }

    private static @Nullable Throwable cause(Exception e) {
        return e.getCause() instanceof DeployFault d && d.getCause() instanceof LogFault f ? f : e.getCause();
    }

    private String why(Exception e) {
        return switch (cause(e)) {
            case LogFault f
            when f.kind() == LogFault.Kind.NOT_COMMITTED ->
                "nothing was changed, the cluster's log does not take commands now: "
                        + Unanswered.text(cluster, f.getMessage());
            case LogFault f ->
                "whether it was changed is unknown (see ./weir cluster history): "
                        + Unanswered.text(cluster, f.getMessage());
            case null ->
                "no answer within " + TIME_OUT_SECONDS + " s: see ./weir cluster history whether it was changed";
            case Throwable other -> Unanswered.text(cluster, other.getMessage());
        };
    }

    private void audit(String what, String name, AdminRequest r, String outcome) {
        String reason = reason(r);
        String to = given(r, "to");
        log.log(
                ServerMessages.CLUSTER_CHANGE,
                r.author(),
                r.remote().getAddress().getHostAddress(),
                to == null ? what : what + " to " + to,
                name,
                reason.isEmpty() ? "no reason given" : reason,
                outcome);
    }

    private static String reason(AdminRequest r) {
        String reason = given(r, "reason");
        return reason == null ? "" : reason;
    }

    private static @Nullable String given(AdminRequest r, String name) {
        String value = r.parameter(name);
        return value == null || value.isEmpty() ? null : value;
    }

    private static AdminAnswer missing(String what) {
        return AdminAnswer.problem(400, "Bad request", "the query needs " + what);
    }

    /** Reports that there is no such thing, which ones there are, and which was perhaps meant. */
    static String unknown(String what, String name, Map<String, ?> known) {
        return "there is no " + what + " \"" + name + "\"" + Nearest.known(name, known.keySet());
    }

    /** Waits on an admin thread for an answer of the cluster. */
    private static <T> T within(CompletableFuture<T> answer)
            throws ExecutionException, TimeoutException, InterruptedException {
        return answer.get(TIME_OUT_SECONDS, TimeUnit.SECONDS);
    }
}
