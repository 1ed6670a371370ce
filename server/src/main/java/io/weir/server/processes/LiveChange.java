package io.weir.server.processes;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.IoReason;
import io.weir.base.Log;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.config.KnobService;
import io.weir.server.config.Yaml;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the configuration of all processes, all or none. The first worker computes a change without applying it;
 * the others and the supervisor check the result, and only if all accept it is it applied and persisted by the first,
 * and then applied by the others before the request is answered. While one is silent according to {@link
 * WorkerQueries}, nothing is changed, then or later, because it was only told to check. One that has checked but does
 * not apply it is killed: its replacement has it from the start, like each process that starts later, until an upgrade.
 * Shared; one change at a time, and none during an upgrade.
 */
final class LiveChange {
    /** The processes, as needed for a change. */
    interface Staff {
        /** Whether the processes are being replaced. */
        boolean upgrading();

        /** {@link Workers#upgrade(Launch, Runnable)}. */
        boolean upgrade(Launch by, Runnable then);

        /** How processes are started now. */
        Launch launch();

        /** The admin addresses of the serving processes, by their numbers. */
        Map<Integer, String> admins();

        /** {@link Crew#recorded}. */
        void recorded();

        /** {@link Crew#inForce}. */
        List<Roll.Place> inForce();

        /** Ends a process, if it still has its slot; another one replaces it. */
        void kill(Roll.Place place, String reason);
    }

    /** Time-out of waiting for a change's turn and of all its checks: nothing is applied later. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** Quotes within texts are escaped, so this matches the member itself; it is the last. */
    private static final String NEXT = ",\"next\":";

    private static final String NOTHING = "Nothing was changed. ";

    private final Staff workers;
    private final WorkerQueries queries;
    private final KnobService own;
    private final Duration patience;
    private final Log log;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** @param own the supervisor's configuration */
    LiveChange(Staff workers, WorkerQueries queries, KnobService own, Log log) {
        this(workers, queries, own, PATIENCE, log);
    }

    /** @param patience time-out of all checks before a change is applied */
    LiveChange(Staff workers, WorkerQueries queries, KnobService own, Duration patience, Log log) {
        this.workers = workers;
        this.queries = queries;
        this.own = own;
        this.patience = patience;
        this.log = log;
    }

