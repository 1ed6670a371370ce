package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.http.ResponseHead;
import io.weir.kernel.mux.Deadline;
import io.weir.proxy.context.LoopContext;

/**
 * The rest of an answer of which only the head was needed: a short one is read and discarded, so that the connection
 * can be reused; one that is longer, or takes longer than a fetch without readers may, is ended by closing its
 * connection. Confined to the fetch's muxer; lives until the fetch is over.
 */
public final class Leftover implements OriginEvents {
    /** Reading more than this costs the origin more than a new connection. */
    static final int MOST_BYTES = 64 * 1024;

    private final Upstream upstream;
    private final LoopContext loop;
    private final Fetch fetch;
    private final Deadline deadline = Deadline.of(this::abandon);
    private long dropped;

    private Leftover(Upstream upstream, Fetch fetch) {
        this.upstream = upstream;
        this.loop = upstream.loop();
        this.fetch = fetch;
    }

    /** Takes over the events of a fetch after the head. */
    public static void of(Upstream upstream, Fetch fetch, ResponseHead head) {
        if (head.contentLength() > MOST_BYTES) {
            fetch.cancel();
            return;
        }
        Leftover rest = new Leftover(upstream, fetch);
        fetch.sink(rest);
        rest.loop.deadlines().arm(rest.deadline, rest.loop.settings().afterAbortNanos());
        fetch.pause(false);
    }

    private void abandon() {
        loop.deadlines().disarm(deadline);
        fetch.cancel();
    }

    @Override
    public void data(ByteBuf data) {
        dropped += data.readableBytes();
        data.release();
        if (dropped > MOST_BYTES) {
            abandon();
        }
    }

    @Override
    public void end(Fields trailers) {
        loop.deadlines().disarm(deadline);
    }

    @Override
    public void broken(OriginFault fault, String detail) {
        upstream.counters().fault(fault);
        loop.deadlines().disarm(deadline);
    }

    @Override
    public void informational(ResponseHead head) {
        // the final head has already arrived
    }

    @Override
    public void head(ResponseHead head) {
        // as above
    }

    @Override
    public void writable() {
        // a request for the store has no body
    }

    @Override
    public void flush() {
        // there is no client to flush to
    }
}
