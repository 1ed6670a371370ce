package io.weir.server.processes;

import io.weir.base.Clock;
import io.weir.base.Stats;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.AdminStats;
import io.weir.server.admin.LaterHandler;
import io.weir.server.admin.views.CacheViews;
import io.weir.server.monitor.MonitorViews;
import io.weir.server.monitor.ProcessesText;
import io.weir.server.monitor.PrometheusView;
import io.weir.server.monitor.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's admin listener. Statistics and health are of all workers; caches, logs and certificates are changed
 * in all; everything else goes to the first worker; changes of the configuration are applied there, then by the others.
 * {@code ?process=N} queries one worker alone. No thread waits for a worker, so one that hangs is reported as missing
 * in the views, and delays none of them. Shared.
 */
final class ProcessViews {
    private static final Pattern PARTITIONS = Pattern.compile("\\{\"partitions\":\\[(.*)]}\\s*");
    private static final Pattern FORGOTTEN = Pattern.compile("\\{\"forgotten\":(\\d{1,9})([,}].*)", Pattern.DOTALL);
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private static final String NO_ANSWER = "no-answer";

    /** A process that answers has applied a purge within milliseconds. */
    private static final Duration APPLIED = Duration.ofSeconds(5);

    private static final Duration RECENT = Duration.ofSeconds(1);

    /** Maximum number of different stats-xml requests processed at once; authenticated ones may be as many more. */
    private static final int MAX_DOCUMENTS = 4;

    private final Workers workers;
    private final WorkerQueries queries;
    private final LiveChange changes;
    private final Executor thread;
    private final Clock clock;
    private final Stats stats;
    private final Rounds<AdminAnswer> full;
    private final Rounds<AdminAnswer> brief;
    private final Rounds<AdminAnswer> report;
    private final Rounds<AdminAnswer> figures;
    private final Rounds<AdminAnswer> openFigures;
    private final ProcessesText.Supervisor supervisor;
    private final Map<String, Rounds<AdminAnswer>> documents = new LinkedHashMap<>();

    /** @param thread assembles answers */
    ProcessViews(
            Workers workers,
            WorkerQueries queries,
            Sums sums,
            LiveChange changes,
            Executor thread,
            Clock clock,
            Stats stats) {
        this.workers = workers;
        this.queries = queries;
        this.changes = changes;
        this.thread = thread;
        this.clock = clock;
        this.stats = stats;
        this.full = new Rounds<>(() -> health("/health"), clock);
        this.brief = new Rounds<>(() -> health("/health/ready"), clock);
        this.report = new Rounds<>(this::perfdump, clock);
        long now = clock.millis();
        ProcessHandle self = ProcessHandle.current();
        long since = self.info().startInstant().map(Instant::toEpochMilli).orElse(now);
        this.supervisor = new ProcessesText.Supervisor(self.pid(), since, now);
        this.openFigures =
                new Rounds<>(() -> sums.writeOpen().thenApply(text -> AdminAnswer.of(200, OPEN_METRICS, text)), clock);
        this.figures = new Rounds<>(() -> sums.write().thenApply(text -> AdminAnswer.of(200, METRICS, text)), clock);
    }

