package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.FileRegion;
import io.weir.http.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link ClientResponse} writes answers: HTTP/1 bytes for a connection, or frames for a stream. Confined to the
 * client's muxer. Writes may be buffered until {@link #flush}.
 */
public interface AnswerSink {
    /** Pieces up to this size are copied after the head; larger ones are written without a copy. */
    int COPY_BYTES = 16 * 1024;

    /** A head, optionally followed by its body, in HTTP/1 syntax, in a buffer that may grow; takes ownership. */
    void hold(ByteBuf out);

    /** A piece of a body; takes ownership. */
    void add(ByteBuf data);

    /**
     * A part of a file, which may become shorter while it is sent; takes ownership. Only where {@link Client#socket} is
     * one, and nothing is written after it until it is released.
     */
    default void add(FileRegion part) {
        throw new UnsupportedOperationException("parts of files cannot be sent here");
    }

    /** A piece of a body of unknown length; takes ownership. */
    void chunk(ByteBuf data);

    /** The end of a body of unknown length, and its trailers. */
    void lastChunk(@Nullable Fields trailers);

    /**
     * Discards the current answer, from its final head on; returns false if some of it may already have been written.
     */
    boolean retract();

    /** Writes out everything buffered. */
    void flush();

    /** Discards what is buffered: the client is disconnected. */
    void release();
}
