package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.Returning;
import io.weir.broker.transaction.Work;
import io.weir.jms.frames.AckFrame;
import io.weir.journal.settings.JournalFault;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session's reports about its deliveries: consumed, returned, passed on; and its waiting until they are durable.
 * Confined to the session's loop.
 */
final class Acknowledgements {
    private final BrokerSession session;
    private final AckFrame ack = new AckFrame();

    Acknowledgements(BrokerSession session) {
        this.session = session;
    }

    /** Processes the ranges of an ACK; returns whether any of them was of consumed messages. */
    boolean acknowledge(ByteBuf in) {
        boolean consumed = false;
        while (ack.next(in)) {
            consumed |= ack.kind() == AckFrame.CONSUMED;
            if (ack.kind() == AckFrame.PASSED && !session.reportsPassed) {
                throw new WireFault(WireFault.Reason.MALFORMED, "PASSED ranges require version 2 of the protocol");
            }
            // a returned entry may be delivered again at once, under another tag
            long last = Math.min(ack.to(), session.unacked.newest());
            for (QueueEntry e = session.unacked.first(ack.from(), last); e != null; ) {
                long tag = e.tag;
                acknowledge(e, ack.kind());
                e = session.unacked.first(tag + 1, last);
            }
        }
        session.settling.flush();
        return consumed;
    }

    private void acknowledge(QueueEntry e, int kind) {
        if (kind == AckFrame.PASSED) {
            e.passed = true;
        } else if (kind == AckFrame.RETURNED) {
            returned(e);
        } else {
            consumed(e);
        }
    }

    private void consumed(QueueEntry e) {
        Work work = session.work();
        if (!session.transacted()) {
            session.unacked.remove(e.tag);
        }
        if (work == null) {
            session.settling.acknowledge(e);
        } else if (!work.consume(e)) {
            // the branch was rolled back by its time-out, or by somebody else
            Returning.takeBack(List.of(e), _ -> ApplicationSaw.YES, session.redeliveryDelay());
        }
    }

    /** Processes an ACK that is answered. */
    void settle(ByteBuf in) {
        if (!session.reportsPassed) {
            throw new WireFault(WireFault.Reason.UNKNOWN_TYPE, "SETTLE requires version 2 of the protocol");
        }
        int request = WireReader.i32(in);
        if (acknowledge(in)) {
            session.settling.whenDurable(session.engine.store(), fault -> done(request, fault));
        } else {
            session.replies.ok(request);
        }
    }

    private void done(int request, @Nullable JournalFault fault) {
        if (session.isClosed()) {
            return;
        }
        if (fault == null) {
            session.replies.ok(request);
        } else {
            session.replies.refused(request, session.engine.store().refusal("the acknowledgement", fault));
        }
    }

    private void returned(QueueEntry e) {
        session.unacked.remove(e.tag);
        session.unwindow(e);
        Returning.takeBack(List.of(e), _ -> ApplicationSaw.NO, session.redeliveryDelay());
    }

    /** Answers when all before it is done and durable. */
    void sync(int request) {
        session.settling.settle(session.quiet);
        session.quiet.whenQuiet(() -> session.engine
                .store()
                .whenDone(session.loop, session.settling.touchedStore(), fault -> {
                    if (fault != null) {
                        session.settling.touchStore(); // a repeated request waits for the same
                    }
                    done(request, fault);
                }));
    }
}