    /** Makes a change by keys, a roll-back, or with the path {@code /config/reload} a reload of the file. */
    AdminAnswer change(AdminRequest request) throws IOException, InterruptedException {
        if (request.parameter("process") != null) {
            return AdminAnswer.problem(400, "Bad request", "The configuration is that of all processes.");
        }
        CompletableFuture<Optional<AdminAnswer>> late = new CompletableFuture<Optional<AdminAnswer>>()
                .completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS);
        if (!turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return notNow("Other changes are under way: ask again.");
        }
        try {
            return change(request, late);
        } finally {
            turn.unlock();
        }
    }

    /** @param late completes when it is too late to apply the change */
    private AdminAnswer change(AdminRequest request, CompletableFuture<Optional<AdminAnswer>> late)
            throws IOException, InterruptedException {
        if (workers.upgrading()) {
            return AdminAnswer.problem(409, "Conflict", NOTHING + "An upgrade is under way: ask when it is done.");
        }
        if (!request.path().equals("/config/reload")) {
            return changed(request, late);
        }
        Launch launch = workers.launch();
        String before = launch.copied();
        launch.copy();
        AdminAnswer answer = changed(request, late);
        if (answer.status() != 200 || check(request)) {
            launch.copy(before);
        }
        return new AdminAnswer(answer.status(), answer.contentType(), launch.named(answer.body()), answer.fields());
    }

    /** Replaces all workers; then the configuration that new ones read from the files is in force. */
    boolean upgrade(Launch by) {
        turn.lock();
        try {
            return workers.upgrade(by, () -> upgraded(by));
        } finally {
            turn.unlock();
        }
    }

    private void upgraded(Launch by) {
        own.reload("upgrade");
        turn.lock();
        try {
            Optional<String> read = own.read();
            if (read.isPresent() && workers.launch().equals(by)) {
                PrivateFiles.write(by.inForce(), read.get());
                workers.recorded();
            }
        } catch (IOException e) {
            log.log(ProcessMessages.NOT_RECORDED, by.inForce(), IoReason.ofFile(e));
        } finally {
            turn.unlock();
        }
    }

    private static boolean check(AdminRequest request) {
        return request.isTrue("check");
    }

    private AdminAnswer changed(AdminRequest request, CompletableFuture<Optional<AdminAnswer>> late)
            throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        String first = admins.get(1);
        if (first == null) {
            return notNow("Process 1 is not ready: ask again.");
        }
        AdminAnswer trial = await(queries.answer(first, WorkerClient.with(request, "check", "true")), late);
        if (trial == null) {
            return unanswered(1, late);
        }
        if (trial.status() != 200) {
            return trial;
        }
        PrivateFiles.write(workers.launch().next(), next(trial));
        KnobService.Outcome mine = own.trial().follow(workers.launch().next());
        if (!mine.applied()) {
            return refused("The supervisor", mine.problems().toString());
        }
        Map<Integer, CompletableFuture<Optional<AdminAnswer>>> others = new LinkedHashMap<>();
        admins.forEach((process, admin) -> {
            if (process != 1) {
                others.put(process, queries.answer(admin, follow(request, true)));
            }
        });
        for (Map.Entry<Integer, CompletableFuture<Optional<AdminAnswer>>> e : others.entrySet()) {
            AdminAnswer answer = await(e.getValue(), late);
            if (answer == null) {
                return unanswered(e.getKey(), late);
            }
            if (answer.status() != 200) {
                return refused("Process " + e.getKey(), answer.body());
            }
        }
        return check(request) ? answerOf(trial) : applied(new Roll.Place(1, first), request);
    }

    private AdminAnswer applied(Roll.Place first, AdminRequest request) throws IOException, InterruptedException {
        AdminAnswer answer = await(queries.answer(first.admin(), request));
        if (answer != null && answer.status() != 200) {
            return answer;
        }
        // from here on it is in force, even if the first worker died of it: its successor has it
        Launch launch = workers.launch();
        if (answer != null) {
            PrivateFiles.write(launch.next(), KnobService.numbered(number(answer), Files.readString(launch.next())));
        }
        Files.move(launch.next(), launch.inForce(), StandardCopyOption.ATOMIC_MOVE);
        Map<Roll.Place, CompletableFuture<Optional<AdminAnswer>>> others = new LinkedHashMap<>();
        for (Roll.Place place : workers.inForce()) {
            others.put(place, queries.answer(place.admin(), follow(request, false)));
        }
        if (answer == null) {
            // one that hangs would apply it later, or not at all
            unchanged(first, request, "no answer");
        }
        for (Map.Entry<Roll.Place, CompletableFuture<Optional<AdminAnswer>>> e : others.entrySet()) {
            AdminAnswer one = await(e.getValue());
            if (one == null || one.status() != 200) {
                unchanged(e.getKey(), request, one == null ? "no answer" : one.body());
            }
        }
        own.follow(launch.inForce());
        if (answer == null || changedSomething(answer)) {
            log.log(ProcessMessages.CHANGED, request.author());
        }
        return answer != null
                ? answer
                : AdminAnswer.problem(
                        500,
                        "Internal server error",
                        "Process 1 ended, or hung and was killed, while it applied the change. All processes have it;"
                                + " whether it is kept for the next start is not known: look at ./weir config.");
    }

    private void unchanged(Roll.Place place, AdminRequest request, String why) {
        log.log(ProcessMessages.NOT_CHANGED, place.process(), request.author(), why);
        workers.kill(place, "it did not take over the configuration");
    }

    private static AdminRequest follow(AdminRequest from, boolean check) {
        return new AdminRequest(
                "POST",
                "/config/follow",
                Map.of("check", Boolean.toString(check)),
                from.fields(),
                "",
                from.remote(),
                from.author());
    }

    /** Waits for a process's answer; null if it has ended, or hangs. */
    private static @Nullable AdminAnswer await(CompletableFuture<Optional<AdminAnswer>> pending)
            throws InterruptedException {
        try {
            return pending.get().orElse(null);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The same; null also if it is too late. */
    private static @Nullable AdminAnswer await(
            CompletableFuture<Optional<AdminAnswer>> pending, CompletableFuture<Optional<AdminAnswer>> late)
            throws InterruptedException {
        AdminAnswer answer = await(pending.applyToEither(late, Function.identity()));
        return late.isDone() ? null : answer;
    }

    /** The number under which the first process applied it; 0 if unknown. */
    private static int number(AdminAnswer applied) {
        ConfigNode found =
                Yaml.json("answer", applied.body(), new ArrayList<>()).find("configuration");
        return found instanceof ConfigNode.Scalar text ? Integer.parseInt(text.text()) : 0;
    }

    /** Whether the first process changed a value: a reload may find the file as it was. */
    private static boolean changedSomething(AdminAnswer applied) {
        ConfigNode found =
                Yaml.json("answer", applied.body(), new ArrayList<>()).find("changed");
        return !(found instanceof ConfigNode.Sequence keys) || !keys.items().isEmpty();
    }

    private static String next(AdminAnswer trial) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode next = Yaml.json("answer", trial.body(), problems).find("next");
        if (!(next instanceof ConfigNode.Scalar text)) {
            throw new IOException("process 1 does not return the result of the change: it is of another version");
        }
        return text.text();
    }

    /** Removes what is meant for the supervisor only, secrets included. */
    private static AdminAnswer answerOf(AdminAnswer trial) {
        int next = trial.body().indexOf(NEXT);
        return new AdminAnswer(
                trial.status(), trial.contentType(), trial.body().substring(0, next) + "}\n", trial.fields());
    }

    private static AdminAnswer unanswered(int process, CompletableFuture<Optional<AdminAnswer>> late) {
        return notNow("Process " + process
                + (late.isDone()
                        ? " has not answered in time: ask again."
                        : " does not answer: it hangs, or has just ended. Look at /health."));
    }

    private static AdminAnswer notNow(String why) {
        return AdminAnswer.problem(503, "Service unavailable", NOTHING + why);
    }

    private static AdminAnswer refused(String who, String why) {
        return AdminAnswer.problem(422, "The change was refused, nothing was applied", who + " refuses it: " + why);
    }
}
