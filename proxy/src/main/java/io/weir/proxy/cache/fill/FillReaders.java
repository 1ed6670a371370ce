package io.weir.proxy.cache.fill;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The cursors of a fill, and which of them leads. Guarded by the fill's lock, except {@link #count}. */
final class FillReaders {
    private final List<FillCursor> cursors = new ArrayList<>(2);
    private @Nullable FillRequest own;
    private @Nullable FillCursor first;
    private @Nullable FillCursor leader;
    // removed, but still to be notified of the failure
    private @Nullable FillCursor toNotify;
    private boolean ownJoined;
    private boolean leaderless;
    private boolean reelected;
    private volatile int count;

    FillReaders(@Nullable FillRequest own) {
        this.own = own;
    }

    /** Number of cursors: read without the lock, for a bound that need not be exact. */
    int count() {
        return count;
    }

    @SuppressWarnings("ReferenceEquality") // identity: the same request object
    boolean isOwn(FillRequest by) {
        return own == by;
    }

    FillCursor addOwn(FillCursor cursor) {
        own = null;
        ownJoined = true;
        first = cursor;
        leader = leader == null ? cursor : leader;
        return add(cursor);
    }

    FillCursor add(FillCursor cursor) {
        cursors.add(cursor);
        count = cursors.size();
        return cursor;
    }

    boolean isLeader(FillCursor cursor) {
        return leader == cursor;
    }

    /** The leader's own first cursor, whose bytes are reserved with the fill. */
    boolean isFirst(FillCursor cursor) {
        return first == cursor;
    }

    /** A leader has started to fetch. */
    void led() {
        leaderless = false;
    }

    /**
     * Removes a cursor; returns true if another one was elected, because the removed one had been elected and never
     * fetched.
     */
    boolean remove(FillCursor cursor) {
        cursor.open = false;
        drop(cursor);
        boolean unled = leaderless && leader == cursor;
        if (leader == cursor) {
            leader = null;
        }
        return unled && elect();
    }

    /** The leader streams its answer to its own client, bypassing the fill. */
    void releaseLeader() {
        FillCursor streaming = leader;
        if (streaming != null) {
            streaming.released = true;
            drop(streaming);
        }
    }

    /** Removes the cursor from the count, though it is not closed yet. */
    void drop(FillCursor cursor) {
        cursors.remove(cursor);
        count = cursors.size();
    }

    /**
     * The leader failed: its own client gets the failure, the next reader leads. Returns false if this was done before.
     */
    boolean reelect(FillFailure cause) {
        FillCursor failed = leader;
        if (reelected || (failed == null ? cursors.isEmpty() : cursors.size() == (cursors.contains(failed) ? 1 : 0))) {
            return false;
        }
        reelected = true;
        if (failed != null) {
            failed.failure = cause;
            drop(failed);
            toNotify = failed;
        }
        return elect();
    }

    /** The leader leaves, and only its own client gets the failure: another reader leads, if there is one. */
    boolean succeed(FillFailure own) {
        FillCursor old = leader;
        leader = null;
        if (old != null) {
            drop(old);
            old.failure = own;
            toNotify = old;
        }
        return elect();
    }

    private boolean elect() {
        for (FillCursor cursor : cursors) {
            if (cursor.failure == null && !cursor.released) {
                leader = cursor;
                leaderless = true;
                cursor.elected = true;
                return true;
            }
        }
        return false;
    }

    /** Whether a reader has read everything and waits for more. */
    boolean anyArmed() {
        for (FillCursor cursor : cursors) {
            if (cursor.armed) {
                return true;
            }
        }
        return false;
    }

    /** Cuts the readers before {@code position}; returns how many. */
    int cut(long position) {
        int n = 0;
        for (int i = cursors.size() - 1; i >= 0; i--) {
            FillCursor cursor = cursors.get(i);
            if (cursor.position < position) {
                cursor.failure = FillFailure.CUT;
                cursors.remove(i);
                n++;
            }
        }
        count = cursors.size();
        return n;
    }

    /** The position of the slowest reader; {@code none} without readers. */
    long leastPosition(long none) {
        long least = none;
        for (FillCursor cursor : cursors) {
            least = Math.min(least, cursor.position);
        }
        return least;
    }

    boolean isEmpty() {
        return cursors.isEmpty();
    }

    /** Whether all readers left, the leader's own client included (it may not have joined yet). */
    boolean allGone() {
        return cursors.isEmpty() && ownJoined;
    }

    /** As {@link #takeArmed}, except the caller's cursor; usually empty. */
    List<FillCursor> takeArmedExcept(FillCursor caller, boolean changed) {
        if (!changed) {
            return List.of();
        }
        boolean armed = caller.armed;
        caller.armed = false;
        List<FillCursor> others = takeArmed();
        caller.armed = armed;
        return others;
    }

    /** Removes and returns the cursors that wait for a change. */
    List<FillCursor> takeArmed() {
        FillCursor dropped = toNotify;
        if (dropped != null) {
            cursors.add(dropped);
        }
        List<FillCursor> armed = new ArrayList<>(cursors.size());
        for (FillCursor cursor : cursors) {
            if (cursor.armed) {
                cursor.armed = false;
                armed.add(cursor);
            }
        }
        if (dropped != null) {
            cursors.remove(dropped);
            toNotify = null;
        }
        return armed;
    }

    /** Called without the fill's lock. */
    static void wake(List<FillCursor> awake) {
        for (FillCursor cursor : awake) {
            cursor.wake();
        }
    }

    /** Runs a callback on the leader's loop, unless that is shut down. */
    static void runOnLoop(FillSource leader, Runnable what) {
        try {
            leader.executor().execute(what);
        } catch (RejectedExecutionException _) {
            // the leader's connections are closed with its loop
        }
    }
}
