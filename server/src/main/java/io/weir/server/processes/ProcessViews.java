package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.Json;
import io.weir.server.monitor.ProcessesText;
import io.weir.server.monitor.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's admin listener. Statistics and health are of all workers; caches, logs and certificates are changed in
 * all; everything else is asked of the first worker, and changes of the configuration, which it applies, are followed by
 * the others. {@code ?process=N} asks one worker alone. Shared; everything waits, so nothing runs on the loop.
 */
final class ProcessViews {
    private static final Pattern FORGOTTEN = Pattern.compile("\\{\"forgotten\":(\\d{1,9})}\\s*");
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private final Workers workers;
    private final WorkerClient client;
    private final Sums sums;
    private final LiveChange changes;
    private final Clock clock;

    ProcessViews(Workers workers, WorkerClient client, Sums sums, LiveChange changes, Clock clock) {
        this.clock = clock;
        this.workers = workers;
        this.client = client;
        this.sums = sums;
        this.changes = changes;
    }

    AdminRouter router() {
        AdminRouter router = new AdminRouter();
        for (String method : new String[] {"GET", "POST", "PUT", "DELETE", "PATCH"}) {
            router.on(method, "/*", Where.THREAD, this::toOne);
        }
        router.on("GET", "/metrics", Where.THREAD, r -> one(r) ? toOne(r) : metrics());
        router.on("GET", "/stats-xml", Where.THREAD, r -> one(r) ? toOne(r) : statsXml(r));
        router.on("GET", "/stats-xml/proxystats.xml", Where.THREAD, r -> one(r) ? toOne(r) : statsXml(r));
        router.on("GET", "/.perf", Where.THREAD, r -> one(r) ? toOne(r) : perfdump(r));
        router.on("GET", "/health", Where.THREAD, r -> one(r) ? toOne(r) : health(r));
        router.on("GET", "/health/ready", Where.THREAD, r -> one(r) ? toOne(r) : health(r));
        router.on("GET", "/knobs", Where.THREAD, this::toOne);
        router.on("PATCH", "/knobs", Where.THREAD, changes::change);
        router.on("DELETE", "/knobs/*", Where.THREAD, changes::change);
        router.on("POST", "/config/rollback", Where.THREAD, changes::change);
        router.on("POST", "/config/reload", Where.THREAD, changes::change);
        router.on("POST", "/config/follow", Where.THREAD, _ -> AdminAnswer.problem(404, "Not found", "/config/follow"));
        router.on("POST", "/upgrade", Where.THREAD, _ -> upgrade());
        router.get("/upgrade", _ -> AdminAnswer.json(200, "{\"upgrade\":" + Json.quote(workers.upgrade()) + "}\n"));
        router.first("/health/live", _ -> AdminAnswer.json(200, "{\"status\":\"up\"}\n"));
        router.on("DELETE", "/cache", Where.THREAD, r -> one(r) ? toOne(r) : toAll(r));
        router.on("POST", "/access-log/rotate", Where.THREAD, r -> one(r) ? toOne(r) : toAll(r));
        router.on("POST", "/access-log/reopen", Where.THREAD, r -> one(r) ? toOne(r) : toAll(r));
        router.on("POST", "/tls/reload", Where.THREAD, r -> one(r) ? toOne(r) : toAll(r));
        return router;
    }

    private static boolean one(AdminRequest request) {
        return request.parameter("process") != null;
    }

    private AdminAnswer toOne(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        String asked = request.parameter("process");
        if (asked != null && !asked.matches("[1-9][0-9]?")) {
            return AdminAnswer.problem(400, "Bad request", "process takes the number of a process, not " + asked);
        }
        int process = asked == null ? 1 : Integer.parseInt(asked);
        String admin = admins.get(process);
        if (admin == null) {
            return notReady(process, admins);
        }
        return client.ask(admin, request);
    }

