package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.kernel.Deadline;
import io.weir.kernel.Deadlines;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends answers whose client opens no window: that holds an answer as an unread socket does, where the kernel, which watches
 * sockets, sees nothing. Looks four times within the write time-out while streams are open. Owned by one session, confined
 * to its muxer.
 */
final class StallWatch {
    private final Http2Session session;
    private final Deadlines deadlines;
    private final Deadline timer = Deadline.of(this::look);
    private long sent;
    private long seenSent;
    private long since;

    StallWatch(Http2Session session, Deadlines deadlines) {
        this.session = session;
        this.deadlines = deadlines;
    }

    /** The first of the streams now open was opened. */
    void begin() {
        since = deadlines.now();
        arm();
    }

    /** No stream is open any more. */
    void end() {
        deadlines.disarm(timer);
    }

    void sent(int bytes) {
        sent += bytes;
    }

    private void arm() {
        deadlines.arm(timer, Math.max(1, session.host().writeNanos() / 4));
    }

    private void look() {
        if (!session.inUse()) {
            return;
        }
        long now = deadlines.now();
        boolean socketTakes = session.client().channel().isWritable();
        if (sent != seenSent || !socketTakes) {
            seenSent = sent;
            since = now;
        }
        List<Http2Stream> stalled = stalled(now, socketTakes);
        session.counters().stalled.add(stalled.size());
        if (!stalled.isEmpty() && now - since >= session.host().writeNanos()) {
            session.cut(Flood.STALLED);
            return;
        }
        stalled.forEach(s -> session.reset(s, Http2Error.CANCEL));
        if (session.inUse()) {
            arm();
        }
    }

    private List<Http2Stream> stalled(long now, boolean socketTakes) {
        List<Http2Stream> stalled = new ArrayList<>();
        OpenStreams.each(session, (stream, end) -> {
            if (stalls(stream, end, now, socketTakes)) {
                stalled.add(stream);
            }
        });
        return stalled;
    }

    private boolean stalls(Http2Stream stream, StreamEnd end, long now, boolean socketTakes) {
        boolean waits = end.waiting() || session.encoder().flowController().hasFlowControlled(stream);
        if (!waits || end.sent != end.seenSent || !socketTakes) {
            end.seenSent = end.sent;
            end.since = now;
            return false;
        }
        return now - end.since >= session.host().writeNanos();
    }
}
