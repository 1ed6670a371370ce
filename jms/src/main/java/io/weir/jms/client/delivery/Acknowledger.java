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
 * A session's reports to the broker, on one link, about messages that came by it: which were passed to the application,
 * which are acknowledged, and credit for its window. While consumption keeps up each goes out at once; under load they
 * go out together, at the latest after half a window or a millisecond. Two things wait for the broker's word before the
 * next message is passed on (docs/adr/0016): a persistent message's automatic acknowledgement, so that only the last
 * one consumed can come again; and that a message which was delivered before is passed on, so that one which ends the
 * process counts. Marked by the session's thread, sent by it or by the loop; nothing but atomics on the way of a
 * message in the automatic modes. Belongs to its {@link Attachment}: reports after the link is lost are dropped.
 */
public final class Acknowledger {
    static final long AUTO_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    static final long DUPS_OK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What an acknowledgement is of. */
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
    private final long patience;
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

    /** What the next message waits for, or waited; and the range to request it for, if that was not possible yet. */
    private volatile @Nullable Confirmation confirmation;

    private volatile long[] unasked = NONE;
    private long announced;
    private long refusals;

    Acknowledger(Attachment attachment, AckMode mode, int window, Clock clock) {
        this.attachment = attachment;
        this.mode = mode;
        this.clock = clock;
        this.batch = window < 0 ? 512 : Math.clamp(window / 2, 1, 512);
        this.patience = mode == AckMode.DUPS_OK ? DUPS_OK_NANOS : AUTO_NANOS;
        this.passedOn = new PassedOn(mode.automatic());
        this.lastFlush = clock.nanos() - patience;
    }

    /** The highest tag that the application saw. */
    public long seen() {
        return seen;
    }

    /** Whether the broker's word has come that was asked for; the session is woken when it comes. */
    public boolean isConfirmed() {
        Confirmation c = confirmation;
        return unasked.length == 0 && (c == null || c.isDone());
    }

    /**
     * Whether a message may be passed on now. If not, the session is woken when it is to be asked again. By the
     * session's thread.
     */
    public boolean ready(Delivery d) {
        long[] again = unasked;
        if (again.length > 0) {
            ask(again, (int) again[2]);
        }
        if (!isConfirmed()) {
            return false;
        }
        if (!d.redelivered || d.tag == announced || !attachment.tellsPassed() || mode == AckMode.NONE) {
            return true;
        }
        announced = d.tag;
        ask(new long[] {d.tag, d.tag, AckFrame.PASSED}, AckFrame.PASSED);
        return isConfirmed();
    }

    /** A message is being passed to the application. */
    public void pass(Delivery d) {
        if (d.tag > seen) {
            seen = d.tag;
        }
        if (mode == AckMode.CLIENT || mode == AckMode.TRANSACTED) {
            unacknowledged.add(d.tag);
        }
        if (mode == AckMode.CLIENT) {
            ids.add(d.tag, d.id);
        }
        if (attachment.tellsPassed() && d.tag != announced && mode != AckMode.NONE) {
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

    /** A message was consumed and acknowledges itself. */
    public void consume(Delivery d) {
        boolean sure = mode == AckMode.AUTO && d.lasting();
        if (d.tag <= consumed) {
            if (sure) {
                ask(new long[] {d.tag, d.tag, AckFrame.CONSUMED}, AckFrame.CONSUMED);
            } else {
                tell(new long[] {d.tag, d.tag}, NONE);
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
            ask(new long[] {Math.min(from, d.tag), d.tag, AckFrame.CONSUMED}, AckFrame.CONSUMED);
            send();
        } else {
            waiting++;
        }
    }

    /** Asks for the broker's word on a range; when it can not be asked now, the session is woken to do it soon. */
    private void ask(long[] range, int kind) {
        Confirmation asked = new Confirmation(attachment);
        try {
            attachment.settle(asked, range[0], range[1], kind);
            confirmation = asked;
            unasked = NONE;
        } catch (JMSException e) {
            // too many requests wait for their answers
            unasked = range;
            attachment.link().later(attachment.session()::confirmed, AUTO_NANOS);
        }
    }

    /** The broker could not keep what was acknowledged: after its death it may come again. Said now and then. */
    void notDurable(JMSException why) {
        refusals++;
        if (Long.bitCount(refusals) == 1) {
            attachment
                    .session()
                    .quiet(
                            "messages were consumed and the broker could not write that down, " + refusals
                                    + (refusals == 1 ? " time" : " times")
                                    + " so far: they come again if it dies before it could",
                            why);
        }
    }

    /**
     * Sends what was marked, now or soon.
     *
     * @param idle no other message waits to be consumed
     */
    public void flush(boolean idle) {
        if (waiting == 0) {
            return;
        }
        boolean lazily = mode == AckMode.DUPS_OK && consumed > acknowledged.get();
        if ((idle && !lazily) || waiting >= 2 * batch || clock.nanos() - lastFlush >= patience) {
            drain();
        } else {
            soon();
        }
    }

    /**
     * Sends what was marked within the patience, also if a listener takes longer: its credit is due when it is called.
     */
    public void soon() {
        if (!armed.getAndSet(true)) {
            attachment.link().later(this::timer, patience);
        }
    }

    private void timer() {
        armed.set(false);
        send();
    }

    /** Sends now all that was marked; from the session's thread. */
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
            tell(to >= from ? new long[] {from, to} : NONE, passedRanges);
        }
        long bytes = passedBytes;
        long messages = passed;
        long moreMessages = messages - credited.getAndAccumulate(messages, Math::max);
        long moreBytes = bytes - creditedBytes.getAndAccumulate(bytes, Math::max);
        if (moreMessages > 0 || moreBytes > 0) {
            credit(Math.clamp(moreMessages, 0, Integer.MAX_VALUE), Math.clamp(moreBytes, 0, Integer.MAX_VALUE));
        }
    }

    private void credit(int messages, int bytes) {
        attachment.tell(FrameType.CREDIT, CreditFrame.BYTES, out -> CreditFrame.write(out, messages, bytes));
    }

    private void tell(long[] consumedRanges, long[] passedRanges) {
        attachment.tell(
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
    void acknowledgeAll() {
        acknowledgeTo(Long.MAX_VALUE);
    }

    /**
     * The same up to a tag.
     *
     * @return what was acknowledged, for {@link #restore}
     */
    Taken acknowledgeTo(long tag) {
        drain();
        long[] ranges = unacknowledged.take(tag);
        if (ranges.length > 0) {
            tell(ranges, NONE);
        }
        return new Taken(ranges, ids.take(tag));
    }

    /** The broker could not take an acknowledgement: what it was of is unacknowledged again. */
    void restore(Taken taken) {
        unacknowledged.add(taken.ranges);
        ids.add(taken.ids);
    }

    /** The messages that were consumed and not acknowledged, of a client-acknowledged session. */
    Set<ConsumedIds.Id> consumedIds() {
        return ids.all();
    }

    private static void writeRanges(ByteBuf out, long[] ranges, int kind) {
        for (int i = 0; i < ranges.length; i += 2) {
            AckFrame.write(out, ranges[i], ranges[i + 1], kind);
        }
    }

    /** Forgets what was not acknowledged: the broker delivers it again, and opened the window. */
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