    AdminRouter router() {
        AdminRouter router = new AdminRouter().vital("/.perf", "/metrics", "/health", "/health/ready");
        for (String method : new String[] {"GET", "POST", "PUT", "DELETE", "PATCH"}) {
            router.later(method, "/*", this::toOne);
        }
        view(router, "/metrics", r -> PrometheusView.isOpen(r.field("accept")) ? openFigures : figures);
        for (String path : new String[] {"/stats-xml", "/stats-xml/proxystats.xml"}) {
            // without the process elements, as with one process
            router.later("GET", path, r -> one(r) && !"0".equals(r.parameter("process")) ? toOne(r) : statsXml(r));
        }
        router.get("/proxystats.dtd", _ -> MonitorViews.documentType())
                .get("/stats-xml/proxystats.dtd", _ -> MonitorViews.documentType());
        view(router, "/.perf", _ -> report);
        view(router, "/health", _ -> full);
        view(router, "/health/ready", _ -> brief);
        router.later("GET", "/knobs", this::toOne);
        router.later("GET", "/knobs/*", this::toOne);
        router.later("GET", "/origins", r -> one(r) ? toOne(r) : origins());
        router.later("GET", "/traffic", r -> one(r) ? toOne(r) : traffic(r));
        router.on("PATCH", "/knobs", Where.THREAD, changes::change);
        router.on("POST", "/knobs", Where.THREAD, changes::change);
        router.on("DELETE", "/knobs/*", Where.THREAD, changes::change);
        router.on("POST", "/config/rollback", Where.THREAD, changes::change);
        router.on("POST", "/config/reload", Where.THREAD, changes::change);
        router.on("POST", "/config/follow", Where.THREAD, _ -> AdminAnswer.problem(404, "Not found", "/config/follow"));
        router.on("POST", "/upgrade", Where.THREAD, _ -> upgrade());
        router.get("/upgrade", _ -> AdminAnswer.json(200, j -> j.add("upgrade", workers.upgrade())));
        router.first("/health/live", _ -> AdminAnswer.json(200, j -> j.add("status", "up")));
        router.later("DELETE", "/cache", this::purge);
        new CacheControl(new CacheControl.Processes(this::toOne, this::toAll, this::ofAll, this::merged), changes)
                .register(router);
        router.later("POST", "/cache/gc", this::toAll);
        router.later("GET", "/cache/gc", r -> one(r) ? toOne(r) : collections(r));
        router.later("POST", "/access-log/rotate", this::toAll);
        router.later("POST", "/access-log/reopen", this::toAll);
        router.later("POST", "/tls/reload", this::toAll);
        return router;
    }

    /**
     * A view of all workers, or of a given one; beyond the bound of waiting clients the last round's result is served.
     */
    private void view(AdminRouter router, String path, Function<AdminRequest, Rounds<AdminAnswer>> rounds) {
        router.later("GET", path, new LaterHandler() {
            @Override
            public CompletableFuture<AdminAnswer> answer(AdminRequest r) {
                return one(r)
                        ? toOne(r)
                        : rounds.apply(r).nextResult().thenApply(answer -> MonitorViews.refreshed(r, answer));
            }

            @Override
            public boolean sharing(AdminRequest r) {
                return !one(r);
            }

            @Override
            public @Nullable AdminAnswer recent(AdminRequest r) {
                AdminAnswer found = one(r) ? null : rounds.apply(r).recent(RECENT);
                return found == null ? null : MonitorViews.refreshed(r, found);
            }
        });
    }

    private static boolean one(AdminRequest request) {
        return request.parameter("process") != null;
    }

    private CompletableFuture<Map<Integer, String>> admins() {
        return CompletableFuture.supplyAsync(workers::admins, thread);
    }

    private CompletableFuture<AdminAnswer> toOne(AdminRequest request) {
        String given = request.parameter("process");
        if (given != null && !given.matches("[1-9][0-9]?")) {
            return CompletableFuture.completedFuture(
                    AdminAnswer.problem(400, "Bad request", "process takes the number of a process, not " + given));
        }
        int process = given == null ? 1 : Integer.parseInt(given);
        if (process > workers.slots()) {
            return CompletableFuture.completedFuture(AdminAnswer.problem(
                    400, "Bad request", "process is 1 to " + workers.slots() + " (server.processes), not " + given));
        }
        return admins().thenCompose(admins -> {
            String admin = admins.get(process);
            if (admin == null) {
                return CompletableFuture.completedFuture(notReady(process, admins));
            }
            CompletableFuture<Optional<AdminAnswer>> answer = queries.pass(admin, request);
            return answer == null
                    ? CompletableFuture.completedFuture(
                            busy("Process " + process + " has " + WorkerQueries.MAX_REQUESTS + " requests"))
                    : answer.thenApply(a -> a.orElseGet(() -> silent(process)));
        });
    }

    private static AdminAnswer notReady(int process, Map<Integer, String> admins) {
        return AdminAnswer.problem(
                503, "Service unavailable", "Process " + process + " is not ready; ready are " + admins.keySet());
    }

