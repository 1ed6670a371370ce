package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decodes consecutive heads from a connection's input (RFC 9112 2 to 5), strictly and incrementally: every byte is
 * copied once and examined once, however the input is split. Confined to the connection's event loop and as long-lived
 * as the connection. It borrows memory from a {@link HeadScratch} with the first byte of a head and returns it on
 * {@link #reset()}; while idle it holds none.
 */
public abstract sealed class HeadDecoder permits RequestDecoder, ResponseDecoder {
    /** The first byte of a TLS record that opens a handshake (RFC 8446 5.1). */
    private static final int TLS_HANDSHAKE = 0x16;

    private enum State {
        IDLE,
        START_LINE,
        FIELDS,
        DONE,
        FAILED
    }

    final Fields fields = new Fields();
    private final Side side;
    private final Supplier<DecoderLimits> source;
    private final HeadScratch scratch;
    private final LineReader lines = new LineReader(fields);
    private State state = State.IDLE;
    private boolean emptyLineSeen;
    private int fieldsBound;
    private DecoderLimits limits;
    private @Nullable ProtocolFault fault;

    HeadDecoder(Side side, Supplier<DecoderLimits> source, HeadScratch scratch) {
        this.side = side;
        this.source = source;
        this.scratch = scratch;
        this.limits = source.get();
    }

    /**
     * Consumes input until a head is complete. On {@link Progress#MORE} all input was consumed; on {@link
     * Progress#HEAD} the input after the head was not. The call after a head starts the next one and ends the validity
     * of the last; after a fault every call returns {@link Progress#FAULT} until {@link #reset()}.
     */
    public Progress decode(ByteBuf in) {
        if (state == State.FAILED) return Progress.FAULT;
        if (state == State.DONE) restart();
        if (state == State.IDLE) {
            if (!in.isReadable()) return Progress.MORE;
            begin();
        }
        while (true) {
            Progress progress = advance();
            if (progress != Progress.MORE) {
                lines.unread(in);
                return progress;
            }
            if (!lines.fill(in)) break;
        }
        if (state == State.START_LINE && !lines.pending()) rest();
        return Progress.MORE;
    }

    private void begin() {
        limits = source.get();
        if (!fields.holdsMemory()) fields.adopt(scratch.takeBytes(), scratch.takeSpans());
        state = State.START_LINE;
    }

    private void restart() {
        fields.clear();
        lines.start();
        clearHead();
        emptyLineSeen = false;
        state = State.IDLE;
    }

    // only the empty line before a request has arrived: idle, but it is remembered
    private void rest() {
        fields.giveTo(scratch);
        lines.start();
        state = State.IDLE;
    }

    private Progress advance() {
        while (true) {
            boolean first = state == State.START_LINE;
            int bound = first ? lines.nextStart() + limits.maxRequestLine() + 1 : fieldsBound;
            int found = lines.next(bound, first ? startLineTooLong() : Fault.HEADERS_TOO_LARGE);
            if (found == LineReader.MORE) return Progress.MORE;
            if (found == LineReader.BAD) {
                return fail(first && lines.startsWith(TLS_HANDSHAKE) ? Fault.TLS_ON_PLAIN_PORT : lines.fault());
            }
            Fault wrong = first ? startLine() : fieldLine();
            if (wrong != null) return fail(wrong);
            if (state == State.DONE) return Progress.HEAD;
        }
    }

    private @Nullable Fault startLine() {
        int from = lines.lineStart();
        int to = lines.lineEnd();
        if (from == to && side == Side.REQUEST) {
            if (emptyLineSeen) return Fault.REQUEST_LINE_EMPTY;
            emptyLineSeen = true;
            return null;
        }
        fieldsBound = to + 2 + limits.maxHeaderBytes() - 1;
        state = State.FIELDS;
        return parseStartLine(fields.bytes(), from, to, limits);
    }

    private @Nullable Fault fieldLine() {
        int from = lines.lineStart();
        int to = lines.lineEnd();
        if (from == to) {
            state = State.DONE;
            return finish();
        }
        if (fields.size() == limits.maxHeaderCount()) return Fault.HEADERS_TOO_MANY;
        return FieldLine.parse(fields, from, to);
    }

    private Progress fail(Fault reason) {
        state = State.FAILED;
        fault = ProtocolFault.of(reason, side);
        return Progress.FAULT;
    }

    /** Why the message was rejected, after {@link Progress#FAULT}; otherwise null. */
    public @Nullable ProtocolFault fault() {
        return fault;
    }

    /** The input ended: returns the fault if a head was truncated, otherwise null. */
    public @Nullable ProtocolFault inputClosed() {
        if (inHead()) fail(Fault.HEAD_TRUNCATED);
        return fault;
    }

    /** Whether a head has begun and is not complete, so that the header time-out applies. */
    public boolean inHead() {
        return state == State.START_LINE || state == State.FIELDS;
    }

    /** Whether neither bytes of a message nor scratch memory are held. */
    public boolean idle() {
        return state == State.IDLE && !fields.holdsMemory();
    }

    /**
     * Discards head and fault and returns the scratch memory; to be called when the connection goes idle or is closed.
     */
    public void reset() {
        restart();
        fault = null;
        fields.giveTo(scratch);
    }

    long examined() {
        return lines.examined();
    }

    abstract Fault startLineTooLong();

    abstract void clearHead();

    abstract @Nullable Fault parseStartLine(byte[] bytes, int from, int to, DecoderLimits bounds);

    abstract @Nullable Fault finish();
}
