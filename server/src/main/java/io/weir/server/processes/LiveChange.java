package io.weir.server.processes;

import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.base.Log;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.config.KnobService;
import io.weir.server.config.Yaml;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the configuration of all processes, all or none. The first worker works a change out and applies nothing;
 * the others and the supervisor check what would come of it, and only what all of them can have is applied and kept by
 * the first, and then taken over by the others before the answer is given. One that does not take it over is killed: who
 * takes its place has it from the start, as has each process that starts later, until an upgrade. Shared; one change at a
 * time, and none during an upgrade.
 */
final class LiveChange {
    /** Its quotes are escaped within any text, so this is the member itself; it is the last. */
    private static final String NEXT = ",\"next\":";

    private static final String NOTHING = "Nothing was changed. ";

    private final Workers workers;
    private final WorkerClient client;
    private final KnobService own;
    private final Log log;

    /** @param own the supervisor's configuration */
    LiveChange(Workers workers, WorkerClient client, KnobService own, Log log) {
        this.workers = workers;
        this.client = client;
        this.own = own;
        this.log = log;
    }

    /** A change by keys, a roll-back, or with a path of {@code /config/reload} of what the file says now. */
    synchronized AdminAnswer change(AdminRequest request) throws IOException, InterruptedException {
        if (request.parameter("process") != null) {
            return AdminAnswer.problem(400, "Bad request", "The configuration is that of all processes.");
        }
        if (workers.upgrading()) {
            return AdminAnswer.problem(409, "Conflict", NOTHING + "An upgrade is under way: ask when it is done.");
        }
        if (!request.path().equals("/config/reload")) {
            return changed(request);
        }
        Launch launch = workers.launch();
        String before = launch.copied();
        launch.copy();
        AdminAnswer answer = changed(request);
        if (answer.status() != 200 || check(request)) {
            launch.copy(before);
        }
        return answer;
    }

    /** Has all workers replaced, and then what new ones read from the files counts. */
    synchronized boolean upgrade(Launch by) {
        return workers.upgrade(by, () -> own.reload("upgrade"));
    }

    private static boolean check(AdminRequest request) {
        return request.says("check");
    }

    private AdminAnswer changed(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        String first = admins.get(1);
        if (first == null) {
            return unanswered(1);
        }
        AdminAnswer trial = asked(first, WorkerClient.with(request, "check", "true"));
        if (trial == null) {
            return unanswered(1);
        }
        if (trial.status() != 200) {
            return trial;
        }
        PrivateFiles.write(workers.launch().next(), next(trial));
        KnobService.Outcome mine = own.trial().follow(workers.launch().next());
        if (!mine.applied()) {
            return refused("The supervisor", mine.problems().toString());
        }
        for (Map.Entry<Integer, String> e : admins.entrySet()) {
            if (e.getKey() != 1) {
                AdminAnswer answer = asked(e.getValue(), follow(request, true));
                if (answer == null) {
                    return unanswered(e.getKey());
                }
                if (answer.status() != 200) {
                    return refused("Process " + e.getKey(), answer.body());
                }
            }
        }
        return check(request) ? told(trial) : applied(first, request);
    }

    private AdminAnswer applied(String first, AdminRequest request) throws IOException, InterruptedException {
        AdminAnswer answer = asked(first, request);
        if (answer != null && answer.status() != 200) {
            return answer;
        }
        // from here on it is in force, also where the first worker died of it: its successor has it
        Launch launch = workers.launch();
        if (answer != null) {
            PrivateFiles.write(launch.next(), KnobService.numbered(number(answer), Files.readString(launch.next())));
        }
        Files.move(launch.next(), launch.inForce(), StandardCopyOption.ATOMIC_MOVE);
        for (Roll.Place place : workers.inForce()) {
            AdminAnswer one = asked(place.admin(), follow(request, false));
            if (one == null || one.status() != 200) {
                String why = one == null ? "no answer" : one.body();
                log.log(ProcessMessages.NOT_CHANGED, place.process(), request.author(), why);
                workers.kill(place.process(), "it did not take over the configuration");
            }
        }
        own.follow(launch.inForce());
        log.log(ProcessMessages.CHANGED, request.author());
        return answer != null
                ? answer
                : AdminAnswer.problem(
                        500,
                        "Internal server error",
                        "Process 1 ended while it applied the change. All processes have it; whether it is kept for the"
                                + " next start is not known: look at ./weir config.");
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

    /** What a process says; null where it is gone, or hangs. */
    private @Nullable AdminAnswer asked(String admin, AdminRequest request) throws InterruptedException {
        try {
            return client.ask(admin, request);
        } catch (IOException e) {
            return null;
        }
    }

    /** Under which number the first applied it; 0 where it does not say. */
    private static int number(AdminAnswer applied) {
        ConfigNode found =
                Yaml.json("answer", applied.body(), new ArrayList<>()).find("configuration");
        return found instanceof ConfigNode.Scalar text ? Integer.parseInt(text.text()) : 0;
    }

    private static String next(AdminAnswer trial) throws IOException {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode next = Yaml.json("answer", trial.body(), problems).find("next");
        if (!(next instanceof ConfigNode.Scalar text)) {
            throw new IOException("process 1 does not say what would come of the change: it is of another version");
        }
        return text.text();
    }

    /** What the supervisor alone is told, secrets among it, is not passed on. */
    private static AdminAnswer told(AdminAnswer trial) {
        int next = trial.body().indexOf(NEXT);
        return new AdminAnswer(
                trial.status(), trial.contentType(), trial.body().substring(0, next) + "}\n", trial.fields());
    }

    private static AdminAnswer unanswered(int process) {
        return AdminAnswer.problem(
                503, "Service unavailable", NOTHING + "Process " + process + " is not ready: ask again.");
    }

    private static AdminAnswer refused(String who, String why) {
        return AdminAnswer.problem(422, "The change was refused, nothing was applied", who + " refuses it: " + why);
    }
}
