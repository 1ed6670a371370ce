package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits input into lines that end with CRLF, strictly. Bytes are copied once, into the text of a {@link Fields}, and
 * examined once: a resumed scan continues where it stopped. Confined to its decoder.
 */
final class LineReader {
    static final int LINE = 0;
    static final int MORE = 1;
    static final int BAD = 2;

    // most heads fit the first piece; copying beyond a head's end is wasted
    private static final int FIRST_PIECE = 1024;
    private static final int PIECE = 4096;

    private final Fields text;
    private int filled;
    private int scan;
    private int lineStart;
    private int lineEnd;
    private int nextStart;
    private long examined;
    private @Nullable Fault fault;

    LineReader(Fields text) {
        this.text = text;
    }

    /** Discards all input. */
    void start() {
        filled = 0;
        scan = 0;
        lineStart = 0;
        lineEnd = 0;
        nextStart = 0;
        fault = null;
    }

    /** Copies a piece of the input; returns false if there is none. */
    boolean fill(ByteBuf in) {
        int piece = Math.min(in.readableBytes(), filled == 0 ? FIRST_PIECE : PIECE);
        if (piece == 0) return false;
        text.end(filled);
        text.reserve(piece);
        in.readBytes(text.bytes(), filled, piece);
        filled += piece;
        text.end(filled);
        return true;
    }

    /** Returns the bytes after the last line to the input. */
    void unread(ByteBuf in) {
        in.readerIndex(in.readerIndex() - (filled - scan));
        filled = scan;
        text.end(scan);
    }

    /** Searches for the end of the next line, whose CR must be before {@code bound}. */
    int next(int bound, Fault tooLong) {
        byte[] bytes = text.bytes();
        int stop = Math.min(filled, bound);
        int at = Ascii.firstControl(bytes, scan, stop);
        examined += at - scan + 1;
        if (at == stop) {
            scan = at;
            return at == bound ? bad(tooLong, at) : MORE;
        }
        if (bytes[at] != '\r') return bad(control(bytes, at), at);
        if (at + 1 == filled) {
            scan = at;
            return MORE;
        }
        if (bytes[at + 1] != '\n') return bad(Fault.BARE_CR, at + 1);
        lineStart = nextStart;
        lineEnd = at;
        scan = at + 2;
        nextStart = scan;
        return LINE;
    }

    /** Position of the first byte of the found line. */
    int lineStart() {
        return lineStart;
    }

    /** Position of the CR of the found line. */
    int lineEnd() {
        return lineEnd;
    }

    /** Position after the last found line, where the next one starts. */
    int nextStart() {
        return nextStart;
    }

    /** Whether input was consumed that is not part of a complete line yet. */
    boolean pending() {
        return filled > nextStart;
    }

    /** Bytes examined since this reader was created; tests compare it with the bytes fed. */
    long examined() {
        return examined;
    }

    /** Whether {@link #BAD} was returned because of this byte at the start of a line. */
    boolean startsWith(int b) {
        return scan == nextStart && scan < filled && text.bytes()[scan] == b;
    }

    /** Why {@link #next} returned {@link #BAD}. */
    Fault fault() {
        return Objects.requireNonNull(fault);
    }

    private static Fault control(byte[] bytes, int at) {
        return switch (bytes[at]) {
            case '\n' -> Fault.BARE_LF;
            case 0 -> Fault.NUL_BYTE;
            default -> Fault.CONTROL_CHARACTER;
        };
    }

    // the consumed input ends at the same byte however the input was split
    private int bad(Fault reason, int at) {
        scan = at;
        fault = reason;
        return BAD;
    }
}
