package io.weir.server.processes;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.admin.LaterHandler;
import io.weir.server.admin.views.CacheViews;
import io.weir.server.monitor.CacheQuery;
import io.weir.server.monitor.MonitorViews;
import io.weir.server.monitor.ProcessesText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The page {@code /nsc} of all workers: their figures added up, their entries in turn, and its changes in all. Shared. */
final class CacheControl {
    /** The workers, as needed here. */
    record Processes(LaterHandler one, LaterHandler all, Sum sum, Merge merge) {}

    /** A request that all processes answer: the first refusal, or what is computed from their answers. */
    @FunctionalInterface
    interface Merge {
        CompletableFuture<AdminAnswer> of(AdminRequest request, Function<List<String>, String> merge);
    }

    /** A view that is computed from the answers of all processes to another one. */
    @FunctionalInterface
    interface Sum {
        CompletableFuture<AdminAnswer> of(String path, Function<List<String>, String> sum);
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_TOP = 20;

    private final Processes processes;
    private final LiveChange changes;

    CacheControl(Processes processes, LiveChange changes) {
        this.processes = processes;
        this.changes = changes;
    }

    void register(AdminRouter router) {
        router.later("GET", "/cache", this::show);
        router.later("GET", "/cache/top", this::top);
        for (String page : CacheViews.PAGES) {
            router.later("GET", page, this::page);
            router.on("POST", page, Where.THREAD, this::change);
        }
    }

    private CompletableFuture<AdminAnswer> page(AdminRequest request) {
        if (request.parameter("process") != null) {
            return processes.one().answer(request);
        }
        AdminAnswer other = CacheQuery.refused(request);
        if (other != null) {
            return CompletableFuture.completedFuture(other);
        }
        int listed = CacheQuery.listed(request);
        return processes
                .sum()
                .of(
                        "/figures/cache" + (listed == 0 ? "" : "?list=" + listed),
                        all -> ProcessesText.cachePage(all, listed))
                .thenApply(a -> a.status() == 200 ? MonitorViews.refreshed(request, AdminAnswer.html(a.body())) : a);
    }

    private CompletableFuture<AdminAnswer> show(AdminRequest request) {
        return request.parameter("process") != null
                ? processes.one().answer(request)
                : processes.merge().of(request, CacheControl::shown);
    }

    /** The processes of all. */
    private static String shown(List<String> all) {
        ObjectNode sum = JSON.createObjectNode();
        ArrayNode processes = sum.putArray("processes");
        all.forEach(one -> JSON.readTree(one).get("processes").forEach(processes::add));
        return sum + "\n";
    }

    private CompletableFuture<AdminAnswer> top(AdminRequest request) {
        String by = "bytes".equals(request.parameter("by")) ? "memoryBytes" : "hits";
        String n = request.parameter("n");
        return request.parameter("process") != null
                ? processes.one().answer(request)
                : processes.merge().of(request, all -> top(all, by, n == null ? USUAL_TOP : Integer.parseInt(n)));
    }

    /** The largest of all. */
    private static String top(List<String> all, String by, int n) {
        long examined = 0;
        List<JsonNode> objects = new ArrayList<>();
        for (String one : all) {
            JsonNode top = JSON.readTree(one);
            examined += top.get("examined").asLong();
            top.get("objects").forEach(objects::add);
        }
        ObjectNode sum = JSON.createObjectNode().put("examined", examined);
        ArrayNode most = sum.putArray("objects");
        objects.stream()
                .sorted(Comparator.comparingLong((JsonNode o) -> o.get(by).asLong())
                        .reversed())
                .limit(n)
                .forEach(most::add);
        return sum + "\n";
    }

    private AdminAnswer change(AdminRequest request) throws IOException, InterruptedException {
        AdminRequest change = CacheViews.change(request);
        if (change != null) {
            return changes.change(change);
        }
        if (request.parameter("process") != null && request.parameter("restart") == null) {
            return AdminAnswer.problem(
                    400,
                    "Bad request",
                    "The cache is on or off in all processes: leave process= out. Nothing was changed.");
        }
        try {
            return processes.all().answer(request).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
