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
 * is published atomically and read by any thread. The queue for the loop is bounded: beyond {@link #PENDING} entries
 * their events are dropped, and listeners receive {@link StateListener#restored}. Shared.
 */
public final class StateHolder implements ReplicatedState {
    /** Maximum number of entries whose events are queued for the loop. */
    public static final int PENDING = 10_000;

    private final Loop loop;
    private final Counter droppedEvents;
    private final List<StateListener> listeners = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Notification> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean overflowed;
    private volatile ClusterState now = ClusterState.EMPTY;
    /** Index up to which listeners were notified; confined to the loop. */
    private long notifiedIndex;

    /** A pending notification of listeners. */
    private sealed interface Notification {
        record Entry(ClusterState after, List<Event> events) implements Notification {}

        record Replaced(ClusterState by) implements Notification {}

        record Leadership(boolean leading, long term) implements Notification {}
    }

    /** Creates a holder without statistics, for tests. */
    public StateHolder(Loop loop) {
        this(loop, new Stats());
    }

    public StateHolder(Loop loop, Stats stats) {
        this.loop = loop;
        this.droppedEvents = stats.counter(ClusterStats.EVENTS_GIVEN_UP);
    }

    /** Adds a listener of entries applied from now on. Call before the log is opened. */
    public void listen(StateListener listener) {
        listeners.add(listener);
    }

    /** The state after the last entry applied on this member. From any thread. */
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
            waiting.add(new Notification.Entry(applied.after(), applied.events()));
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
        waiting.add(new Notification.Replaced(now));
        schedule();
    }

    @Override
    public void leadership(boolean leading, long term) {
        waiting.add(new Notification.Leadership(leading, term));
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                // only one task is scheduled at a time; it must not be refused, because without a majority no further
                // entry would retry it
                loop.deliver(this::notifyListeners);
            } catch (RejectedExecutionException ended) {
                scheduled.set(false);
            }
        }
    }

    private void notifyListeners() {
        scheduled.set(false);
        if (overflowed) {
            overflowed = false;
            notifyRestored(now);
        }
        try {
            for (Notification n = waiting.poll(); n != null; n = waiting.poll()) {
                deliver(n);
            }
        } finally {
            if (!waiting.isEmpty()) {
                // a listener threw an exception: the remaining notifications are still delivered
                schedule();
            }
        }
    }

    private void deliver(Notification n) {
        switch (n) {
            case Notification.Entry e -> entry(e);
            case Notification.Replaced r -> notifyRestored(r.by());
            case Notification.Leadership l -> listeners.forEach(s -> s.leadership(l.leading(), l.term()));
        }
    }

    private void entry(Notification.Entry e) {
        pending.decrementAndGet();
        if (e.after().applied() > notifiedIndex) {
            notifiedIndex = e.after().applied();
            listeners.forEach(s -> s.applied(e.after(), e.events()));
        }
    }

    private void notifyRestored(ClusterState state) {
        notifiedIndex = state.applied();
        listeners.forEach(s -> s.restored(state));
    }
}
