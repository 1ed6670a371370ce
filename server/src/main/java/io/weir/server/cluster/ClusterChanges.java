package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Nearest;
import io.weir.cluster.deploy.DeployFault;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.Command;
import io.weir.cluster.state.MemberCommand;
import io.weir.cluster.state.SingletonCommand;
import io.weir.cluster.state.TimerCommand;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster on the admin listener, changed: {@code POST /cluster/migrate}, {@code pause}, {@code resume},
 * {@code forget}, {@code timers/pause}, {@code timers/resume}, {@code timers/fire}, {@code add}, {@code remove},
 * {@code replace}, {@code deploy}, {@code redeploy}, {@code undeploy}. Each goes through the log, is waited for on an admin thread, and
 * leaves a line in the server log that says who did what to what, why, and what came of it. Shared.
 */
public final class ClusterChanges {
    private static final long TIME_OUT_SECONDS = 20;

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

    /** Makes the command of a request. */
    private interface Maker {
        Command of(String name, AdminRequest request);
    }

    public void register(AdminRouter router) {
        singleton(router, "migrate", (name, r) -> new SingletonCommand.Migrate(name, given(r, "to"), reason(r)));
        singleton(router, "pause", (name, r) -> new SingletonCommand.Pause(name, reason(r)));
        singleton(router, "resume", (name, r) -> new SingletonCommand.Resume(name, reason(r)));
        singleton(router, "forget", (name, _) -> new SingletonCommand.Undefine(name));
        timer(router, "pause", (id, _) -> new TimerCommand.PauseTimer(id));
        timer(router, "resume", (id, _) -> new TimerCommand.ResumeTimer(id));
        timer(router, "fire", (id, _) -> new TimerCommand.FireNow(id, clock.millis()));
        timer(router, "forget", (id, _) -> new TimerCommand.RemoveTimer(id));
        uploads.register(router);
        for (String what : new String[] {"deploy", "redeploy", "undeploy"}) {
            router.on("POST", "/cluster/" + what, Where.THREAD, r -> deploy(what, r));
        }
        for (String what : new String[] {"add", "remove", "replace"}) {
            router.on("POST", "/cluster/" + what, Where.THREAD, r -> membership(what, r));
        }
    }

    private void singleton(AdminRouter router, String what, Maker maker) {
        router.on("POST", "/cluster/" + what, Where.THREAD, r -> {
            String name = given(r, "name");
            String to = given(r, "to");
            if (name == null) {
                return missing("name, such as name=counter");
            }
            if (cluster.now().singleton(name) == null) {
                return refused(
                        what, name, r, unknown("singleton", name, cluster.now().singletons()));
            }
            if (to != null && cluster.now().member(to) == null) {
                return refused(
                        what, name, r, unknown("member", to, cluster.now().members()));
            }
            return change(to == null ? what : what + " to " + to, name, r, maker.of(name, r));
        });
    }

    private void timer(AdminRouter router, String what, Maker maker) {
        router.on("POST", "/cluster/timers/" + what, Where.THREAD, r -> {
            String id = given(r, "id");
            if (id == null) {
                return missing("id, such as id=night");
            }
            if (cluster.now().timer(id) == null) {
                return refused(what, id, r, unknown("timer", id, cluster.now().timers()));
            }
            return change(what + " timer", id, r, maker.of(id, r));
        });
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
        String whom = member == null ? String.valueOf(address) : member;
        if (what.equals("remove") && cluster.now().alive(whom)) {
            return refused(what, whom, r, whom + " is alive: stop it first, or a majority may be lost with it");
        }
        try {
            String done =
                    within(cluster.membership(what, member == null ? "" : member, address == null ? "" : address));
            if (!what.equals("add")
                    && cluster.now().member(whom) != null
                    && !cluster.now().alive(whom)) {
                within(cluster.propose(new MemberCommand.Remove(whom), r.author()));
            }
            return done(what, whom, r, done);
        } catch (ExecutionException | TimeoutException e) {
            return failed(what, whom, r, e);
        }
    }

    /** The archive is one that was sent before, or a file of the server's machine. */
    private AdminAnswer deploy(String what, AdminRequest r) throws InterruptedException, IOException {
        String file = given(r, "file");
        String upload = given(r, "upload");
        String name = given(r, "name");
        if (name == null) {
            return missing("name, such as name=shop");
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
            return refused(what, name, r, "there is no such upload: it was given up, or used already");
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
            return done(what, name, r, within(cluster.deploy(what, name, archive, r.author())));
        } catch (ExecutionException e) {
            return e.getCause() instanceof DeployFault fault
                    ? refused(what, name, r, String.valueOf(fault.getMessage()))
                    : failed(what, name, r, e);
        } catch (TimeoutException e) {
            return failed(what, name, r, e);
        }
    }

    private AdminAnswer change(String what, String name, AdminRequest r, Command command) throws InterruptedException {
        try {
            Answer answer = within(cluster.propose(command, r.author()));
            return answer instanceof Answer.Refused no
                    ? refused(what, name, r, no.text())
                    : done(what, name, r, "done");
        } catch (ExecutionException | TimeoutException e) {
            return failed(what, name, r, e);
        }
    }

    private AdminAnswer done(String what, String name, AdminRequest r, String outcome) {
        audit(what, name, r, outcome);
        return AdminAnswer.json(
                200,
                new JsonRow()
                                .add("what", what)
                                .add("name", name)
                                .add("outcome", outcome)
                                .end() + "\n");
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

    private static String why(Exception e) {
        return switch (e.getCause()) {
            case LogFault f
            when f.kind() == LogFault.Kind.NOT_COMMITTED ->
                "nothing was changed, the cluster's log does not take commands now: " + f.getMessage();
            case LogFault f -> "whether it was changed is unknown (see ./weir cluster history): " + f.getMessage();
            case null ->
                "no answer within " + TIME_OUT_SECONDS + " s: see ./weir cluster history whether it was changed";
            case Throwable other -> String.valueOf(other.getMessage());
        };
    }

    private void audit(String what, String name, AdminRequest r, String outcome) {
        String reason = reason(r);
        log.log(
                ServerMessages.CLUSTER_CHANGE,
                r.author(),
                r.remote().getAddress().getHostAddress(),
                what,
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

    /** Says that there is no such thing, which ones there are, and which was perhaps meant. */
    static String unknown(String what, String name, Map<String, ?> known) {
        String nearest = Nearest.of(name, known.keySet());
        return String.format(
                Locale.ROOT,
                "there is no %s \"%s\"%s Known: %s",
                what,
                name,
                nearest == null ? "." : "; did you mean \"" + nearest + "\"?",
                known.isEmpty() ? "none" : String.join(", ", known.keySet()));
    }

    /** Waits for an answer of the cluster, on an admin thread. */
    private static <T> T within(CompletableFuture<T> answer)
            throws ExecutionException, TimeoutException, InterruptedException {
        return answer.get(TIME_OUT_SECONDS, TimeUnit.SECONDS);
    }
}
