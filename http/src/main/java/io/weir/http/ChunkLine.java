package io.weir.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code chunk-size [ chunk-ext ] CRLF} byte by byte (RFC 9112 7.1), keeping only the size. Confined to its
 * {@link BodyDecoder}.
 */
final class ChunkLine {
    private enum State {
        SIZE,
        NAME,
        VALUE,
        TOKEN,
        QUOTED,
        ESCAPED,
        AFTER_QUOTED,
        LF,
        COMPLETE
    }

    private static final int MAX_DIGITS = 16;

    private State state = State.SIZE;
    private long size;
    private int digits;
    private int length;
    private boolean named;
    private long extensions;

    /** Starts the first line of a body. */
    void beginBody() {
        extensions = 0;
        begin();
    }

    /** Starts a line. */
    void begin() {
        state = State.SIZE;
        size = 0;
        digits = 0;
        length = 0;
        named = false;
    }

    boolean complete() {
        return state == State.COMPLETE;
    }

    long size() {
        return size;
    }

    /** Consumes input up to the end of the line; returns the fault, or null. */
    @Nullable
    Fault read(ByteBuf in, DecoderLimits limits) {
        while (in.isReadable()) {
            byte b = in.readByte();
            Fault wrong = state == State.SIZE ? size(b) : state == State.LF ? lineFeed(b) : extension(b);
            if (wrong != null) return wrong;
            if (state == State.COMPLETE) return null;
            if (state == State.LF) continue;
            if (++length > limits.maxChunkLine()) return Fault.CHUNK_LINE_TOO_LONG;
            if (state != State.SIZE && ++extensions > limits.maxChunkExtensions())
                return Fault.CHUNK_EXTENSIONS_TOO_LARGE;
        }
        return null;
    }

    private @Nullable Fault size(byte b) {
        int digit = Ascii.hex(b);
        if (digit >= 0) {
            if (++digits > MAX_DIGITS || (size >>> 59) != 0) return Fault.CHUNK_SIZE_OVERFLOW;
            size = size << 4 | digit;
            return null;
        }
        if (b == '\n') return Fault.BARE_LF;
        if (digits == 0) return Fault.CHUNK_SIZE_INVALID;
        if (b == '\r') state = State.LF;
        else if (b == ';') state = State.NAME;
        else return Fault.CHUNK_SIZE_INVALID;
        return null;
    }

    private @Nullable Fault lineFeed(byte b) {
        if (b != '\n') return Fault.BARE_CR;
        state = State.COMPLETE;
        return null;
    }

    private @Nullable Fault extension(byte b) {
        if (b == '\n') return Fault.BARE_LF;
        boolean valid = switch (state) {
            case NAME -> name(b);
            case VALUE -> value(b);
            case TOKEN -> Ascii.isToken(b) || next(b);
            case QUOTED -> quoted(b);
            case ESCAPED -> escaped(b);
            default -> next(b);
        };
        return valid ? null : Fault.CHUNK_EXTENSION_INVALID;
    }

    private boolean name(byte b) {
        if (Ascii.isToken(b)) {
            named = true;
            return true;
        }
        if (!named) return false;
        if (b != '=') return next(b);
        state = State.VALUE;
        return true;
    }

    private boolean value(byte b) {
        if (b == '"') state = State.QUOTED;
        else if (Ascii.isToken(b)) state = State.TOKEN;
        else return false;
        return true;
    }

    private boolean quoted(byte b) {
        if (b == '"') state = State.AFTER_QUOTED;
        else if (b == '\\') state = State.ESCAPED;
        else return !Ascii.isControl(b);
        return true;
    }

    private boolean escaped(byte b) {
        state = State.QUOTED;
        return !Ascii.isControl(b);
    }

    // at the end of an extension: another extension, or the end of the line
    private boolean next(byte b) {
        named = false;
        if (b == ';') state = State.NAME;
        else if (b == '\r') state = State.LF;
        else return false;
        return true;
    }
}
