package io.weir.cluster.state.bytes;

import io.weir.base.Fence;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the encoding of {@link BytesOut}; invalid bytes are refused with an IllegalArgumentException. Confined to its
 * creator.
 */
public final class BytesIn {
    private final ByteBuffer bytes;

    public BytesIn(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    public int u8() {
        need(1);
        return bytes.get() & 0xff;
    }

    public int i32() {
        need(Integer.BYTES);
        return bytes.getInt();
    }

    public long i64() {
        need(Long.BYTES);
        return bytes.getLong();
    }

    public boolean bool() {
        int b = u8();
        if (b > 1) {
            throw new IllegalArgumentException("neither true nor false: " + b);
        }
        return b == 1;
    }

    public Fence fence() {
        return new Fence(i64(), i64());
    }

    /** An enum constant, encoded by name. */
    public <E extends Enum<E>> E constant(Class<E> type) {
        return Enum.valueOf(type, name());
    }

    public String name() {
        return StateChecks.name(text(StateLimits.NAME));
    }

    @Nullable
    public String nameOrNull() {
        return bool() ? name() : null;
    }

    public String text(int limit) {
        int length = i32();
        // a character takes at most four bytes
        if (length < 0 || length > 4L * limit) {
            throw new IllegalArgumentException("a text of " + length + " bytes; the limit is " + limit + " characters");
        }
        need(length);
        ByteBuffer utf8 = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
            return StateChecks.length(text, limit);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text that is not valid UTF-8", e);
        }
    }

    public List<String> names(int limit) {
        return list(limit, BytesIn::name);
    }

    public <T> List<T> list(int limit, Function<BytesIn, T> each) {
        int count = StateChecks.count(i32(), limit);
        List<T> list = new ArrayList<>(Math.min(count, bytes.remaining()));
        for (int i = 0; i < count; i++) {
            list.add(each.apply(this));
        }
        return list;
    }

    /** The exception for an unknown tag of a command. */
    public static IllegalArgumentException unknown(int tag) {
        return new IllegalArgumentException("unknown command: 0x" + Integer.toHexString(tag));
    }

    /** Checks that there are no further bytes. */
    public void end() {
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes too many");
        }
    }

    private void need(int count) {
        if (bytes.remaining() < count) {
            throw new IllegalArgumentException("it ends early, at " + bytes.position(), new BufferUnderflowException());
        }
    }
}
