package io.weir.http;

import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts input into lines that end with CRLF, strictly. Bytes are copied once, into the text of a {@link Fields},
 * and looked at once: a resumed scan goes on where it stopped. Confined to its decoder.
 */
final class LineReader {
    static final int LINE = 0;
    static final int MORE = 1;
    static final int BAD = 2;

    // most heads fit the first piece; what is copied beyond a head's end is wasted
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

    /** Forgets all input. */
    void start() {
        filled = 0;
        scan = 0;
        lineStart = 0;
        lineEnd = 0;
        nextStart = 0;
        fault = null;
    }

    /** Takes a piece of the input; false when there is none. */
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

    /** Gives back to the input what lies after the last line. */
    void unread(ByteBuf in) {
        in.readerIndex(in.readerIndex() - (filled - scan));
        filled = scan;
        text.end(scan);
    }

    /** Looks for the end of the next line, whose CR must stand before {@code bound}. */
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

    /** Position of the first byte of the line found. */
    int lineStart() {
        return lineStart;
    }

    /** Position of the CR of the line found. */
    int lineEnd() {
        return lineEnd;
    }

    /** Position after the last line found: where the next one starts. */
    int nextStart() {
        return nextStart;
    }

    /** Whether input was taken that belongs to no line yet. */
    boolean pending() {
        return filled > nextStart;
    }

    /** Bytes looked at since this reader was made: tests hold it against the bytes fed. */
    long examined() {
        return examined;
    }

    /** Whether {@link #BAD} was answered for this byte at the start of a line. */
    boolean startsWith(int b) {
        return scan == nextStart && scan < filled && text.bytes()[scan] == b;
    }

    /** Why {@link #next} answered {@link #BAD}. */
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

    // what was taken ends at the same byte however the input was cut
    private int bad(Fault reason, int at) {
        scan = at;
        fault = reason;
        return BAD;
    }
}
