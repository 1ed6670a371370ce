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
 * Work on many messages that wait in a queue: delete, move, expire. It goes through what was there when it began, a
 * chunk at a time; the next chunk begins when the store has taken the one before, and other work of the loop has its
 * turn in between. What is being written itself is waited for: refused, it is nowhere.
 * Ended half-way, by a fault or for lack of time, it left each message either done or as it was: the same work begun
 * again does the rest. Confined to the queue's loop.
 */
public final class BulkWork {
    /** Entries of a chunk. */
    static final int CHUNK = 128;

    /**
     * Bytes of it at most, with what a move adds, where it is more than one; and where the journal takes twice as much
     * in one group.
     */
    private static final long CHUNK_BYTES = 4 << 20;

    /** Delay of the retry when the journal is busy with others. */
    private static final long RETRY_NANOS = 10_000_000;

    /** What is done to a chunk. */
    public interface Step {
        /**
         * Deals with entries that are in no list. It lets go of them when that is done.
         *
         * @param done called on the loop with what stays, for the sweep to put back, and why
         */
        void apply(List<QueueEntry> chunk, MoveCallback done);
    }

    /** How far it came. */
    public interface End {
        /**
         * Called once, on the loop.
         *
         * @param count entries that were dealt with
         * @param complete whether none is left of those that were chosen
         * @param why what stopped it, or null
         */
        void ended(long count, boolean complete, @Nullable RequestRefusal why);
    }

    private final MessageQueue queue;
    private final Predicate<QueueEntry> chosen;
    private final long most;
    private final BooleanSupplier goOn;
    private final Step step;
    private final End end;
    private final ScanPosition looked = new ScanPosition();
    private final long lastSequence;
    private final long chunkBytes;
    private final int moreBytes;
    private final Deque<QueueEntry> first;
    private long count;
    /** The next entry, where its own write is waited for. */
    private @Nullable QueueEntry unwritten;

    private int priority = AvailableList.PRIORITIES - 1;

    /**
     * Makes one. It ends with the first chunk of which some stay, unless those are only for the next group.
     *
     * @param first chosen entries in no list, dealt with before those that are available
     * @param most how many it deals with
     * @param goOn asked between chunks
     */
    public BulkWork(
            MessageQueue queue,
            List<QueueEntry> first,
            Predicate<QueueEntry> chosen,
            long most,
            BooleanSupplier goOn,
            End end,
            Step step) {
        this.queue = queue;
        this.first = new ArrayDeque<>(first);
        this.chosen = chosen;
        this.most = most;
        this.goOn = goOn;
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
        if (!goOn.getAsBoolean()) {
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
                ? "subscription " + queue.address() + " was deleted, or made anew with other terms,"
                : queue.address() + " was deleted";
        return new RequestRefusal(
                RefusalCode.DESTINATION_DELETED,
                what + " meanwhile, and what was left in it went with it: there is no rest");
    }

    private void applied(int done, List<QueueEntry> staying, @Nullable RequestRefusal failure) {
        count += done;
        queue.stay(staying);
        if (!staying.isEmpty()) {
            // they are behind what was looked at last
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

    /** Takes what is chosen among the next entries; false when there are no more. */
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
