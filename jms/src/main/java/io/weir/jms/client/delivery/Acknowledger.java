package io.weir.jms.client.delivery;

import io.netty.buffer.ByteBuf;
import io.weir.base.Clock;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.FrameType;
import jakarta.jms.JMSException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A session's reports to the broker, on one link, about messages that arrived on it: which were passed to the
 * application, which are acknowledged, and credit for its window. While consumption keeps up each report is sent at
 * once; under load they are batched, and sent at the latest after half a window or a millisecond. Two reports must be
 * confirmed by the broker before the next message is passed on (docs/adr/0016): a persistent message's automatic
 * acknowledgement, so that only the last one consumed can be redelivered; and that a message which was delivered before
 * is passed on, so that the delivery counts even if the message crashes the process. Marked by the session's thread,
 * sent by it or by the loop; in the automatic modes a message's path uses only atomics. Belongs to its {@link
 * Attachment}: reports after the link is lost are dropped.
 */
public final class Acknowledger {
    static final long AUTO_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    static final long DUPS_OK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The messages of an acknowledgement. */
    static final class Taken {
        private final long[] ranges;
        private final long[] ids;

        private Taken(long[] ranges, long[] ids) {
            this.ranges = ranges;
            this.ids = ids;
        }
    }

    private static final long[] NONE = {};

    private final Attachment attachment;
    private final AckMode mode;
    private final Clock clock;
    private final int batch;
    private final long maxDelay;
    private final PassedOn passedOn;

    private volatile long seen;
    private volatile long consumed;
    private final AtomicLong acknowledged = new AtomicLong();
    private final TagRanges unacknowledged = new TagRanges();
    private final ConsumedIds ids = new ConsumedIds();

    private volatile long passed;
    private volatile long passedBytes;
    private final AtomicLong credited = new AtomicLong();
    private final AtomicLong creditedBytes = new AtomicLong();

    private final AtomicBoolean armed = new AtomicBoolean();
    private int waiting;
    private long lastFlush;

    /**
     * The confirmation that the next message waits for, or waited for; and the range to request it for, if that was not
     * possible yet.
     */
    private volatile @Nullable Confirmation confirmation;

    private volatile long[] unrequested = NONE;
    private long announced;
    private long refusals;

    Acknowledger(Attachment attachment, AckMode mode, int window, Clock clock) {
        this.attachment = attachment;
        this.mode = mode;
        this.clock = clock;
        this.batch = window < 0 ? 512 : Math.max(1, Math.min(window / 2, 512));
        this.maxDelay = mode == AckMode.DUPS_OK ? DUPS_OK_NANOS : AUTO_NANOS;
        this.passedOn = new PassedOn(mode.automatic());
        this.lastFlush = clock.nanos() - maxDelay;
    }

    /** The highest tag that the application saw. */
    public long seen() {
        return seen;
    }

    /** Whether the requested confirmation has arrived; the session is woken when it arrives. */
    public boolean isConfirmed() {
        Confirmation c = confirmation;
        return unrequested.length == 0 && (c == null || c.isDone());
    }

    /**
     * Whether a message can be passed on now. If not, the session is woken when it must call again. By the session's
     * thread.
     */
    public boolean ready(Delivery d) {
        long[] again = unrequested;
        if (again.length > 0) {
            confirm(again, (int) again[2]);
        }
        if (!isConfirmed()) {
            return false;
        }
        if (!d.redelivered || d.tag == announced || !attachment.reportsPassed() || mode == AckMode.NONE) {
            return true;
        }
        announced = d.tag;
        confirm(new long[] {d.tag, d.tag, AckFrame.PASSED}, AckFrame.PASSED);
        return isConfirmed();
    }

    /** Records that a message is being passed to the application. */
    public void pass(Delivery d) {
        if (d.tag > seen) {
            seen = d.tag;
        }
        DeliverySession session = attachment.session();
        d.automatic = session.automatic();
        if (mode == AckMode.CLIENT || session.transacted()) {
            unacknowledged.add(d.tag);
        }
        if (mode == AckMode.CLIENT) {
            ids.add(d.tag, d.id);
        }
        if (attachment.reportsPassed() && d.tag != announced && mode != AckMode.NONE) {
            passedOn.add(d.tag);
            if (!mode.automatic()) {
                soon();
            }
        }
        if (d.pushed) {
            long bytes = passedBytes + d.bytes;
            long messages = passed + 1;
            passedBytes = bytes;
            passed = messages;
            waiting++;
        }
    }

    /** Records a consumed message of a session that acknowledges automatically. */
    public void consume(Delivery d) {
        boolean sure = mode != AckMode.DUPS_OK && d.lasting();
        if (d.tag <= consumed) {
            if (sure) {
                confirm(new long[] {d.tag, d.tag, AckFrame.CONSUMED}, AckFrame.CONSUMED);
            } else {
                acknowledge(new long[] {d.tag, d.tag}, NONE);
            }
            return;
        }
        if (d.tag != consumed + 1) {
            drain();
            acknowledged.accumulateAndGet(d.tag - 1, Math::max);
        }
        consumed = d.tag;
        if (sure) {
            waiting = 0;
            lastFlush = clock.nanos();
            long from = acknowledged.getAndAccumulate(d.tag, Math::max) + 1;
            // one already sent by the timer is repeated: the broker ignores it, and confirms when it is durable
            confirm(new long[] {Math.min(from, d.tag), d.tag, AckFrame.CONSUMED}, AckFrame.CONSUMED);
            send();
        } else {
            waiting++;
        }
    }

