package io.weir.cluster.state.bytes;

import io.weir.base.Fence;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Encodes the state's values, big-endian; texts as a length and UTF-8. Confined to its creator. */
public final class BytesOut {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public byte[] bytes() {
        return bytes.toByteArray();
    }

    public BytesOut u8(int value) {
        bytes.write(value);
        return this;
    }

    public BytesOut i32(int value) {
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
        return this;
    }

    public BytesOut i64(long value) {
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    public BytesOut bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    public BytesOut fence(Fence value) {
        return i64(value.epoch()).i64(value.counter());
    }

    public BytesOut constant(Enum<?> value) {
        return name(value.name());
    }

    /** A name: not empty, at most {@link StateLimits#NAME} characters. */
    public BytesOut name(String value) {
        return text(StateChecks.name(value), StateLimits.NAME);
    }

    public BytesOut nameOrNull(@Nullable String value) {
        bool(value != null);
        return value == null ? this : name(value);
    }

    /** At most this many characters. */
    public BytesOut text(String value, int limit) {
        byte[] utf8 = StateChecks.length(value, limit).getBytes(StandardCharsets.UTF_8);
        i32(utf8.length);
        bytes.writeBytes(utf8);
        return this;
    }

    public BytesOut names(Collection<String> values, int limit) {
        return list(values, limit, BytesOut::name);
    }

    public <T> BytesOut list(Collection<T> values, int limit, BiConsumer<BytesOut, T> each) {
        i32(StateChecks.count(values.size(), limit));
        values.forEach(v -> each.accept(this, v));
        return this;
    }
}
