package io.weir.jms.client.producer;

import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.settings.OneWaySendMode;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.RefusalCode;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A producer's one-way sends (reference section 6): only non-persistent messages outside transactions; the last of each
 * window waits for its answer, which throttles the producer and reports errors of earlier ones. Used by the sending
 * thread; the loop adds failures.
 */
final class OneWay {
    private final OneWaySendMode mode;
    private final int window;
    private final AtomicReference<@Nullable OneWayFailed> failure = new AtomicReference<>();
    private int sent;

    OneWay(OneWaySendMode mode, int window) {
        this.mode = mode;
        this.window = window;
    }

    /**
     * Counts the next message; returns whether it is sent one-way.
     *
     * @param plain neither persistent nor in a transaction, and without a completion listener
     */
    boolean next(boolean plain, boolean topic) {
        if (!plain || !mode.covers(topic)) {
            return false;
        }
        sent++;
        if (sent >= window) {
            sent = 0;
            return false;
        }
        return true;
    }

    /** Records that the broker dropped messages; on the loop. */
    void failed(OneWayFailed failed) {
        failure.accumulateAndGet(
                failed,
                (before, now) -> before == null || now == null
                        ? now
                        : new OneWayFailed(now.producer(), before.count() + now.count(), now.code(), now.text()));
    }

    /**
     * Throws the failure of earlier one-way messages, once.
     *
     * @param what the outcome of the message that is being sent
     */
    void raise(String what) throws JMSException {
        OneWayFailed f = failure.get() == null ? null : failure.getAndSet(null);
        if (f != null) {
            throw Refusals.of(
                    f.code(), f.count() + " one-way messages of this producer were dropped: " + f.text() + "; " + what);
        }
    }

    /**
     * The failure of a send that waited, with the failures of one-way messages before it, which are not reported again.
     * If the failure is not the broker's, the next waiting send reports them.
     */
    JMSException with(JMSException own) {
        RefusalCode code = code(own);
        OneWayFailed f = code == null || failure.get() == null ? null : failure.getAndSet(null);
        if (code == null || f == null) {
            return own;
        }
        JMSException both = Refusals.of(
                code,
                own.getMessage() + "; before it " + f.count() + " one-way messages of this producer were dropped: "
                        + f.text());
        both.initCause(own);
        return both;
    }

    private static @Nullable RefusalCode code(JMSException own) {
        for (RefusalCode c : RefusalCode.values()) {
            if (c.name().equals(own.getErrorCode())) {
                return c;
            }
        }
        return null;
    }
}
