package io.weir.broker.queue;

import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Work on many messages that wait in a queue: delete, move, expire. It processes the messages that were there when it
 * began, chunk by chunk; the next chunk begins when the store has accepted the previous one, and other work of the loop
 * runs in between. A message whose own write is in progress is waited for, because it is dropped if the store refuses
 * it. If the work ends early, by a fault or for lack of time, each message is either processed or unchanged: starting
 * the same work again processes the rest. Confined to the queue's loop.
 */
public final class BulkWork {
    /** Maximum entries of a chunk. */
    static final int CHUNK = 128;

    /**
     * Maximum bytes of a chunk of more than one entry, including what a move adds; less if the journal's group size is
     * smaller than twice as much.
     */
    private static final long CHUNK_BYTES = 4 << 20;

    /** Delay of the retry if the journal's queue is full. */
    private static final long RETRY_NANOS = 10_000_000;

    /** The operation on a chunk. */
    public interface Step {
        /**
         * Processes entries that are in no list, and releases them when done.
         *
         * @param done called on the loop with the entries that stay, which the caller reinserts, and the reason
         */
        void apply(List<QueueEntry> chunk, MoveCallback done);
    }

    /** Receives the result. */
    public interface End {
        /**
         * Called once, on the loop.
         *
         * @param count entries processed
         * @param complete whether none of the chosen entries remain
         * @param why what stopped it, or null
         */
        void ended(long count, boolean complete, @Nullable RequestRefusal why);
    }

    private final MessageQueue queue;
    private final Predicate<QueueEntry> chosen;
    private final long most;
    private final BooleanSupplier proceed;
    private final Step step;
    private final End end;
    private final ScanPosition looked = new ScanPosition();
    private final long lastSequence;
    private final long chunkBytes;
    private final int moreBytes;
    private final Deque<QueueEntry> first;
    private long count;
    /** The next entry, while waiting for its own write. */
    private @Nullable QueueEntry unwritten;

    private int priority = AvailableList.PRIORITIES - 1;

    /**
     * Creates the work. It ends with the first chunk of which some entries stay, unless they only wait for the next
     * group.
     *
     * @param first chosen entries in no list, processed before those that are available
     * @param most the maximum number of entries to process
     * @param proceed called between chunks; false ends the work
     */
    public BulkWork(
            MessageQueue queue,
            List<QueueEntry> first,
            Predicate<QueueEntry> chosen,
            long most,
            BooleanSupplier proceed,
            End end,
            Step step) {
        this.queue = queue;
        this.first = new ArrayDeque<>(first);
        this.chosen = chosen;
        this.most = most;
        this.proceed = proceed;
        this.step = step;
        this.end = end;
        this.lastSequence = queue.lastSequence();
        this.moreBytes = queue.provenanceBytes();
        this.chunkBytes = Math.min(
                CHUNK_BYTES,
                queue.context.services.config().get().journal().maxGroupSize().bytes() / 2);
        first.forEach(e -> e.state = QueueEntry.State.LEAVING);
    }

    public void start() {
        queue.consumers().begin(looked);
        turn();
    }

    private void turn() {
        if (queue.isClosed()) {
            end(deleted(), false);
            return;
        }
        if (count >= most) {
            end(null, true);
            return;
        }
        if (!proceed.getAsBoolean()) {
            end(null, false);
            return;
        }
        List<QueueEntry> chunk = new ArrayList<>();
        boolean more = fill(chunk);
        if (!chunk.isEmpty()) {
            step.apply(chunk, (staying, failure) -> applied(chunk.size() - staying.size(), staying, failure));
        } else if (unwritten != null) {
            queue.context.store().whenWritten(unwritten, this::turn);
        } else if (more) {
            queue.loop.post(this::turn);
        } else {
            end(null, true);
        }
    }

    private RequestRefusal deleted() {
        String what = queue.context.name.kind().topic()
                ? "subscription " + queue.address() + " was deleted, or replaced by one with other terms,"
                : queue.address() + " was deleted";
        return new RequestRefusal(
                RefusalCode.DESTINATION_DELETED, what + " and its remaining messages with it: no messages remain");
    }

    private void applied(int done, List<QueueEntry> staying, @Nullable RequestRefusal failure) {
        count += done;
        queue.stay(staying);
        if (!staying.isEmpty()) {
            // they were reinserted before the scan position
            priority = AvailableList.PRIORITIES - 1;
        }
        boolean full = failure != null && failure.code() == RefusalCode.RESOURCE_ALLOCATION;
        if (failure == null || (full && done > 0)) {
            queue.loop.post(this::turn);
        } else if (full) {
            queue.loop.after(RETRY_NANOS, this::turn);
        } else {
            end(failure, false);
        }
    }

    private void end(@Nullable RequestRefusal why, boolean complete) {
        queue.consumers().end(looked);
        queue.stay(List.copyOf(first));
        first.clear();
        queue.dispatch();
        end.ended(count, complete, why);
    }

    /** Collects the chosen ones among the next entries; returns false if there are no more. */
    private boolean fill(List<QueueEntry> chunk) {
        long bytes = 0;
        unwritten = null;
        for (int n = 0; n < MessageQueue.SCAN; n++) {
            if (chunk.size() >= Math.min(CHUNK, most - count)) {
                return true;
            }
            QueueEntry e = next();
            if (e == null) {
                return false;
            }
            boolean taken = e.state == QueueEntry.State.LEAVING;
            if (!taken && !chosen.test(e)) {
                looked.passed(e);
                continue;
            }
            if (!taken && e.isUnwritten()) {
                unwritten = e;
                return true;
            }
            bytes += e.message.size() + moreBytes;
            if (bytes > chunkBytes && !chunk.isEmpty()) {
                if (taken) {
                    first.addFirst(e);
                }
                return true;
            }
            if (!taken) {
                queue.take(e);
                e.state = QueueEntry.State.LEAVING;
            }
            chunk.add(e);
        }
        return true;
    }

    private @Nullable QueueEntry next() {
        QueueEntry taken = first.poll();
        if (taken != null) {
            return taken;
        }
        while (priority >= 0) {
            QueueEntry e = looked.after(priority, queue.available());
            if (e != null && e.sequence <= lastSequence) {
                return e;
            }
            priority--;
        }
        return null;
    }
}
