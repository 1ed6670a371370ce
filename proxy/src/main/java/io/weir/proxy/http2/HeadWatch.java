package io.weir.proxy.http2;

import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Deadlines;

/** Bounds the time from the first byte of a request's head to its last. Owned by one session, confined to its muxer. */
final class HeadWatch {
    private final Http2Session session;
    private final FrameScanner scanner;
    private final Deadlines deadlines;
    private final Deadline timer = Deadline.of(this::timedOut);
    private boolean armed;

    HeadWatch(Http2Session session, FrameScanner scanner, Deadlines deadlines) {
        this.session = session;
        this.scanner = scanner;
        this.deadlines = deadlines;
    }

    /** Something was read. */
    void check() {
        boolean open = scanner.inHead();
        if (open != armed) {
            armed = open;
            if (open) {
                deadlines.arm(timer, session.host().headNanos());
            } else {
                deadlines.disarm(timer);
            }
        }
    }

    void end() {
        deadlines.disarm(timer);
    }

    private void timedOut() {
        armed = false;
        session.host().headTimedOut();
        session.cut(Flood.SLOW_HEAD);
    }
}