    private static AdminAnswer silent(int process) {
        return AdminAnswer.problem(
                503,
                "Service unavailable",
                "Process " + process + " does not answer: it hangs, or has just ended. Look at /health.");
    }

    private AdminAnswer busy(String why) {
        stats.counter(AdminStats.BUSY).inc();
        return AdminAnswer.problem(503, "Service unavailable", why + " to answer: try again later.")
                .with("Retry-After", "1");
    }

    /** Makes a change in all processes; returns the first answer that is not a success. */
    private CompletableFuture<AdminAnswer> toAll(AdminRequest request) {
        if (one(request)) {
            return toOne(request);
        }
        return admins().thenCompose(admins -> each(admins, admin -> queries.answer(admin, request)))
                .thenApply(answers -> ofAll(answers));
    }

    /**
     * Purges all processes: those that serve are asked, for what they remove. All, also those that start or drain, get
     * it with a number, which tells their caches from whom they may take something.
     */
    private CompletableFuture<AdminAnswer> purge(AdminRequest request) {
        String url = one(request) ? null : CacheViews.purged(request);
        if (url == null || url.length() > StateLimits.URL) {
            return toAll(request);
        }
        CompletableFuture<AdminAnswer> counted = toAll(request);
        // not before: what the number removes is not counted
        return counted.thenApply(_ -> true)
                .exceptionally(_ -> false)
                .thenCompose(_ -> workers.purge(url, APPLIED))
                .thenCombine(
                        counted,
                        (late, answer) -> late.isEmpty() || answer.status() != 200 ? answer : silent(late.getFirst()));
    }

    private static AdminAnswer ofAll(Map<Integer, Optional<AdminAnswer>> answers) {
        long forgotten = 0;
        for (Map.Entry<Integer, Optional<AdminAnswer>> e : answers.entrySet()) {
            AdminAnswer answer = e.getValue().orElseGet(() -> silent(e.getKey()));
            if (answer.status() != 200) {
                return answer;
            }
            Matcher m = FORGOTTEN.matcher(answer.body());
            forgotten += m.matches() ? Long.parseLong(m.group(1)) : 0;
        }
        long sum = forgotten;
        AdminAnswer first =
                answers.values().stream().flatMap(Optional::stream).findFirst().orElseGet(() -> notReady(1, Map.of()));
        // the first process tells what the other members did
        Matcher m = FORGOTTEN.matcher(first.body());
        return m.matches() ? AdminAnswer.json(200, "{\"forgotten\":" + sum + m.group(2)) : first;
    }

    /** The partitions of all processes, each with the number of its process. */
    private CompletableFuture<AdminAnswer> collections(AdminRequest request) {
        return admins().thenCompose(admins -> each(admins, admin -> queries.answer(admin, request)))
                .thenApply(answers -> {
                    List<String> partitions = new ArrayList<>();
                    for (Map.Entry<Integer, Optional<AdminAnswer>> e : answers.entrySet()) {
                        AdminAnswer answer = e.getValue().orElseGet(() -> silent(e.getKey()));
                        Matcher listed = PARTITIONS.matcher(answer.body());
                        if (!listed.matches()) {
                            return answer;
                        }
                        // names of partitions have no quotes
                        String with = "{\"process\":" + e.getKey() + ",\"partition\":";
                        partitions.add(listed.group(1).replace("{\"partition\":", with));
                    }
                    partitions.removeIf(String::isEmpty);
                    return AdminAnswer.json(200, "{\"partitions\":[" + String.join(",", partitions) + "]}\n");
                });
    }

    /** Queries each process, and returns the answers by process number; empty for those that do not answer. */
    private <T> CompletableFuture<Map<Integer, Optional<T>>> each(
            Map<Integer, String> admins, Function<String, CompletableFuture<Optional<T>>> question) {
        Map<Integer, CompletableFuture<Optional<T>>> pending = new LinkedHashMap<>();
        admins.forEach((process, admin) -> pending.put(process, question.apply(admin)));
        return CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
                .thenApplyAsync(
                        _ -> {
                            Map<Integer, Optional<T>> said = new LinkedHashMap<>();
                            pending.forEach((process, answer) -> said.put(process, answer.join()));
                            return said;
                        },
                        thread);
    }

