package io.weir.broker;

import io.weir.broker.config.ExpirationPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue's messages whose time is over: found when they would be delivered and by a scan now and then, and discarded,
 * logged or redirected by the destination's policy. A scan goes on as fast as the store takes it. Confined to the queue's loop.
 */
final class Expiry {
    private final MessageQueue queue;
    /** Whether a message with an expiration time ever came: without one nothing is scanned. */
    private boolean needed;

    private boolean scanning;
    /** Whether something is over that could not be redirected. */
    private boolean stayed;

    Expiry(MessageQueue queue) {
        this.queue = queue;
    }

    void watch(Entry e) {
        needed |= e.message.expiration() != 0;
    }

    boolean isOver(Entry e) {
        return e.message.expiration() != 0
                && e.message.expired(queue.loop.clock().millis());
    }

    private ExpirationPolicy policy() {
        return queue.destination.config().deliveryFailure().expirationPolicy();
    }

    private @Nullable Destination target() {
        return policy() == ExpirationPolicy.REDIRECT
                ? queue.destination.engine.redirection().target(queue.destination)
                : null;
    }

    /** Removes an expired entry that was taken out of its list. */
    void expire(Entry e) {
        Destination target = target();
        if (target == null) {
            counted(List.of(e));
            queue.drop(e);
            return;
        }
        e.state = Entry.State.LEAVING;
        // one that has just come is written after this dispatch: before that its move could not take it out of the
        // store
        queue.loop.post(() -> queue.destination.engine.store().whenStored(e, () -> move(e, target)));
    }

    private void move(Entry e, Destination target) {
        queue.destination
                .engine
                .redirection()
                .move(queue, List.of(e), target, Redirection.Reason.EXPIRED, (_, failure) -> {
                    if (failure == null) {
                        queue.destination.counts.expired.inc();
                    } else {
                        needed = true;
                        queue.stayLater(e, Redirection.retryMillis(failure));
                    }
                });
    }

    private void counted(List<Entry> entries) {
        Destination d = queue.destination;
        for (Entry e : entries) {
            d.counts.expired.inc();
            if (policy() == ExpirationPolicy.LOG) {
                d.engine.log().log(BrokerMessages.EXPIRED, e.message.id(), d.name, MessageText.header(e.message));
            }
        }
    }

    /** Looks through all that waits, unless it still does. */
    void scan() {
        if (!needed || scanning) {
            return;
        }
        scanning = true;
        stayed = false;
        boolean[] left = {false};
        List<Entry> delayed = queue.takeDelayed(e -> over(e, left) && isStored(e, left));
        Sweep.End end = (_, complete, _) -> {
            scanning = false;
            needed = left[0] || stayed || !complete;
        };
        new Sweep(queue, delayed, e -> over(e, left), Long.MAX_VALUE, () -> true, end, this::expire).start();
    }

    /** What is written just now is looked at again. */
    private static boolean isStored(Entry e, boolean[] left) {
        left[0] |= e.isUnwritten();
        return !e.isUnwritten();
    }

    private boolean over(Entry e, boolean[] left) {
        boolean over = isOver(e);
        left[0] |= !over && e.message.expiration() != 0;
        return over;
    }

    private void expire(List<Entry> chunk, Redirection.Moved done) {
        Destination target = target();
        if (target == null) {
            AdminWork.delete(
                    queue, chunk, this::counted, failure -> done.done(failure == null ? List.of() : chunk, failure));
            return;
        }
        queue.destination
                .engine
                .redirection()
                .move(queue, chunk, target, Redirection.Reason.EXPIRED, (staying, failure) -> {
                    queue.destination.counts.expired.add(chunk.size() - staying.size());
                    if (failure instanceof Redirection.Stays) {
                        // these wait by themselves, and hold up no others
                        stayed = true;
                        staying.forEach(e -> queue.stayLater(e, Redirection.retryMillis(failure)));
                        done.done(List.of(), null);
                    } else {
                        done.done(staying, failure);
                    }
                });
    }
}
