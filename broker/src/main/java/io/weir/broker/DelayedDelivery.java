package io.weir.broker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries that wait for their time: a delivery delay, or the delay after a failed delivery. One timer for the earliest.
 * Confined to the queue's loop.
 */
final class DelayedDelivery {
    private final Loop loop;
    private final LongSupplier now;
    private final Consumer<Entry> due;
    private final Runnable after;
    private final PriorityQueue<Entry> waiting =
            new PriorityQueue<>(Comparator.<Entry>comparingLong(e -> e.due).thenComparingLong(e -> e.sequence));
    private Loop.@Nullable Timer timer;
    private long armedFor;
    private long arrivals;

    /**
     * @param now the time in milliseconds, as {@link #add} has it
     * @param due takes each entry whose time has come
     * @param after runs once behind them
     */
    DelayedDelivery(Loop loop, LongSupplier now, Consumer<Entry> due, Runnable after) {
        this.loop = loop;
        this.now = now;
        this.due = due;
        this.after = after;
    }

    int count() {
        return waiting.size();
    }

    List<Entry> all() {
        return new ArrayList<>(waiting);
    }

    /** Puts an entry off until a time. */
    void add(Entry e, long millis) {
        if (e.sequence <= 0) {
            // no place in the queue yet: of equal times, in the order of coming and before what was delivered already
            e.sequence = Long.MIN_VALUE + ++arrivals;
        }
        e.state = Entry.State.DELAYED;
        e.due = millis;
        waiting.add(e);
        arm();
    }

    /** Lets go of what is due although the timer did not run yet: what comes now must not overtake it. */
    void catchUp() {
        if (!waiting.isEmpty()) {
            release(now.getAsLong());
        }
    }

    /** The same, with what follows from it. */
    void look() {
        if (!waiting.isEmpty() && release(now.getAsLong())) {
            arm();
            after.run();
        }
    }

    /** Takes out what is chosen. */
    List<Entry> take(Predicate<Entry> chosen) {
        List<Entry> taken = new ArrayList<>();
        waiting.removeIf(e -> chosen.test(e) && taken.add(e));
        return taken;
    }

    private boolean release(long now) {
        boolean some = false;
        for (Entry e = waiting.peek(); e != null && e.due <= now; e = waiting.peek()) {
            waiting.remove();
            due.accept(e);
            some = true;
        }
        return some;
    }

    boolean remove(Entry e) {
        return waiting.remove(e);
    }

    void clear() {
        waiting.clear();
        disarm();
    }

    private void arm() {
        Entry first = waiting.peek();
        if (first == null || (timer != null && armedFor <= first.due)) {
            return;
        }
        disarm();
        armedFor = first.due;
        long wait = Math.max(0, first.due - now.getAsLong());
        timer = loop.after(Math.min(wait, 3_600_000) * 1_000_000, this::expired);
    }

    private void disarm() {
        Loop.Timer t = timer;
        if (t != null) {
            timer = null;
            t.cancel();
        }
    }

    private void expired() {
        timer = null;
        boolean some = release(now.getAsLong());
        arm();
        if (some) {
            after.run();
        }
    }
}
