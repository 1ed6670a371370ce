package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.Values;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import jakarta.jms.JMSException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message's properties: kept encoded until the first access, and sent as the same bytes if the message is forwarded
 * unchanged. Confined as its message is.
 */
final class Properties {
    /** Maximum bytes that {@link #encode} writes for a property, without its texts. */
    private static final int VALUE_BYTES = 16;

    private byte @Nullable [] encoded;
    private @Nullable Map<String, @Nullable Object> values;
    private boolean readOnly;

    /** Sets the read-only properties of a received message. */
    void received(byte @Nullable [] section) {
        encoded = section;
        values = null;
        readOnly = true;
    }

    void clear() {
        encoded = null;
        values = null;
        readOnly = false;
    }

    @Nullable
    Object get(String name) throws JMSException {
        return isEmpty() ? null : values().get(name);
    }

    boolean has(String name) throws JMSException {
        return !isEmpty() && values().containsKey(name);
    }

    Collection<String> names() throws JMSException {
        return isEmpty() ? Collections.emptyList() : values().keySet();
    }

    void set(@Nullable String name, @Nullable Object value) throws JMSException {
        if (readOnly) {
            throw new MessageNotWriteableException(
                    "the properties of a received message can not be changed before clearProperties()");
        }
        if (name != null && PropertyNames.settable(name, value)) {
            values().put(name, value);
            encoded = null;
        } else if (name == null) {
            throw new IllegalArgumentException("a property needs a name");
        }
    }

    private boolean isEmpty() {
        return encoded == null && (values == null || values.isEmpty());
    }

    private Map<String, @Nullable Object> values() throws JMSException {
        Map<String, @Nullable Object> known = values;
        if (known == null) {
            known = decode(encoded);
            values = known;
        }
        return known;
    }

    private static Map<String, @Nullable Object> decode(byte @Nullable [] section) throws JMSException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        if (section != null) {
            ByteBuf in = Unpooled.wrappedBuffer(section);
            try {
                int count = WireReader.count(in, 2);
                for (int i = 0; i < count; i++) {
                    all.put(WireReader.text(in, Integer.MAX_VALUE), Values.read(in));
                }
            } catch (WireFault lying) {
                throw Faults.malformed("properties", lying);
            }
        }
        return all;
    }

    /** The approximate number of bytes that {@link #encode} writes. */
    int bytes() {
        if (encoded != null || values == null) {
            return encoded == null ? 0 : encoded.length;
        }
        int bytes = 5;
        for (Map.Entry<String, @Nullable Object> e : values.entrySet()) {
            bytes += VALUE_BYTES + e.getKey().length() + (e.getValue() instanceof String s ? s.length() : 0);
        }
        return bytes;
    }

    void encode(ByteBuf out) {
        if (encoded != null) {
            out.writeBytes(encoded);
        } else if (values != null && !values.isEmpty()) {
            WireWriter.varint(out, values.size());
            for (Map.Entry<String, @Nullable Object> e : values.entrySet()) {
                WireWriter.text(out, e.getKey());
                Values.write(out, e.getValue());
            }
        }
    }
}