    private AdminAnswer upgrade() throws IOException {
        Launch next = workers.launch().again();
        return changes.upgrade(next)
                ? AdminAnswer.json(202, j -> j.add("upgrade", "running"))
                : AdminAnswer.problem(409, "Conflict", "An upgrade is under way already, or the server stops.");
    }

    private CompletableFuture<AdminAnswer> statsXml(AdminRequest request) {
        String query = request.query().entrySet().stream()
                .filter(e -> !e.getKey().equals("refresh"))
                .map(e -> WorkerClient.encoded(e.getKey()) + "=" + WorkerClient.encoded(e.getValue()))
                .sorted()
                .collect(Collectors.joining("&"));
        Rounds<AdminAnswer> round;
        synchronized (documents) {
            if (!documents.containsKey(query) && documents.size() >= MAX_DOCUMENTS) {
                documents.values().removeIf(Rounds::idle);
            }
            int most = request.anonymous() ? MAX_DOCUMENTS : 2 * MAX_DOCUMENTS;
            if (!documents.containsKey(query) && documents.size() >= most) {
                return CompletableFuture.completedFuture(busy("There are " + MAX_DOCUMENTS + " other documents"));
            }
            round = documents.computeIfAbsent(query, q -> new Rounds<>(() -> document(q), clock));
        }
        return round.nextResult().thenApply(answer -> MonitorViews.refreshed(request, answer));
    }

    private CompletableFuture<AdminAnswer> document(String query) {
        String without = query.isEmpty() ? "?cluster-bucket=0" : "?" + query + "&cluster-bucket=0";
        return admins().thenCompose(admins -> {
            Map<Integer, Long> pids = workers.pids();
            String first = admins.get(1);
            return each(
                            admins,
                            admin -> queries.view(
                                    admin,
                                    "/stats-xml"
                                            + (admin.equals(first) ? query.isEmpty() ? "" : "?" + query : without)))
                    .thenApply(said -> document(said, pids));
        });
    }

