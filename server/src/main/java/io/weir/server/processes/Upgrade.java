package io.weir.server.processes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One replacement of all workers. New ones are started beside the old ones, on the same sockets, and nothing is taken from
 * those before all new ones are ready: when one does not become ready, the new ones go and the old ones stay. Messaging
 * and the cluster can be open in one process only: the first worker lets go of them when the others' successors are
 * ready, and serves http on until its own is. Confined to the supervisor's loop; used once.
 */
final class Upgrade {
    private static final long PATIENCE_SECONDS = 60;

    private final Workers workers;
    private final List<Slot> slots;
    private final Launch before;
    private final Launch by;
    private final Executor loop;
    private final Map<Slot, Worker> fresh = new LinkedHashMap<>();

    /** @param before how the workers that are to be replaced were started */
    Upgrade(Workers workers, List<Slot> slots, Launch before, Launch by, Executor loop) {
        this.workers = workers;
        this.slots = slots;
        this.before = before;
        this.by = by;
        this.loop = loop;
    }

    /** Completes when the new ones serve; exceptionally when the old ones go on, saying why. */
    CompletableFuture<Void> run() {
        return others().thenComposeAsync(_ -> first(), loop)
                .thenAcceptAsync(_ -> fresh.forEach(workers::replace), loop)
                .exceptionallyComposeAsync(
                        failure -> {
                            undo();
                            return CompletableFuture.failedFuture(reason(failure));
                        },
                        loop);
    }

    private CompletableFuture<Void> others() {
        List<CompletableFuture<Worker>> each = new ArrayList<>();
        try {
            for (Slot slot : slots.subList(1, slots.size())) {
                Worker w = workers.candidate(slot, by);
                fresh.put(slot, w);
                each.add(w.ready());
            }
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return Workers.all(each).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private CompletableFuture<Worker> first() {
        Slot slot = slots.getFirst();
        Worker old = slot.worker();
        CompletableFuture<Boolean> released = old == null ? CompletableFuture.completedFuture(true) : old.release();
        return released.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .thenComposeAsync(_ -> started(slot, by), loop)
                .exceptionallyComposeAsync(failure -> back(slot, failure), loop);
    }

    private CompletableFuture<Worker> started(Slot slot, Launch how) {
        try {
            Worker w = workers.candidate(slot, how);
            fresh.put(slot, w);
            return w.ready().copy().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The old one has let go of messaging and the cluster: one of its kind takes them and its place. */
    private CompletableFuture<Worker> back(Slot slot, Throwable failure) {
        Worker failed = fresh.remove(slot);
        if (failed != null) {
            failed.process().destroyForcibly();
        }
        return started(slot, before)
                .thenComposeAsync(
                        w -> {
                            fresh.remove(slot);
                            workers.replace(slot, w);
                            return CompletableFuture.failedFuture(reason(failure));
                        },
                        loop);
    }

    private void undo() {
        for (Worker w : fresh.values()) {
            if (w.state() == Worker.State.READY) {
                w.drain(Orders.RETIRE);
            } else if (w.state() == Worker.State.STARTING) {
                w.process().destroyForcibly();
            }
        }
    }

    private static Throwable reason(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof TimeoutException
                ? new IOException("the new processes were not ready within " + PATIENCE_SECONDS + " s", cause)
                : cause;
    }
}
