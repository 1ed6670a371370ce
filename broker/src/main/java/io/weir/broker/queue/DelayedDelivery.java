package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Delayed entries: by a delivery time, or by the redelivery delay after a failed delivery. One timer serves the
 * earliest. Confined to the queue's loop.
 */
final class DelayedDelivery {
    private final BrokerLoop loop;
    private final LongSupplier now;
    private final Consumer<QueueEntry> due;
    private final Runnable after;
    private final PriorityQueue<Delayed> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Delayed::until).thenComparingLong(d -> d.entry().sequence));

    /** @param until milliseconds of the clock that the owner uses */
    private record Delayed(QueueEntry entry, long until) {}

    private BrokerLoop.@Nullable Timer timer;
    private long armedFor;
    private long arrivals;

    /**
     * @param now the time in milliseconds, of the clock that {@link #add} uses
     * @param due called with each entry that is due
     * @param after runs once after them
     */
    DelayedDelivery(BrokerLoop loop, LongSupplier now, Consumer<QueueEntry> due, Runnable after) {
        this.loop = loop;
        this.now = now;
        this.due = due;
        this.after = after;
    }

    int count() {
        return waiting.size();
    }

    List<QueueEntry> all() {
        List<QueueEntry> all = new ArrayList<>(waiting.size());
        waiting.forEach(d -> all.add(d.entry()));
        return all;
    }

    /** Delays an entry until a time. */
    void add(QueueEntry e, long millis) {
        if (e.sequence <= 0) {
            // no place in the queue yet: entries of equal time are due in order of arrival, before those that were
            // delivered already
            e.sequence = Long.MIN_VALUE + ++arrivals;
        }
        e.state = QueueEntry.State.DELAYED;
        waiting.add(new Delayed(e, millis));
        arm();
    }

    /** Releases due entries although the timer has not fired yet: new ones must not overtake them. */
    void catchUp() {
        if (!waiting.isEmpty()) {
            release(now.getAsLong());
        }
    }

    /** Releases due entries, re-arms the timer and runs the follow-up action. */
    void look() {
        if (!waiting.isEmpty() && release(now.getAsLong())) {
            arm();
            after.run();
        }
    }

    /** Removes and returns the chosen entries. */
    List<QueueEntry> take(Predicate<QueueEntry> chosen) {
        List<QueueEntry> taken = new ArrayList<>();
        waiting.removeIf(d -> chosen.test(d.entry()) && taken.add(d.entry()));
        return taken;
    }

    private boolean release(long now) {
        boolean some = false;
        for (Delayed d = waiting.peek(); d != null && d.until() <= now; d = waiting.peek()) {
            waiting.remove();
            due.accept(d.entry());
            some = true;
        }
        return some;
    }

    boolean remove(QueueEntry e) {
        return waiting.removeIf(d -> d.entry() == e);
    }

    void clear() {
        waiting.clear();
        disarm();
    }

    private void arm() {
        Delayed first = waiting.peek();
        if (first == null || (timer != null && armedFor <= first.until())) {
            return;
        }
        disarm();
        armedFor = first.until();
        long wait = Math.max(0, first.until() - now.getAsLong());
        timer = loop.after(Math.min(wait, 3_600_000) * 1_000_000, this::expired);
    }

    private void disarm() {
        BrokerLoop.Timer t = timer;
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
