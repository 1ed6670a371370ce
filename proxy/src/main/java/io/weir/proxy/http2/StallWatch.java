package io.weir.proxy.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.kernel.connection.Pressure;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends answers whose client does not open the window, or opens it too slowly: that blocks an answer like an unread
 * socket, but the kernel, which monitors sockets, cannot see it. Checks four times within the write time-out while
 * streams are open. Owned by one session, confined to its muxer.
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

    /** The first of the currently open streams was opened. */
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
        deadlines.arm(timer, Pressure.look(session.host().writeNanos() / 4));
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

    /** As the kernel does for a socket: waiting uses up time, and bytes that the client reads restore some. */
    private boolean stalls(Http2Stream stream, StreamEnd end, long now, boolean socketTakes) {
        boolean waits = end.waiting() || session.encoder().flowController().hasFlowControlled(stream);
        long taken = end.sent - end.seenSent;
        long passed = now - end.since;
        end.seenSent = end.sent;
        end.since = now;
        if (!waits || !socketTakes) {
            end.spent = 0;
            return false;
        }
        end.spent = Math.max(0, end.spent + passed - worth(taken));
        return end.spent >= session.host().writeNanos();
    }

    private long worth(long taken) {
        long rate = session.host().writeRate();
        long all = 2 * session.host().writeNanos();
        return taken == 0 ? 0 : rate == 0 ? all : Math.min(all, TimeUnit.SECONDS.toNanos(taken) / rate);
    }
}
