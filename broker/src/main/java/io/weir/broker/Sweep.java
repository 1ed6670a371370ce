package io.weir.broker;

import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Work on many messages that wait in a queue: delete, move, expire. It goes through what was there when it began, a chunk at a
 * time; the next chunk begins when the store has taken the one before, and other work of the loop has its turn in between.
 * Ended half-way, by a fault or for lack of time, it left each message either done or as it was: the same work begun again does
 * the rest. Confined to the queue's loop.
 */
final class Sweep {
    /** Entries of a chunk. */
    static final int CHUNK = 128;

    /** Bytes of its messages at most, where it is more than one, and where the journal takes twice as much in one group. */
    private static final long CHUNK_BYTES = 4 << 20;

    /** Others keep the journal busy: it is asked again after this. */
    private static final long RETRY_NANOS = 10_000_000;

    /** What is done to a chunk. */
    interface Step {
        /**
         * Deals with entries that are in no list. It lets go of them when that is done; otherwise they stay.
         *
         * @param done told on the loop
         */
        void apply(List<Entry> chunk, Sent done);
    }

    /** How far it came. */
    interface End {
        /**
         * Called once, on the loop.
         *
         * @param count entries that were dealt with
         * @param complete whether none is left of those that were chosen
         * @param why what stopped it, or null
         */
        void ended(long count, boolean complete, @Nullable Refusal why);
    }

    private final MessageQueue queue;
    private final Predicate<Entry> chosen;
    private final long most;
    private final BooleanSupplier goOn;
    private final Step step;
    private final End end;
    private final Looked looked = new Looked();
    private final long lastSequence;
    private final long chunkBytes;
    private final Deque<Entry> first;
    private long count;
    private int priority = PendingList.PRIORITIES - 1;

    /**
     * Makes one.
     *
     * @param first chosen entries in no list, dealt with before those that are available
     * @param most how many it deals with
     * @param goOn asked between chunks
     */
    Sweep(
            MessageQueue queue,
            List<Entry> first,
            Predicate<Entry> chosen,
            long most,
            BooleanSupplier goOn,
            Step step,
            End end) {
        this.queue = queue;
        this.first = new ArrayDeque<>(first);
        this.chosen = chosen;
        this.most = most;
        this.goOn = goOn;
        this.step = step;
        this.end = end;
        this.lastSequence = queue.lastSequence();
        this.chunkBytes = Math.min(
                CHUNK_BYTES,
                queue.destination.engine.config().journal().maxGroupSize().bytes() / 2);
        first.forEach(e -> e.state = Entry.State.LEAVING);
    }

    void start() {
        queue.consumers().begin(looked);
        turn();
    }

    private void turn() {
        if (queue.isClosed()) {
            end(new Refusal(RefusalCode.DESTINATION_DELETED, queue.destination + " was deleted meanwhile"), false);
            return;
        }
        if (count >= most) {
            end(null, true);
            return;
        }
        if (!goOn.getAsBoolean()) {
            end(null, false);
            return;
        }
        List<Entry> chunk = new ArrayList<>();
        boolean more = fill(chunk);
        if (!chunk.isEmpty()) {
            step.apply(chunk, failure -> applied(chunk, failure));
        } else if (more) {
            queue.loop.post(this::turn);
        } else {
            end(null, true);
        }
    }

    private void applied(List<Entry> chunk, @Nullable Refusal failure) {
        if (failure == null) {
            count += chunk.size();
            queue.loop.post(this::turn);
        } else if (failure.code() == RefusalCode.RESOURCE_ALLOCATION) {
            queue.stay(chunk);
            queue.loop.after(RETRY_NANOS, this::turn);
        } else {
            queue.stay(chunk);
            end(failure, false);
        }
    }

    private void end(@Nullable Refusal why, boolean complete) {
        queue.consumers().end(looked);
        queue.stay(List.copyOf(first));
        first.clear();
        queue.dispatch();
        end.ended(count, complete, why);
    }

    /** Takes what is chosen among the next entries; false when there are no more. */
    private boolean fill(List<Entry> chunk) {
        long bytes = 0;
        for (int n = 0; n < MessageQueue.SCAN; n++) {
            if (chunk.size() >= Math.min(CHUNK, most - count) || bytes >= chunkBytes) {
                return true;
            }
            Entry e = next();
            if (e == null) {
                return false;
            }
            if (e.state == Entry.State.LEAVING) {
                chunk.add(e);
                bytes += e.message.size();
            } else if (chosen.test(e)) {
                queue.take(e);
                e.state = Entry.State.LEAVING;
                chunk.add(e);
                bytes += e.message.size();
            } else {
                looked.passed(e);
            }
        }
        return true;
    }

    private @Nullable Entry next() {
        Entry taken = first.poll();
        if (taken != null) {
            return taken;
        }
        while (priority >= 0) {
            Entry e = looked.after(priority, queue.available());
            if (e != null && e.sequence <= lastSequence) {
                return e;
            }
            priority--;
        }
        return null;
    }
}
