package io.weir.server.processes;

import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queries workers without waiting for any that hangs: if an answer takes long, the worker is probed for liveness, which
 * its admin loop answers under any load. One that fails the probe, or that the system has stopped, is silent: no
 * request is sent to it or waits for it until it answers the probe. Workers are identified by the address of their
 * admin listener. Shared.
 */
final class WorkerQueries {
    /** Maximum number of clients' requests in progress at one worker: of authenticated ones, and of others. */
    static final int MAX_REQUESTS = 32;

    /** How long an answer of a responsive worker may take. */
    private static final Duration VIEW = Duration.ofSeconds(10);

    private static final Duration DOUBT = Duration.ofMillis(500);

    /** On a busy machine the first views of a new process take long, and its loop does not answer in the meantime. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String THERE = "/health/live";

    private final WorkerClient client;
    private final Duration doubt;
    private final Duration patience;
    private final Duration longest;
    private final LongPredicate stopped;
    private final ConcurrentMap<String, Line> lines = new ConcurrentHashMap<>();

    WorkerQueries(WorkerClient client) {
        this(client, DOUBT, PATIENCE, VIEW, WorkerQueries::isStopped);
    }

    /**
     * Queries through a client.
     *
     * @param doubt time after which a worker with a pending answer is probed
     * @param patience time-out of the probe
     * @param longest time that an answer of a responsive worker may take
     * @param stopped whether the system has stopped a process
     */
    WorkerQueries(WorkerClient client, Duration doubt, Duration patience, Duration longest, LongPredicate stopped) {
        this.client = client;
        this.doubt = doubt;
        this.patience = patience;
        this.longest = longest;
        this.stopped = stopped;
    }

    private static boolean isStopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            int state = stat.lastIndexOf(") ") + 2;
            return state > 1 && "Tt".indexOf(stat.charAt(state)) >= 0;
        } catch (IOException _) {
            // it has ended, as its connection shows
            return false;
        }
    }

    /** The text of a view; empty if the worker is silent, has ended, or answers with an error. */
    CompletableFuture<Optional<String>> view(String admin, String path) {
        return look(admin, path)
                .thenApply(answer -> answer.filter(a -> a.status() == 200).map(AdminAnswer::body));
    }

    /** The answer of a view; empty if the worker is silent or has ended. */
    CompletableFuture<Optional<AdminAnswer>> look(String admin, String path) {
        return line(admin).query(() -> client.read(admin, path, longest));
    }

    /** The answer to a request, or empty. */
    CompletableFuture<Optional<AdminAnswer>> answer(String admin, AdminRequest request) {
        return line(admin).query(() -> client.forward(admin, request));
    }

    /**
     * The same for a client's request, of which one worker has a bounded number: null beyond that. Those without a token
     * are bounded for themselves, and keep no others out.
     */
    @Nullable
    CompletableFuture<Optional<AdminAnswer>> pass(String admin, AdminRequest request) {
        Line line = line(admin);
        if (line.silent) {
            return line.query(() -> client.forward(admin, request));
        }
        AtomicInteger passed = request.anonymous() ? line.open : line.known;
        if (passed.incrementAndGet() > MAX_REQUESTS) {
            passed.decrementAndGet();
            return null;
        }
        // until it has answered or timed out, even if the client has already been told that it is silent
        return line.query(() -> client.forward(admin, request), passed::decrementAndGet);
    }

    /** Whether a worker is responsive, as far as known. */
    boolean isResponsive(String admin) {
        Line line = lines.get(admin);
        return line == null || !line.silent;
    }

    /** Sets the workers with their process ids; drops all others. */
    void keep(Map<String, Long> pids) {
        lines.keySet().retainAll(pids.keySet());
        pids.forEach((admin, pid) -> line(admin).pid = pid);
    }

    private Line line(String admin) {
        return lines.computeIfAbsent(admin, Line::new);
    }

    /** The queries of one worker. Shared. */
    private final class Line {
        private final String admin;
        private final AtomicInteger known = new AtomicInteger();
        private final AtomicInteger open = new AtomicInteger();
        private volatile long pid;
        private volatile boolean silent;
        private CompletableFuture<Boolean> there = CompletableFuture.completedFuture(true);

        Line(String admin) {
            this.admin = admin;
        }

        <T> CompletableFuture<Optional<T>> query(Supplier<CompletableFuture<T>> question) {
            return query(question, () -> {});
        }

        <T> CompletableFuture<Optional<T>> query(Supplier<CompletableFuture<T>> question, Runnable ended) {
            if (silent) {
                var _ = there();
                ended.run();
                return CompletableFuture.completedFuture(Optional.empty());
            }
            CompletableFuture<Optional<T>> result = new CompletableFuture<>();
            var _ = question.get().whenComplete((answer, failure) -> {
                ended.run();
                result.complete(failure == null ? Optional.of(answer) : Optional.empty());
            });
            doubting().execute(() -> {
                if (!result.isDone()) {
                    doubted(result);
                }
            });
            return result;
        }

        private <T> void doubted(CompletableFuture<Optional<T>> result) {
            CompletableFuture<Boolean> there = there();
            if (pid != 0 && stopped.test(pid)) {
                silent = true;
                result.complete(Optional.empty());
            }
            var _ = there.thenAccept(responsive -> {
                if (!responsive) {
                    result.complete(Optional.empty());
                }
            });
        }

        private Executor doubting() {
            return CompletableFuture.delayedExecutor(doubt.toMillis(), TimeUnit.MILLISECONDS, Runnable::run);
        }

        /** Probes whether it is responsive, unless a probe is in progress. */
        private CompletableFuture<Boolean> there() {
            CompletableFuture<Boolean> probe = probe();
            return probe.copy()
                    .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                    .thenApply(there -> {
                        // an answer that came in the same moment counts
                        boolean responsive = there || probe.getNow(false);
                        silent = !responsive;
                        return responsive;
                    });
        }

        private synchronized CompletableFuture<Boolean> probe() {
            if (there.isDone()) {
                there = client.read(admin, THERE, longest).handle((_, failure) -> {
                    silent = failure != null;
                    return failure == null;
                });
            }
            return there;
        }
    }
}