    private AdminAnswer document(Map<Integer, Optional<String>> said, Map<Integer, Long> pids) {
        List<String> texts = said.values().stream().flatMap(Optional::stream).toList();
        if (texts.isEmpty()) {
            return none(said.keySet());
        }
        List<Long> silent = said.entrySet().stream()
                .filter(e -> e.getValue().isEmpty())
                .map(e -> pids.getOrDefault(e.getKey(), 0L))
                .toList();
        try {
            return AdminAnswer.xml(StatsXmlSum.of(texts, silent, workers.slots()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AdminAnswer none(Collection<Integer> ready) {
        return ready.isEmpty()
                ? notReady(1, Map.of())
                : AdminAnswer.problem(503, "Service unavailable", "None of the processes " + ready + " answers.");
    }

    private CompletableFuture<AdminAnswer> origins() {
        return ofAll(
                "/figures",
                all -> ProcessesText.origins(all.stream().map(Snapshot::parse).toList()));
    }

    private CompletableFuture<AdminAnswer> traffic(AdminRequest request) {
        int clients = MonitorViews.clients(request);
        return clients < 0
                ? CompletableFuture.completedFuture(MonitorViews.wrongClients())
                : ofAll("/figures/traffic?clients=" + clients, all -> ProcessesText.traffic(all, clients));
    }

    /** A JSON view computed from the answers of the processes that answer. */
    private CompletableFuture<AdminAnswer> ofAll(String path, Function<List<String>, String> sum) {
        return admins().thenCompose(admins -> each(admins, admin -> queries.view(admin, path)))
                .thenApplyAsync(
                        said -> {
                            List<String> texts = said.values().stream()
                                    .flatMap(Optional::stream)
                                    .toList();
                            return texts.isEmpty() ? none(said.keySet()) : AdminAnswer.json(200, sum.apply(texts));
                        },
                        thread);
    }

    /** A request that all processes answer: the first refusal, or what is computed from their answers. */
    private CompletableFuture<AdminAnswer> merged(AdminRequest request, Function<List<String>, String> merge) {
        return admins().thenCompose(admins -> each(admins, admin -> queries.answer(admin, request)))
                .thenApplyAsync(
                        said -> {
                            List<AdminAnswer> answers = said.values().stream()
                                    .flatMap(Optional::stream)
                                    .toList();
                            Optional<AdminAnswer> refusal = answers.stream()
                                    .filter(a -> a.status() != 200)
                                    .findFirst();
                            if (refusal.isPresent() || answers.isEmpty()) {
                                return refusal.orElseGet(() -> none(said.keySet()));
                            }
                            return AdminAnswer.json(
                                    200,
                                    merge.apply(answers.stream()
                                            .map(AdminAnswer::body)
                                            .toList()));
                        },
                        thread);
    }

    /** A table of the processes, the sums of their figures, and the parts that only the first has. */
    private CompletableFuture<AdminAnswer> perfdump() {
        return admins().thenCompose(admins -> {
            Map<Integer, Long> pids = workers.pids();
            String first = admins.get(1);
            CompletableFuture<Optional<String>> own =
                    first == null ? CompletableFuture.completedFuture(Optional.empty()) : queries.view(first, "/.perf");
            return each(admins, admin -> queries.view(admin, "/figures"))
                    .thenCombineAsync(own, (said, text) -> perfdump(said, pids, text.orElse("")), thread);
        });
    }

    private AdminAnswer perfdump(Map<Integer, Optional<String>> said, Map<Integer, Long> pids, String first) {
        List<ProcessesText.ProcessAnswer> processes = new ArrayList<>();
        Map<Integer, Worker.State> unserving = workers.unserving();
        for (int i = 1; i <= workers.slots(); i++) {
            Optional<String> figures = said.getOrDefault(i, Optional.empty());
            processes.add(new ProcessesText.ProcessAnswer(
                    i,
                    said.containsKey(i) ? pids.getOrDefault(i, 0L) : 0,
                    said.containsKey(i) ? NO_ANSWER : word(unserving.get(i)).replace(' ', '-'),
                    figures.map(Snapshot::parse).stream().toList()));
        }
        if (processes.stream().allMatch(p -> p.figures().isEmpty())) {
            return none(said.keySet());
        }
        return AdminAnswer.text(ProcessesText.perfdump(supervisor, processes, first, clock.millis()));
    }

    /**
     * The status of a slot without a ready worker.
     *
     * @param in the state of its worker; null if it serves by now
     */
    static String word(Worker.@Nullable State in) {
        return switch (in) {
            case DRAINING -> "draining";
            case GONE -> "no process";
            case STARTING, READY -> "starting";
            case null -> "starting";
        };
    }

    /** The worst health of all processes. */
    private CompletableFuture<AdminAnswer> health(String path) {
        return admins().thenCompose(admins -> each(admins, admin -> queries.look(admin, path)))
                .thenApply(this::health);
    }

    private AdminAnswer health(Map<Integer, Optional<AdminAnswer>> said) {
        List<String> healths = new ArrayList<>();
        Map<Integer, Worker.State> unserving = workers.unserving();
        boolean good = true;
        boolean warned = false;
        for (int i = 1; i <= workers.slots(); i++) {
            Optional<AdminAnswer> answered = said.get(i);
            AdminAnswer answer =
                    answered == null ? status(word(unserving.get(i))) : answered.orElseGet(() -> status("no answer"));
            good &= answer.status() == 200;
            warned |= answer.body().startsWith("{\"status\":\"warning\"");
            healths.add(answer.body().strip());
        }
        String status = good ? warned ? "warning" : "up" : "degraded";
        return AdminAnswer.json(
                good ? 200 : 503,
                j -> j.add("status", status)
                        .array(
                                "processes",
                                IntStream.rangeClosed(1, healths.size()).boxed().toList(),
                                (i, row) -> row.add("process", i).written("health", healths.get(i - 1))));
    }

    /** The status of a process that has not reported it. */
    private static AdminAnswer status(String word) {
        return AdminAnswer.json(503, j -> j.add("status", word));
    }
}
