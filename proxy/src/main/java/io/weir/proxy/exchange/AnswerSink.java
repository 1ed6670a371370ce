package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link ClientResponse} writes answers: HTTP/1 bytes for a connection, or frames for a stream. Confined to the
 * client's muxer. What is written may wait until {@link #flush}.
 */
public interface AnswerSink {
    /** Pieces up to this size are copied behind the head; larger ones are written where they lie. */
    int COPY_BYTES = 16 * 1024;

    /** A head, or a head with its body behind it, in HTTP/1 syntax, in a buffer that may grow; takes ownership. */
    void hold(ByteBuf out);

    /** A piece of a body; takes ownership. */
    void add(ByteBuf data);

    /** A piece of a body of unknown length; takes ownership. */
    void chunk(ByteBuf data);

    /** The end of such a body, and its trailers. */
    void lastChunk(@Nullable Fields trailers);

    /** Takes the present answer back, from its final head on; false where something of it may have left. */
    boolean retract();

    /** Writes everything out. */
    void flush();

    /** Drops what is gathered: the client is gone. */
    void release();
}
