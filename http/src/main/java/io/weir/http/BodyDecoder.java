package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the data and the end of consecutive bodies (RFC 9112 6 and 7), strictly and incrementally. Confined to the
 * connection's event loop and as long-lived as the connection; it holds memory only while it reads trailers.
 *
 * <p>Chunk extensions are checked and dropped. White space in a chunk-size line, which the grammar tolerates as "bad",
 * is rejected.
 */
public final class BodyDecoder {
    private enum State {
        DONE,
        DATA,
        UNTIL_CLOSE,
        CHUNK_LINE,
        CHUNK_DATA,
        CHUNK_CR,
        CHUNK_LF,
        AFTER_LAST,
        END_LF,
        TRAILERS,
        FAILED
    }

    private final Side side;
    private final Supplier<DecoderLimits> source;
    private final ChunkLine chunkLine = new ChunkLine();
    private State state = State.DONE;
    private long remaining;
    private DecoderLimits limits;
    private @Nullable TrailerSection trailers;
    private @Nullable Fields noTrailers;
    private @Nullable ProtocolFault fault;

    /** Creates a decoder of request or response bodies. */
    public BodyDecoder(Side side, Supplier<DecoderLimits> limits) {
        this.side = side;
        this.source = limits;
        this.limits = limits.get();
    }

    /** Starts a body; {@code length} is used with {@link Framing#LENGTH} only. */
    public void begin(Framing framing, long length) {
        limits = source.get();
        fault = null;
        trailers = null;
        remaining = 0;
        switch (framing) {
            case NONE -> state = State.DONE;
            case LENGTH -> {
                if (length < 0) throw new IllegalArgumentException("negative length: " + length);
                remaining = length;
                state = length == 0 ? State.DONE : State.DATA;
            }
            case CHUNKED -> {
                chunkLine.beginBody();
                state = State.CHUNK_LINE;
            }
            case UNTIL_CLOSE -> state = State.UNTIL_CLOSE;
        }
    }

    /**
     * The next piece of data as a retained slice of {@code in}, which the caller must release; null if more input is
     * needed, the body is complete, or it was rejected. Input after the body is not consumed.
     */
    public @Nullable ByteBuf next(ByteBuf in) {
        while (true) {
            switch (state) {
                case DATA, CHUNK_DATA -> {
                    return in.isReadable() ? data(in) : null;
                }
                case UNTIL_CLOSE -> {
                    return in.isReadable() ? in.readRetainedSlice(in.readableBytes()) : null;
                }
                case CHUNK_LINE, CHUNK_CR, CHUNK_LF, AFTER_LAST, END_LF -> {
                    if (!in.isReadable()) return null;
                    framing(in);
                }
                case TRAILERS -> {
                    trailers(in);
                    return null;
                }
                case DONE, FAILED -> {
                    return null;
                }
            }
        }
    }

    private ByteBuf data(ByteBuf in) {
        int size = (int) Math.min(remaining, in.readableBytes());
        ByteBuf slice = in.readRetainedSlice(size);
        remaining -= size;
        if (remaining == 0) state = state == State.DATA ? State.DONE : State.CHUNK_CR;
        return slice;
    }

    private void framing(ByteBuf in) {
        if (state == State.CHUNK_LINE) {
            chunkLine(in);
            return;
        }
        if (state == State.AFTER_LAST && in.getByte(in.readerIndex()) != '\r') {
            state = State.TRAILERS;
            return;
        }
        byte b = in.readByte();
        switch (state) {
            case CHUNK_CR -> expect(b, '\r', State.CHUNK_LF, Fault.CHUNK_DATA_UNTERMINATED);
            case CHUNK_LF -> expect(b, '\n', State.CHUNK_LINE, Fault.CHUNK_DATA_UNTERMINATED);
            case AFTER_LAST -> expect(b, '\r', State.END_LF, Fault.BARE_CR);
            default -> expect(b, '\n', State.DONE, Fault.BARE_CR);
        }
    }

    private void expect(byte found, char wanted, State next, Fault otherwise) {
        if (found == wanted) state = next;
        else fail(otherwise);
    }

    private void chunkLine(ByteBuf in) {
        Fault wrong = chunkLine.read(in, limits);
        if (wrong != null) {
            fail(wrong);
        } else if (chunkLine.complete()) {
            remaining = chunkLine.size();
            state = remaining > 0 ? State.CHUNK_DATA : State.AFTER_LAST;
            chunkLine.begin();
        }
    }

    private void trailers(ByteBuf in) {
        TrailerSection section = trailers;
        if (section == null) trailers = section = new TrailerSection();
        Progress progress = section.read(in, limits);
        if (progress == Progress.FAULT) fail(section.fault());
        else if (progress == Progress.HEAD) state = State.DONE;
    }

    private void fail(Fault reason) {
        state = State.FAILED;
        fault = ProtocolFault.of(reason, side);
    }

    /** Whether the body and its trailers are complete. */
    public boolean done() {
        return state == State.DONE;
    }

    /** Why the body was rejected, or null. */
    public @Nullable ProtocolFault fault() {
        return fault;
    }

    /** Remaining bytes of the current chunk or of the whole body; 0 if unknown. */
    public long remaining() {
        return remaining;
    }

    /**
     * The connection was closed: completes a body that ends with it; returns the fault if the body was truncated,
     * otherwise null.
     */
    public @Nullable ProtocolFault inputClosed() {
        if (state == State.UNTIL_CLOSE) state = State.DONE;
        else if (state != State.DONE && state != State.FAILED) fail(Fault.BODY_TRUNCATED);
        return fault;
    }

    /** Whether there are trailer fields; valid when done. */
    public boolean hasTrailers() {
        TrailerSection section = trailers;
        return section != null && section.fields().size() > 0;
    }

    /** The trailer fields, when done; valid until the next body begins. Empty if there were none. */
    public Fields trailers() {
        TrailerSection section = trailers;
        if (section != null) return section.fields();
        Fields empty = noTrailers;
        if (empty == null) noTrailers = empty = new Fields();
        empty.clear();
        return empty;
    }
}
