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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** The page {@code /nsc} of all workers: their figures added up, their entries in turn, and its changes in all. Shared. */
final class CacheControl {
    /** The workers, as needed here. */
    record Processes(LaterHandler one, LaterHandler all, Sum sum) {}

    /** A view that is computed from the answers of all processes to another one. */
    @FunctionalInterface
    interface Sum {
        CompletableFuture<AdminAnswer> of(String path, Function<List<String>, String> sum);
    }

    private final Processes processes;
    private final LiveChange changes;

    CacheControl(Processes processes, LiveChange changes) {
        this.processes = processes;
        this.changes = changes;
    }

    void register(AdminRouter router) {
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
