package io.weir.broker.queue;

import io.weir.broker.config.ExpirationPolicy;
import io.weir.broker.report.BrokerMessages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue's messages whose time is over: found when they would be delivered and by a scan now and then, and discarded,
 * logged or redirected by the destination's policy. A scan goes on as fast as the store takes it. Confined to the queue's loop.
 */
public final class Expiry {
    private final MessageQueue queue;
    /** Whether a message with an expiration time ever came: without one nothing is scanned. */
    private boolean needed;

    private boolean scanning;
    /** Whether something is over that could not be redirected. */
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
        // one that has just come is written after this dispatch: before that its move could not take it out of the
        // store
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

    /** Looks through all that waits, unless it still does. */
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

    /** What is written just now is looked at again. */
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
                // these wait by themselves, and hold up no others
                stayed = true;
                staying.forEach(e -> queue.stayLater(e, MoveRefusal.retryMillis(failure)));
                done.done(List.of(), null);
            } else {
                done.done(staying, failure);
            }
        });
    }
}
