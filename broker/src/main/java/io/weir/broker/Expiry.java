package io.weir.broker;

import io.weir.broker.config.ExpirationPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue's messages whose time is over: found when they would be delivered and by a scan now and then, and discarded,
 * logged or redirected by the destination's policy. A scan goes on as fast as the store takes it. Confined to the queue's loop.
 */
final class Expiry {
    /** Milliseconds after which a message that could not be redirected is tried again. */
    private static final long RETRY = 1000;

    private final MessageQueue queue;
    /** Whether a message with an expiration time ever came: without one nothing is scanned. */
    private boolean needed;

    private boolean scanning;

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
        queue.destination.engine.redirection().move(queue, List.of(e), target, failure -> {
            if (failure == null) {
                queue.destination.counts.expired.inc();
            } else {
                queue.stayLater(e, RETRY);
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
        boolean[] left = {false};
        List<Entry> delayed = queue.takeDelayed(e -> over(e, left));
        new Sweep(queue, delayed, e -> over(e, left), Long.MAX_VALUE, () -> true, this::expire, (_, complete, _) -> {
                    scanning = false;
                    needed = left[0] || !complete;
                })
                .start();
    }

    private boolean over(Entry e, boolean[] left) {
        boolean over = isOver(e);
        left[0] |= !over && e.message.expiration() != 0;
        return over;
    }

    private void expire(List<Entry> chunk, Sent done) {
        Destination target = target();
        if (target == null) {
            AdminWork.delete(queue, chunk, this::counted, done);
        } else {
            queue.destination.engine.redirection().move(queue, chunk, target, failure -> {
                if (failure == null) {
                    queue.destination.counts.expired.add(chunk.size());
                }
                done.done(failure);
            });
        }
    }
}