    /**
     * Requests the broker's confirmation of a range; if that is not possible now, the session is woken to retry soon.
     */
    private void confirm(long[] range, int kind) {
        Confirmation requested = new Confirmation(attachment);
        try {
            attachment.settle(requested, range[0], range[1], kind);
            confirmation = requested;
            unrequested = NONE;
        } catch (JMSException e) {
            // too many requests are pending
            unrequested = range;
            attachment.link().later(attachment.session()::confirmed, AUTO_NANOS);
        }
    }

    /**
     * Reports that the broker could not store an acknowledgement: the messages may be redelivered after a crash of the
     * broker. Logged with decreasing frequency.
     */
    void notDurable(JMSException why) {
        refusals++;
        if (Long.bitCount(refusals) == 1) {
            attachment
                    .session()
                    .quiet(
                            "messages were consumed and the broker could not store the acknowledgement, " + refusals
                                    + (refusals == 1 ? " time" : " times")
                                    + " so far: they are redelivered if it crashes before it can",
                            why);
        }
    }

    /**
     * Sends the marked reports, now or soon.
     *
     * @param idle whether no other message waits to be consumed
     */
    public void flush(boolean idle) {
        if (waiting == 0) {
            return;
        }
        boolean lazily = mode == AckMode.DUPS_OK && consumed > acknowledged.get();
        if ((idle && !lazily) || waiting >= 2 * batch || clock.nanos() - lastFlush >= maxDelay) {
            drain();
        } else {
            soon();
        }
    }

    /**
     * Sends the marked reports within the maximum delay, even if a listener takes longer: its credit is due when it is
     * called.
     */
    public void soon() {
        if (!armed.getAndSet(true)) {
            attachment.link().later(this::timer, maxDelay);
        }
    }

    private void timer() {
        armed.set(false);
        send();
    }

    /** Sends all marked reports now; from the session's thread. */
    public void drain() {
        waiting = 0;
        lastFlush = clock.nanos();
        send();
    }

    private void send() {
        long to = consumed;
        long from = acknowledged.getAndAccumulate(to, Math::max) + 1;
        long[] passedRanges = passedOn.take(to);
        if (to >= from || passedRanges.length > 0) {
            acknowledge(to >= from ? new long[] {from, to} : NONE, passedRanges);
        }
        long bytes = passedBytes;
        long messages = passed;
        long moreMessages = messages - credited.getAndAccumulate(messages, Math::max);
        long moreBytes = bytes - creditedBytes.getAndAccumulate(bytes, Math::max);
        if (moreMessages > 0 || moreBytes > 0) {
            credit(within(moreMessages), within(moreBytes));
        }
    }

    private static int within(long credit) {
        return (int) Math.max(0, Math.min(credit, Integer.MAX_VALUE));
    }

    private void credit(int messages, int bytes) {
        attachment.send(FrameType.CREDIT, CreditFrame.BYTES, out -> CreditFrame.write(out, messages, bytes));
    }

    private void acknowledge(long[] consumedRanges, long[] passedRanges) {
        attachment.send(
                FrameType.ACK, (consumedRanges.length + passedRanges.length) / 2 * AckFrame.RANGE_BYTES, out -> {
                    writeRanges(out, consumedRanges, AckFrame.CONSUMED);
                    writeRanges(out, passedRanges, AckFrame.PASSED);
                });
    }

    /** Whether messages up to a tag were consumed and not acknowledged. */
    public boolean owes(long tag) {
        return unacknowledged.any(tag);
    }

    /** Sends the acknowledgement of all messages that the session consumed and did not acknowledge. */
    public void acknowledgeAll() {
        acknowledgeTo(Long.MAX_VALUE);
    }

    /**
     * The same up to a tag.
     *
     * @return the acknowledged messages, for {@link #restore}
     */
    Taken acknowledgeTo(long tag) {
        drain();
        long[] ranges = unacknowledged.take(tag);
        if (ranges.length > 0) {
            acknowledge(ranges, NONE);
        }
        return new Taken(ranges, ids.take(tag));
    }

    /** Marks messages as unacknowledged again, because the broker did not accept their acknowledgement. */
    void restore(Taken taken) {
        unacknowledged.add(taken.ranges);
        ids.add(taken.ids);
    }

    /** The messages of a client-acknowledged session that were consumed and not acknowledged. */
    Set<ConsumedIds.Id> consumedIds() {
        return ids.all();
    }

    private static void writeRanges(ByteBuf out, long[] ranges, int kind) {
        for (int i = 0; i < ranges.length; i += 2) {
            AckFrame.write(out, ranges[i], ranges[i + 1], kind);
        }
    }

    /** Discards unacknowledged messages: the broker redelivers them and has reopened the window. */
    void reset() {
        unacknowledged.take(Long.MAX_VALUE);
        ids.take(Long.MAX_VALUE);
        passedOn.take(Long.MAX_VALUE);
        acknowledged.accumulateAndGet(consumed, Math::max);
        credited.set(passed);
        creditedBytes.set(passedBytes);
        waiting = 0;
    }
}
