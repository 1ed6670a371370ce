package io.weir.broker.queue;

import io.weir.broker.config.ExpirationPolicy;
import io.weir.broker.report.BrokerMessages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Expiration of a queue's messages: they are found at delivery and by a periodic scan, and discarded, logged or
 * redirected by the destination's policy. A scan proceeds as fast as the store accepts the removals. Confined to the
 * queue's loop.
 */
public final class Expiry {
    private final MessageQueue queue;
    /** Whether there may be messages with an expiration time: without one nothing is scanned. */
    private boolean needed;

    private boolean scanning;
    /** Whether expired messages could not be redirected. */
    private boolean stayed;

    Expiry(MessageQueue queue) {
        this.queue = queue;
    }

    void watch(QueueEntry e) {
        needed |= e.message.expiration() != 0;
    }

    public boolean isOver(QueueEntry e) {
        return e.message.expiration() != 0
                && e.message.expired(queue.loop.clock().millis());
    }

    private ExpirationPolicy policy() {
        return queue.context.config().deliveryFailure().expirationPolicy();
    }

    private @Nullable ErrorDestination target() {
        return policy() == ExpirationPolicy.REDIRECT ? queue.context.errorDestination() : null;
    }

    /** Removes an expired entry that was taken out of its list. */
    void expire(QueueEntry e) {
        ErrorDestination target = target();
        if (target == null) {
            counted(List.of(e));
            queue.drop(e);
            return;
        }
        e.state = QueueEntry.State.LEAVING;
        // a message that has just arrived is written after this dispatch; a move before that could not remove it from
        // the store
        queue.loop.post(() -> queue.context.store().whenStored(e, () -> move(e, target)));
    }

    private void move(QueueEntry e, ErrorDestination target) {
        target.take(queue, List.of(e), MoveReason.EXPIRED, (_, failure) -> {
            if (failure == null) {
                queue.context.counts.expired.inc();
            } else {
                needed = true;
                queue.stayLater(e, MoveRefusal.retryMillis(failure));
            }
        });
    }

    private void counted(List<QueueEntry> entries) {
        QueueContext d = queue.context;
        for (QueueEntry e : entries) {
            d.counts.expired.inc();
            if (policy() == ExpirationPolicy.LOG) {
                d.services.log().log(BrokerMessages.EXPIRED, e.message.id(), d.name, MessageText.header(e.message));
            }
        }
    }

    /** Scans all waiting messages, unless a scan is running. */
    public void scan() {
        if (!needed || scanning) {
            return;
        }
        scanning = true;
        stayed = false;
        boolean[] left = {false};
        List<QueueEntry> delayed = queue.takeDelayed(e -> over(e, left) && isStored(e, left));
        BulkWork.End end = (_, complete, _) -> {
            scanning = false;
            needed = left[0] || stayed || !complete;
        };
        new BulkWork(queue, delayed, e -> over(e, left), Long.MAX_VALUE, () -> true, end, this::expire).start();
    }

    /** An entry whose write is in progress is left for the next scan. */
    private static boolean isStored(QueueEntry e, boolean[] left) {
        left[0] |= e.isUnwritten();
        return !e.isUnwritten();
    }

    private boolean over(QueueEntry e, boolean[] left) {
        boolean over = isOver(e);
        left[0] |= !over && e.message.expiration() != 0;
        return over;
    }

    private void expire(List<QueueEntry> chunk, MoveCallback done) {
        ErrorDestination target = target();
        if (target == null) {
            queue.delete(chunk, this::counted, failure -> done.done(failure == null ? List.of() : chunk, failure));
            return;
        }
        target.take(queue, chunk, MoveReason.EXPIRED, (staying, failure) -> {
            queue.context.counts.expired.add(chunk.size() - staying.size());
            if (failure instanceof MoveRefusal) {
                // these are delayed individually and do not hold up others
                stayed = true;
                staying.forEach(e -> queue.stayLater(e, MoveRefusal.retryMillis(failure)));
                done.done(List.of(), null);
            } else {
                done.done(staying, failure);
            }
        });
    }
}
