package io.weir.broker.session;

import io.netty.buffer.ByteBuf;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.queue.EntrySelection;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.selector.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Browses a queue without consuming, a page at a time. The cursor is the place of the last message shown, so that no
 * state is held between pages: messages consumed in between are not shown, those behind the cursor are. Stateless.
 */
public final class Browsing {
    private Browsing() {}

    /** One message of a page. */
    record Shown(ByteBuf block, int attempt) {}

    /** Answers a BROWSE. */
    static void browse(BrokerSession session, ClientFrames.Browse b) {
        try {
            Destination d = session.engine.destinations().get(b.destination());
            d.authorise(Destination.Access.BROWSE, session.connection.wire.user(), session.connection.wire.groups());
            if (!(d instanceof QueueDestination q)) {
                throw new RequestRefusal(
                        RefusalCode.INVALID_DESTINATION, d.name + " is a topic: only queues are browsed");
            }
            Selector selector = EntrySelection.parse(b.selector(), d.name);
            d.loop.run(() -> {
                d.loop.catchUp();
                List<Shown> page = new ArrayList<>();
                long cursor = page(q.queue(), selector, b, page);
                session.loop.run(() -> show(session, b.request(), page, cursor));
            });
        } catch (RequestRefusal r) {
            session.replies.refused(b.request(), r);
        }
    }

    private static long page(MessageQueue queue, @Nullable Selector selector, ClientFrames.Browse b, List<Shown> into) {
        MessageView view = new MessageView();
        long bytes = 0;
        int most = Math.max(1, b.maxMessages());
        for (QueueEntry e = queue.available().first();
                e != null;
                e = queue.available().after(e)) {
            if (e.place() <= b.cursor() || queue.expiry().isOver(e)) {
                continue;
            }
            if (selector == null || selector.matches(view.wrap(e.message.block()), e.attempt())) {
                into.add(new Shown(e.message.block().retain(), e.attempt()));
                bytes += e.message.size();
                if (into.size() >= most || bytes >= b.maxBytes()) {
                    return e.place();
                }
            }
        }
        return 0;
    }

    private static void show(BrokerSession session, int request, List<Shown> page, long cursor) {
        for (Shown s : page) {
            if (!session.isClosed()) {
                ByteBuf frame =
                        session.connection.wire.newFrame(FrameType.DELIVER, session.stream, DeliverFrame.HEAD_BYTES);
                int flags = DeliverFrame.BROWSED | (s.attempt() > 1 ? DeliverFrame.REDELIVERED : 0);
                DeliverFrame.writeHead(frame, request, 0, flags, s.attempt());
                session.connection.wire.send(frame, s.block());
            }
            s.block().release();
        }
        if (!session.isClosed()) {
            session.replies.browseDone(request, page.size(), cursor);
        }
    }
}
