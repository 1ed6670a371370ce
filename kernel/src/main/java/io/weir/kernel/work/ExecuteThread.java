package io.weir.kernel.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The current activity of an execute thread. Written by the thread itself without locks; read by the check for stuck
 * threads, which may mark it: the thread finds the mark when its work ends.
 */
final class ExecuteThread {
    private static final AtomicLongFieldUpdater<ExecuteThread> TURN =
            AtomicLongFieldUpdater.newUpdater(ExecuteThread.class, "turn");
    private static final String STUCK = "[STUCK] ";

    private final int number;
    private @Nullable Thread thread;
    private @Nullable WorkManager manager;
    private @Nullable Runnable task;
    private long since;
    private long count;
    private long busyNanos;
    /** Incremented at each begin and end: odd while the thread is busy. */
    private volatile long turn;

    private volatile @Nullable StuckWork stuck;

    ExecuteThread(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Sets the thread, before it starts. */
    void runs(Thread me) {
        thread = me;
    }

    void begin(WorkManager of, Runnable work, long now) {
        manager = of;
        task = work;
        since = now;
        TURN.lazySet(this, turn + 1);
    }

    /** Records the end of the work. */
    void end(long now) {
        count++;
        busyNanos += Math.max(0, now - since);
        TURN.set(this, turn + 1);
        if (stuck != null) {
            unstuck(now);
        }
        manager = null;
        task = null;
    }

    private synchronized void unstuck(long now) {
        StuckWork was = stuck;
        Thread me = thread;
        if (was == null || me == null) {
            return;
        }
        stuck = null;
        me.setName(me.getName().substring(STUCK.length()));
        was.over(me.getName(), now);
    }

    /** How long it has been busy with its current work, in nanoseconds; 0 while idle. */
    long busyFor(long now) {
        long at = turn;
        long busy = (at & 1) == 0 ? 0 : Math.max(1, now - since);
        return turn == at ? busy : 0;
    }

    /** The work manager whose work it does, or null. */
    @Nullable
    WorkManager worksFor() {
        return (turn & 1) == 0 ? null : manager;
    }

    /** The work that is stuck in it, or null. */
    @Nullable
    StuckWork stuck() {
        return stuck;
    }

    /** Number of finished work items. */
    long count() {
        return count;
    }

    /** Total duration of finished work, in nanoseconds. */
    long busyNanos() {
        return busyNanos;
    }

    /** Marks it as stuck if it has been busy for at least this time and is not marked yet. */
    synchronized void mark(long now, Duration longest) {
        long at = turn;
        Runnable work = task;
        WorkManager of = manager;
        Thread me = thread;
        if (stuck != null || (at & 1) == 0 || work == null || of == null || me == null) {
            return;
        }
        StuckWork found = new StuckWork(of, work, since);
        if (now - found.since() < longest.toNanos()) {
            return;
        }
        stuck = found;
        if (turn == at) {
            found.found(me, now, longest);
            me.setName(STUCK + me.getName());
        } else {
            stuck = null;
        }
    }
}
