package io.weir.server.processes;

import io.netty.channel.EventLoop;
import io.weir.base.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One replacement of all workers. New ones are started beside the old ones, on the same sockets, and nothing is taken
 * from those before all new ones are ready: if one does not become ready, or ends before it takes over, the new ones
 * end and the old ones stay. Messaging and the cluster can be open in one process only: the first worker releases them
 * when the others' successors are ready, and keeps serving http until its own successor is ready. Confined to the
 * supervisor's loop; used once.
 */
final class Upgrade {
    /** The progress of the upgrade. */
    enum State {
        /** The successors of all but the first are starting. */
        OTHERS,
        /** The first is releasing messaging and the cluster. */
        RELEASING,
        /** Its successor is starting. */
        FIRST,
        /** The upgrade failed, and a worker of the old version replaces the first, which had released them. */
        BACK,
        OVER
    }

    /** Recovering a journal can take long; a worker that hangs is detected earlier ({@link Pulse}). */
    private static final long PATIENCE_SECONDS = 300;

    private final Crew crew;
    private final Slot first;
    private final List<Slot> others;
    private final Launch by;
    private final Duration drain;
    private final EventLoop loop;
    private final Log log;
    private final Map<Slot, Worker> fresh = new LinkedHashMap<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private State state = State.OTHERS;
    private @Nullable Throwable failure;
    /** Whether the first has released them, or has ended. */
    private boolean free;

    private boolean backed;

    /** @param drain how long the first worker may take to release them */
    Upgrade(Crew crew, Launch by, Duration drain, EventLoop loop, Log log) {
        this.crew = crew;
        this.first = crew.slots().getFirst();
        this.others = crew.slots().subList(1, crew.slots().size());
        this.by = by;
        this.drain = drain;
        this.loop = loop;
        this.log = log;
    }

    private void transition(State next, String reason) {
        log.log(ProcessMessages.UPGRADE_STATE, next, reason);
        state = next;
    }

    /**
     * Completes when the new ones serve; exceptionally with the reason when the old ones continue; cancelled when all
     * stop.
     */
    CompletableFuture<Void> run() {
        limit(State.OTHERS, Duration.ZERO);
        others.forEach(this::start);
        ready();
        return done;
    }

    private void limit(State of, Duration more) {
        var _ = loop.schedule(
                () -> {
                    if (state == of) {
                        late();
                    }
                },
                PATIENCE_SECONDS + more.toSeconds(),
                TimeUnit.SECONDS);
    }

    private void late() {
        if (state == State.BACK) {
            over();
        } else {
            // whatever delays the first
            free = true;
            failed(new IOException("the new processes were not ready within " + PATIENCE_SECONDS + " s"));
        }
    }

    private void start(Slot slot) {
        if (state != State.OTHERS && state != State.FIRST) {
            return;
        }
        try {
            Worker w = crew.candidate(slot, by);
            fresh.put(slot, w);
            var _ = w.ready().whenCompleteAsync((_, e) -> completed(e), loop);
            var _ = w.ended().thenAcceptAsync(this::lost, loop);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void completed(@Nullable Throwable e) {
        if (e == null) {
            ready();
        } else {
            failed(e);
        }
    }

    private void lost(Worker w) {
        if (fresh.containsValue(w)) {
            failed(new IOException("worker " + w.slot() + " (process " + w.pid() + ") ended with " + w.how()
                    + " before it took over"));
        }
    }

    /** Called when one is ready; the next step requires that all are ready and alive. */
    private void ready() {
        if (fresh.values().stream().anyMatch(w -> w.state() != Worker.State.READY)) {
            return;
        }
        if (state == State.OTHERS) {
            release();
        } else if (state == State.FIRST) {
            swap();
        }
    }

    private void release() {
        transition(State.RELEASING, "the others are ready");
        limit(State.RELEASING, drain);
        first.held(true);
        Worker old = first.worker();
        CompletableFuture<Boolean> released = old == null
                ? CompletableFuture.completedFuture(true)
                : old.ready().handle((_, _) -> old).thenComposeAsync(Worker::release, loop);
        var _ = released.whenCompleteAsync((_, _) -> released(), loop);
    }

    private void released() {
        free = true;
        if (state == State.RELEASING) {
            transition(State.FIRST, "released");
            limit(State.FIRST, Duration.ZERO);
            start(first);
        } else if (state == State.BACK) {
            back();
        }
    }

    private void swap() {
        first.held(false);
        crew.launch(by);
        fresh.forEach(crew::replace);
        fresh.clear();
        transition(State.OVER, "all are ready");
        done.complete(null);
    }

    private void failed(Throwable why) {
        if (state == State.BACK || state == State.OVER) {
            return;
        }
        if (crew.stopping()) {
            stopped();
            return;
        }
        failure = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        boolean releaseOrdered = state != State.OTHERS;
        transition(State.BACK, String.valueOf(failure.getMessage()));
        limit(State.BACK, drain);
        Worker ofFirst = fresh.remove(first);
        undo();
        if (!releaseOrdered) {
            over();
        } else if (ofFirst != null) {
            // it has messaging, or is about to open it
            ofFirst.kill("the upgrade failed");
            var _ = ofFirst.ended().thenRunAsync(this::back, loop);
        } else if (free) {
            back();
        }
    }

    private void undo() {
        for (Worker w : fresh.values()) {
            crew.retire(w, "the upgrade failed");
        }
        fresh.clear();
        crew.tend();
    }

    /** The old one has released messaging and the cluster: a worker of the old version takes them and its place. */
    private void back() {
        if (backed) {
            return;
        }
        backed = true;
        first.held(false);
        crew.vacate(first);
        Worker next = first.worker();
        if (next == null) {
            over();
        } else {
            var _ = next.ready().whenCompleteAsync((_, _) -> over(), loop);
        }
    }

    /**
     * The new ones have ended, or were not started, because the server stops: nothing failed, and no process continues.
     */
    private void stopped() {
        transition(State.OVER, "the stop of the server");
        done.completeExceptionally(new CancellationException("the server stops"));
    }

    private void over() {
        Throwable why = failure;
        if (state != State.OVER && why != null && crew.stopping()) {
            stopped();
        } else if (state != State.OVER && why != null) {
            first.held(false);
            transition(State.OVER, "the old ones serve");
            crew.tend();
            done.completeExceptionally(why);
        }
    }
}
