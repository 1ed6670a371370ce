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
 * from those before all new ones are ready: when one does not become ready, or ends before it takes over, the new ones
 * go and the old ones stay. Messaging and the cluster can be open in one process only: the first worker lets go of them
 * when the others' successors are ready, and serves http on until its own is. Confined to the supervisor's loop; used
 * once.
 */
final class Upgrade {
    /** How far it is. */
    enum State {
        /** The successors of all but the first start. */
        OTHERS,
        /** The first lets go of messaging and the cluster. */
        RELEASING,
        /** Its successor starts. */
        FIRST,
        /** It failed, and one of the old kind takes the place of the first, which had let go. */
        BACK,
        OVER
    }

    /** A journal takes the time that it takes; one that hangs is noticed before ({@link Pulse}). */
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
    /** The first has let go, or has ended. */
    private boolean free;

    private boolean backed;

    /** @param drain what the first worker may take to let go */
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
     * Completes when the new ones serve; exceptionally when the old ones go on, saying why, cancelled when all stop.
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
            // whatever holds the first up
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
            var _ = w.ready().whenCompleteAsync((_, e) -> heard(e), loop);
            var _ = w.ended().thenAcceptAsync(this::lost, loop);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void heard(@Nullable Throwable e) {
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

    /** One of them is; what follows takes all, and all of them alive. */
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
        boolean asked = state != State.OTHERS;
        transition(State.BACK, String.valueOf(failure.getMessage()));
        limit(State.BACK, drain);
        Worker ofFirst = fresh.remove(first);
        undo();
        if (!asked) {
            over();
        } else if (ofFirst != null) {
            // it has messaging, or is about to
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

    /** The old one has let go of messaging and the cluster: one of its kind takes them and its place. */
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

    /** The new ones ended, or were not started, because the server stops: nothing failed, and no process continues. */
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
