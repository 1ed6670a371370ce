package io.weir.proxy.upstream;

import io.weir.base.Clock;
import io.weir.http.Version;
import io.weir.proxy.pool.PoolServer;
import org.jspecify.annotations.Nullable;

/** Metrics of a fetch: timestamps and byte counts. Confined to the fetch's muxer. */
abstract sealed class FetchFigures permits Fetch {
    /** Bytes not yet written by the connection at the last sample. */
    private long unsent;

    long requestMillis;
    long responseMillis;
    long startNanos;
    long headNanos;
    long resolvedNanos;
    long borrowedNanos;
    long sentHead;
    long sentBody;
    long receivedHead;
    long receivedBody;

    @Nullable
    Version version;

    @Nullable
    PoolServer server;

    /** Samples the bytes not yet written by the connection. */
    final void sampleUnsent(OriginConnection c) {
        unsent = c.unsent();
    }

    /** Whether the connection has more of the request to write, and has written some since the last sample. */
    final boolean sendsOn(OriginConnection c) {
        long before = unsent;
        sampleUnsent(c);
        return unsent > 0 && unsent < before;
    }

    /** The head of an answer is here. */
    final void answered(Clock clock, Version by, @Nullable OriginConnection c) {
        responseMillis = clock.millis();
        headNanos = clock.nanos();
        version = by;
        receivedHead = c == null ? 0 : c.headBytes();
    }

    /** When the request was sent, epoch milliseconds: the request_time of RFC 9111 section 4.2.3. */
    public final long requestMillis() {
        return requestMillis;
    }

    /** When the head of the answer arrived, epoch milliseconds: the response_time of RFC 9111 section 4.2.3. */
    public final long responseMillis() {
        return responseMillis;
    }

    public final long startNanos() {
        return startNanos;
    }

    /** When the head of the answer arrived by the monotonic clock; 0 before. */
    public final long headNanos() {
        return headNanos;
    }

    /** When the name of the origin was resolved for a new connection; 0 if none was made. */
    public final long resolvedNanos() {
        return resolvedNanos;
    }

    /** When there was a connection to send the request on; 0 before. */
    public final long borrowedNanos() {
        return borrowedNanos;
    }

    /** Bytes of the request's head on the last attempt. */
    public final long sentHead() {
        return sentHead;
    }

    /** Bytes of the request's body, without chunk framing. */
    public final long sentBody() {
        return sentBody;
    }

    /** Bytes of the answer's heads, interim ones included. */
    public final long receivedHead() {
        return receivedHead;
    }

    /** Bytes of the answer's body, without chunk framing. */
    public final long receivedBody() {
        return receivedBody;
    }

    /** The HTTP version of the answer; null before it arrives. */
    @Nullable
    public final Version version() {
        return version;
    }

    /** The pool's server of the current or last attempt; null if there is no pool. */
    @Nullable
    public final PoolServer server() {
        return server;
    }
}
