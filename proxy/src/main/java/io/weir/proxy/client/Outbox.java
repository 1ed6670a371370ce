package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.FileRegion;
import io.weir.http.Encoder;
import io.weir.http.Fields;
import io.weir.proxy.exchange.AnswerSink;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the small pieces of answers, so that a head, a short body and the answers to pipelined requests are written
 * in one call instead of a gathering write. Owned by a client connection, confined to its muxer.
 */
public final class Outbox implements AnswerSink {
    private static final int GATHERED_BYTES = 64 * 1024;
    private static final int CHUNK_OVERHEAD = 20;

    private final Channel channel;
    private @Nullable ByteBuf gathered;
    /** Start of the current answer in the buffer; -1 if part of it was already written to the channel. */
    private int begun = -1;

    public Outbox(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void hold(ByteBuf out) {
        ByteBuf before = gathered;
        if (before == null) {
            gathered = out;
            begun = 0;
            return;
        }
        int at = before.readableBytes();
        boolean behind = fits(before, out.readableBytes());
        add(out);
        begun = behind ? at : -1;
    }

    @Override
    public boolean retract() {
        ByteBuf out = gathered;
        if (out == null || begun < 0) {
            return false;
        }
        out.writerIndex(out.readerIndex() + begun);
        begun = -1;
        if (!out.isReadable()) {
            release();
        }
        return true;
    }

    @Override
    public void add(ByteBuf data) {
        ByteBuf to = gathered;
        if (to != null && fits(to, data.readableBytes())) {
            to.writeBytes(data);
            data.release();
        } else {
            push();
            var _ = channel.write(data, channel.voidPromise());
        }
    }

    @Override
    public void add(FileRegion part) {
        push();
        var _ = channel.write(part, channel.voidPromise());
    }

    /** Writes a chunk (RFC 9112 section 7.1). An empty one writes nothing. */
    @Override
    public void chunk(ByteBuf data) {
        int size = data.readableBytes();
        if (size == 0) {
            data.release();
            return;
        }
        ByteBuf to = room(CHUNK_OVERHEAD);
        Encoder.chunkHeader(to, size);
        if (fits(to, size + 2)) {
            to.writeBytes(data);
            data.release();
            Encoder.chunkEnd(to);
            return;
        }
        push();
        var _ = channel.write(data, channel.voidPromise());
        Encoder.chunkEnd(room(CHUNK_OVERHEAD));
    }

    @Override
    public void lastChunk(@Nullable Fields trailers) {
        Encoder.lastChunk(room(CHUNK_OVERHEAD), trailers);
    }

    private static boolean fits(ByteBuf to, int more) {
        return more <= COPY_BYTES && to.readableBytes() + more <= GATHERED_BYTES;
    }

    private ByteBuf room(int bytes) {
        ByteBuf to = gathered;
        if (to == null) {
            to = channel.alloc().directBuffer(Math.max(64, bytes));
            gathered = to;
        }
        return to;
    }

    /** Writes the buffer to the channel. */
    void push() {
        ByteBuf out = gathered;
        if (out != null) {
            gathered = null;
            begun = -1;
            var _ = channel.write(out, channel.voidPromise());
        }
    }

    /** Writes the buffer as the channel's last bytes, without flushing; the future completes when they are sent. */
    public ChannelFuture last() {
        ByteBuf out = gathered;
        gathered = null;
        begun = -1;
        return channel.write(out == null ? Unpooled.EMPTY_BUFFER : out);
    }

    @Override
    public void flush() {
        push();
        channel.flush();
    }

    @Override
    public void release() {
        ByteBuf out = gathered;
        if (out != null) {
            gathered = null;
            out.release();
        }
    }
}
