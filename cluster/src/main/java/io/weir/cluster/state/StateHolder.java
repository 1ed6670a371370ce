package io.weir.cluster.state;

import io.weir.base.Counter;
import io.weir.base.Stats;
import io.weir.cluster.log.Loop;
import io.weir.cluster.log.ReplicatedState;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.stats.ClusterStats;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A member's copy of the state: applies the log's entries and notifies listeners on the member's loop. {@link #now()}
 * is published whole and read by any thread. What waits for the loop is bounded: beyond {@link #PENDING} entries their
 * events are dropped, and listeners get {@link StateListener#restored}. Shared.
 */
public final class StateHolder implements ReplicatedState {
    /** Entries whose events may wait for the loop. */
    public static final int PENDING = 10_000;

    private final Loop loop;
    private final Counter droppedEvents;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<News> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean overflowed;
    private volatile ClusterState now = ClusterState.EMPTY;
    /** Index up to which listeners know; confined to the loop. */
    private long told;

    /** A pending notification of listeners. */
    private sealed interface News {
        record Entry(ClusterState after, List<Event> events) implements News {}

        record Replaced(ClusterState by) implements News {}

        record Leadership(boolean leading, long term) implements News {}
    }

    /** One that counts nothing, for tests. */
    public StateHolder(Loop loop) {
        this(loop, new Stats());
    }

    public StateHolder(Loop loop, Stats stats) {
        this.loop = loop;
        this.droppedEvents = stats.counter(ClusterStats.EVENTS_GIVEN_UP);
    }

    /** Adds a listener to everything applied from now on. Add all before the log is opened. */
    public void listen(StateListener listener) {
        listeners.add(listener);
    }

    /** The state after the last entry applied here. From any thread. */
    public ClusterState now() {
        return now;
    }

    @Override
    public byte[] apply(long index, byte[] command) {
        Applied applied = StateMachine.apply(now, index, command);
        now = applied.after();
        if (pending.get() >= PENDING) {
            overflowed = true;
            droppedEvents.inc();
        } else {
            pending.incrementAndGet();
            waiting.add(new News.Entry(applied.after(), applied.events()));
        }
        schedule();
        return AnswerCodec.encode(applied.answer());
    }

    @Override
    public byte[] snapshot() {
        return SnapshotCodec.encode(now);
    }

    @Override
    public void restore(byte[] snapshot) {
        now = SnapshotCodec.decode(snapshot);
        waiting.add(new News.Replaced(now));
        schedule();
    }

    @Override
    public void leadership(boolean leading, long term) {
        waiting.add(new News.Leadership(leading, term));
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                // one at a time: without a majority no entry comes that could try again
                loop.deliver(this::tell);
            } catch (RejectedExecutionException ended) {
                scheduled.set(false);
            }
        }
    }

    private void tell() {
        scheduled.set(false);
        if (overflowed) {
            overflowed = false;
            told(now);
        }
        try {
            for (News n = waiting.poll(); n != null; n = waiting.poll()) {
                tell(n);
            }
        } finally {
            if (!waiting.isEmpty()) {
                // a listener failed: the others, and it, still get the rest
                schedule();
            }
        }
    }

    private void tell(News news) {
        switch (news) {
            case News.Entry e -> entry(e);
            case News.Replaced r -> told(r.by());
            case News.Leadership l -> listeners.forEach(s -> s.leadership(l.leading(), l.term()));
        }
    }

    private void entry(News.Entry e) {
        pending.decrementAndGet();
        if (e.after().applied() > told) {
            told = e.after().applied();
            listeners.forEach(s -> s.applied(e.after(), e.events()));
        }
    }

    private void told(ClusterState state) {
        told = state.applied();
        listeners.forEach(s -> s.restored(state));
    }
}
