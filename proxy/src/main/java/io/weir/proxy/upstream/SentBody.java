package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The part of a request's body that was sent, for as long as the request may have to be sent again because its
 * connection turns out to be dead. Holds a copy, because the pieces are slices that would keep larger buffers alive.
 * Beyond its bound it holds nothing, and the request is not sent again. Owned by one fetch, confined to its muxer.
 */
final class SentBody {
    private final ByteBufAllocator alloc;
    private final long bound;
    private @Nullable ByteBuf copy;
    private @Nullable Fields trailers;
    private boolean keeping;
    private boolean whole = true;
    private boolean ended;

    /** @param bound most bytes that are held */
    SentBody(ByteBufAllocator alloc, long bound) {
        this.alloc = alloc;
        this.bound = bound;
    }

    /** Whether what is sent from now on may have to be sent again. */
    void keep(boolean on) {
        keeping = on && whole;
        if (!keeping) {
            over();
        }
    }

    /** Called before a piece is sent; the caller keeps ownership. */
    void add(ByteBuf data) {
        int more = data.readableBytes();
        ByteBuf held = copy;
        if (!keeping || more + (held == null ? 0 : held.readableBytes()) > bound) {
            whole = whole && more == 0;
            keep(false);
            return;
        }
        if (held == null) {
            held = alloc.directBuffer(more);
            copy = held;
        }
        held.writeBytes(data, data.readerIndex(), more);
    }

    /** The body is complete. */
    void end(@Nullable Fields last) {
        ended = true;
        if (last != null && last.size() > 0) {
            whole = whole && keeping;
            trailers = keeping ? last.copy() : null;
        }
    }

    /** Whether everything that was sent can be sent again. */
    boolean whole() {
        return whole;
    }

    /** Whether the client has sent all of it. */
    boolean ended() {
        return ended;
    }

    /**
     * A copy of everything that was sent, for the caller; null if nothing was. A copy, because the original may still
     * grow.
     */
    @Nullable
    ByteBuf content() {
        ByteBuf held = copy;
        return held == null ? null : held.copy();
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    /** Nothing will be sent again. */
    void over() {
        ByteBuf held = copy;
        whole = whole && held == null && trailers == null;
        copy = null;
        trailers = null;
        keeping = false;
        if (held != null) {
            held.release();
        }
    }
}
