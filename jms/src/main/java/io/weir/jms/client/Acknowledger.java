package io.weir.jms.client;

import io.netty.buffer.ByteBuf;
import io.weir.base.Clock;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.CreditFrame;
import io.weir.jms.frames.FrameType;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a session tells the broker, on one link, of messages that came by it: acknowledgements and credit for its window.
 * While consumption keeps up each goes out at once; under load they go out together, at the latest after half a window or a
 * millisecond. Marked by the session's thread, sent by it or by the loop; nothing but atomics on the way of a message in the
 * automatic modes. Belongs to its {@link Attachment}: what is said after the link is lost is said to nobody.
 */
final class Acknowledger {
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

    private final Attachment attachment;
    private final AckMode mode;
    private final Clock clock;
    private final int batch;
    private final long patience;

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

    Acknowledger(Attachment attachment, AckMode mode, int window, Clock clock) {
        this.attachment = attachment;
        this.mode = mode;
        this.clock = clock;
        this.batch = window < 0 ? 512 : Math.clamp(window / 2, 1, 512);
        this.patience = mode == AckMode.DUPS_OK ? DUPS_OK_NANOS : AUTO_NANOS;
        this.lastFlush = clock.nanos() - patience;
    }

    /** The highest tag that the application saw. */
    long seen() {
        return seen;
    }

    /** A message is being passed to the application. */
    void pass(Delivery d) {
        if (d.tag > seen) {
            seen = d.tag;
        }
        if (mode == AckMode.CLIENT || mode == AckMode.TRANSACTED) {
            unacknowledged.add(d.tag);
        }
        if (mode == AckMode.CLIENT) {
            ids.add(d.tag, d.id);
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
    void consume(Delivery d) {
        if (d.tag <= consumed) {
            tell(d.tag, d.tag);
            return;
        }
        if (d.tag != consumed + 1) {
            drain();
            acknowledged.accumulateAndGet(d.tag - 1, Math::max);
        }
        consumed = d.tag;
        waiting++;
    }

    /**
     * Sends what was marked, now or soon.
     *
     * @param idle no other message waits to be consumed
     */
    void flush(boolean idle) {
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

    /** Sends what was marked within the patience, also if a listener takes longer: its credit is due when it is called. */
    void soon() {
        if (!armed.getAndSet(true)) {
            attachment.link().later(this::timer, patience);
        }
    }

    private void timer() {
        armed.set(false);
        send();
    }

    /** Sends now all that was marked; from the session's thread. */
    void drain() {
        waiting = 0;
        lastFlush = clock.nanos();
        send();
    }

    private void send() {
        long to = consumed;
        long from = acknowledged.getAndAccumulate(to, Math::max) + 1;
        if (to >= from) {
            tell(from, to);
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

    private void tell(long from, long to) {
        attachment.tell(FrameType.ACK, AckFrame.RANGE_BYTES, out -> AckFrame.write(out, from, to, AckFrame.CONSUMED));
    }

    /** Whether messages up to a tag were consumed and not acknowledged. */
    boolean owes(long tag) {
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
            attachment.tell(FrameType.ACK, ranges.length / 2 * AckFrame.RANGE_BYTES, out -> writeRanges(out, ranges));
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

    private static void writeRanges(ByteBuf out, long[] ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            AckFrame.write(out, ranges[i], ranges[i + 1], AckFrame.CONSUMED);
        }
    }

    /** Forgets what was not acknowledged: the broker delivers it again, and opened the window. */
    void reset() {
        unacknowledged.take(Long.MAX_VALUE);
        ids.take(Long.MAX_VALUE);
        acknowledged.accumulateAndGet(consumed, Math::max);
        credited.set(passed);
        creditedBytes.set(passedBytes);
        waiting = 0;
    }
}
