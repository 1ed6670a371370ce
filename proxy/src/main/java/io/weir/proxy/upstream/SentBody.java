package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * What was sent of a request's body, for as long as the request may have to be sent again because its connection turns out
 * to be dead. Holds a copy: the pieces lie in larger buffers, which would stay, too. Beyond its bound it holds nothing, and
 * the request is not sent again. Owned by one fetch, confined to its muxer.
 */
final class SentBody {
    private final ByteBufAllocator alloc;
    private final long bound;
    private @Nullable ByteBuf copy;
    private @Nullable Fields trailers;
    private boolean keeping;
    private boolean whole = true;
    private boolean ended;

    /**
     * @param bound most bytes that are held
     */
    SentBody(ByteBufAllocator alloc, long bound) {
        this.alloc = alloc;
        this.bound = bound;
    }

    /** From here on what is sent may have to be sent again, or need not. */
    void keep(boolean on) {
        keeping = on && whole;
        if (!keeping) {
            over();
        }
    }

    /** A piece is about to be sent; stays the caller's. */
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

    /** Whether all that was sent can be sent again. */
    boolean whole() {
        return whole;
    }

    /** Whether the client has sent all of it. */
    boolean ended() {
        return ended;
    }

    /** All that was sent, for the caller; null when that is nothing. A copy, for what is held may still grow. */
    @Nullable
    ByteBuf content() {
        ByteBuf held = copy;
        return held == null ? null : held.copy();
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    /** Nothing is sent again any more. */
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