    private static AdminAnswer notReady(int process, Map<Integer, String> admins) {
        return AdminAnswer.problem(
                503, "Service unavailable", "Process " + process + " is not ready; ready are " + admins.keySet());
    }

    /** A change in all; the first answer that is none of success is given. */
    private AdminAnswer toAll(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        @Nullable AdminAnswer first = null;
        long forgotten = 0;
        for (String admin : admins.values()) {
            AdminAnswer answer = client.ask(admin, request);
            if (answer.status() != 200) {
                return answer;
            }
            Matcher m = FORGOTTEN.matcher(answer.body());
            forgotten += m.matches() ? Long.parseLong(m.group(1)) : 0;
            first = first == null ? answer : first;
        }
        if (first == null) {
            return notReady(1, admins);
        }
        return FORGOTTEN.matcher(first.body()).matches()
                ? AdminAnswer.json(200, "{\"forgotten\":" + forgotten + "}\n")
                : first;
    }

    private AdminAnswer upgrade() throws IOException {
        Launch next = workers.launch().again();
        return changes.upgrade(next)
                ? AdminAnswer.json(202, "{\"upgrade\":\"running\"}\n")
                : AdminAnswer.problem(409, "Conflict", "An upgrade is under way already, or the server stops.");
    }

    private AdminAnswer metrics() throws IOException, InterruptedException {
        return AdminAnswer.of(200, METRICS, sums.write());
    }

    private AdminAnswer statsXml(AdminRequest request) throws IOException, InterruptedException {
        List<String> documents = new ArrayList<>();
        for (Map.Entry<Integer, String> e : workers.admins().entrySet()) {
            AdminAnswer answer = client.ask(
                    e.getValue(), e.getKey() == 1 ? request : WorkerClient.with(request, "cluster-bucket", "0"));
            if (answer.status() != 200) {
                return answer;
            }
            documents.add(answer.body());
        }
        return documents.isEmpty()
                ? notReady(1, Map.of())
                : AdminAnswer.xml(StatsXmlSum.of(documents, workers.slots()));
    }

    /** A table of the processes, the figures of all, and what only the first has. */
    private AdminAnswer perfdump(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        List<ProcessesText.Told> processes = new ArrayList<>();
        for (int i = 1; i <= workers.slots(); i++) {
            String admin = admins.get(i);
            processes.add(new ProcessesText.Told(
                    i, admin == null ? List.of() : List.of(Snapshot.parse(client.get(admin, "/figures")))));
        }
        if (admins.isEmpty()) {
            return notReady(1, admins);
        }
        String first = admins.containsKey(1) ? toOne(request).body() : "";
        String text = ProcessesText.perfdump(ProcessHandle.current().pid(), processes, first, clock.millis());
        String refresh = request.parameter("refresh");
        AdminAnswer answer = AdminAnswer.text(text);
        return refresh != null && refresh.matches("[1-9][0-9]{0,4}") ? answer.with("Refresh", refresh) : answer;
    }

    /** The worst of all. */
    private AdminAnswer health(AdminRequest request) throws IOException, InterruptedException {
        Map<Integer, String> admins = workers.admins();
        StringBuilder each = new StringBuilder();
        boolean good = true;
        boolean warned = false;
        for (int i = 1; i <= workers.slots(); i++) {
            String admin = admins.get(i);
            AdminAnswer answer =
                    admin == null ? AdminAnswer.json(503, "{\"status\":\"starting\"}") : client.ask(admin, request);
            good &= answer.status() == 200;
            warned |= answer.body().startsWith("{\"status\":\"warning\"");
            each.append(each.isEmpty() ? "" : ",").append("{\"process\":").append(i);
            each.append(",\"health\":").append(answer.body().strip()).append('}');
        }
        return AdminAnswer.json(
                good ? 200 : 503,
                "{\"status\":\"" + (good ? warned ? "warning" : "up" : "degraded") + "\",\"processes\":[" + each
                        + "]}\n");
    }
}
