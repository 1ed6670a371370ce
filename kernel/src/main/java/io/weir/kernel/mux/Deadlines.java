package io.weir.kernel.mux;

import io.netty.util.concurrent.EventExecutor;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.kernel.settings.KernelMessages;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A muxer's coarse timer wheel: arming and disarming cost a few pointer writes, and nothing is allocated. Re-arming an
 * armed deadline to a later time only writes its time; it moves when its slot is visited. Confined to its muxer; lives
 * as long. Time is read from the injected clock; the event loop wakes the wheel only while a deadline is armed.
 */
public final class Deadlines {
    /** The maximum delay of an expiration. */
    public static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SLOTS = 512;

    private final EventExecutor loop;
    private final Clock clock;
    private final Log log;
    private final Deadline[] slots = new Deadline[SLOTS];
    private final Deadline visiting = head();
    private final long origin;
    private long lastTick;
    private int armed;
    private boolean scheduled;

    Deadlines(EventExecutor loop, Clock clock, Log log) {
        this.loop = loop;
        this.clock = clock;
        this.log = log;
        this.origin = clock.nanos();
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = head();
        }
    }

    /** The clock's monotonic time, nanoseconds. */
    public long now() {
        return clock.nanos();
    }

    /** Arms or re-arms a deadline to expire after the given nanoseconds from now. */
    public void arm(Deadline d, long delayNanos) {
        long now = clock.nanos();
        d.due = now + Math.max(0, delayNanos);
        if (d.next != null) {
            if (tickOf(d.due) >= d.tick) {
                return;
            }
            unlink(d);
        } else {
            armed++;
        }
        if (!scheduled) {
            lastTick = (now - origin) / TICK_NANOS;
            schedule();
        }
        place(d);
    }

    /** Disarms a deadline, so that it does not expire; does nothing if it is not armed. */
    public void disarm(Deadline d) {
        if (d.next != null) {
            unlink(d);
            armed--;
        }
    }

    /** Number of armed deadlines. */
    int size() {
        return armed;
    }

    private void schedule() {
        scheduled = true;
        var _ = loop.schedule(this::wake, TICK_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Runs on the loop: expires what is due, and reschedules itself while a deadline is armed. */
    void wake() {
        // still counts as scheduled: an action that arms a deadline must not move the wheel past slots not yet visited
        try {
            advance();
        } finally {
            scheduled = false;
            if (armed > 0 && !loop.isShuttingDown()) {
                schedule();
            }
        }
    }

    /** Expires the deadlines that are due by the clock. */
    public void advance() {
        long now = clock.nanos();
        long nowTick = (now - origin) / TICK_NANOS;
        long first = Math.max(lastTick + 1, nowTick - SLOTS + 1);
        for (long t = first; t <= nowTick; t++) {
            gather(slots[slot(t)]);
        }
        lastTick = Math.max(lastTick, nowTick);
        Deadline d = visiting.next;
        while (d != null && !(d instanceof Head)) {
            visit(d, now);
            d = visiting.next;
        }
    }

    private void visit(Deadline d, long now) {
        unlink(d);
        if (d.due - now > 0) {
            place(d);
            return;
        }
        armed--;
        try {
            d.expired();
        } catch (RuntimeException | Error e) {
            // Errors too: rethrown, they would be lost in the loop's task
            log.log(KernelMessages.PROTOCOL_ERROR, "deadline", e);
        }
    }

    private long tickOf(long due) {
        return (due - origin) / TICK_NANOS + 1;
    }

    private static int slot(long tick) {
        return (int) (tick & (SLOTS - 1));
    }

    /** A deadline beyond one revolution of the wheel waits in its last slot and is placed again from there. */
    private void place(Deadline d) {
        d.tick = Math.clamp(tickOf(d.due), lastTick + 1, lastTick + SLOTS - 1);
        append(slots[slot(d.tick)], d);
    }

    private static void append(Deadline head, Deadline d) {
        Deadline last = linked(head.previous);
        d.previous = last;
        d.next = head;
        last.next = d;
        head.previous = d;
    }

    private static void unlink(Deadline d) {
        Deadline next = linked(d.next);
        Deadline previous = linked(d.previous);
        previous.next = next;
        next.previous = previous;
        d.next = null;
        d.previous = null;
    }

    /** Moves a slot's deadlines to the list being visited. */
    private void gather(Deadline head) {
        Deadline first = linked(head.next);
        if (first instanceof Head) {
            return;
        }
        Deadline last = linked(head.previous);
        Deadline tail = linked(visiting.previous);
        tail.next = first;
        first.previous = tail;
        last.next = visiting;
        visiting.previous = last;
        head.next = head;
        head.previous = head;
    }

    /** The sentinel of a slot's ring. */
    private static final class Head extends Deadline {
        @Override
        protected void expired() {
            throw new IllegalStateException("the sentinel of a ring never expires");
        }
    }

    private static Deadline linked(@Nullable Deadline d) {
        if (d == null) {
            throw new IllegalStateException("a deadline was used outside its muxer's thread");
        }
        return d;
    }

    private static Deadline head() {
        Deadline head = new Head();
        head.next = head;
        head.previous = head;
        return head;
    }
}
