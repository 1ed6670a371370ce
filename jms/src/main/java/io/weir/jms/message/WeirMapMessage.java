package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.Values;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names with values. Decoded on first access. Used by one thread at a time. */
public final class WeirMapMessage extends WeirMessage implements MapMessage {
    private static final int VALUE_BYTES = 16;

    private @Nullable Map<String, @Nullable Object> values;
    private byte @Nullable [] encoded;

    public WeirMapMessage() {
        super(BlockFormat.MAP);
    }

    private Map<String, @Nullable Object> values() throws JMSException {
        Map<String, @Nullable Object> known = values;
        if (known == null) {
            known = decode(encoded);
            values = known;
        }
        return known;
    }

    private static Map<String, @Nullable Object> decode(byte @Nullable [] body) throws JMSException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        if (body != null && body.length > 0) {
            ByteBuf in = Unpooled.wrappedBuffer(body);
            try {
                int count = WireReader.count(in, 2);
                for (int i = 0; i < count; i++) {
                    all.put(WireReader.text(in, Integer.MAX_VALUE), Values.read(in));
                }
            } catch (WireFault lying) {
                throw Faults.malformed("entries", lying);
            }
        }
        return all;
    }

    private void put(@Nullable String name, @Nullable Object value) throws JMSException {
        checkWriteable();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("an entry of a map needs a name");
        }
        values().put(name, value);
        encoded = null;
    }

    private @Nullable Object value(@Nullable String name) throws JMSException {
        return name == null ? null : values().get(name);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        values = null;
        encoded = null;
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return Conversion.toBoolean(value(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return Conversion.toByte(value(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return Conversion.toShort(value(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return Conversion.toChar(value(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return Conversion.toInt(value(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return Conversion.toLong(value(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return Conversion.toFloat(value(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return Conversion.toDouble(value(name));
    }

    @Override
    public @Nullable String getString(String name) throws JMSException {
        return Conversion.toText(value(name));
    }

    @Override
    public byte @Nullable [] getBytes(String name) throws JMSException {
        byte[] bytes = Conversion.toBytes(value(name));
        return bytes == null ? null : bytes.clone();
    }

    @Override
    public @Nullable Object getObject(String name) throws JMSException {
        return Conversion.element(value(name));
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(List.copyOf(values().keySet()));
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws JMSException {
        put(name, value == null ? null : value.clone());
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        put(name, Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws JMSException {
        put(name, Conversion.element(value));
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return values().containsKey(name);
    }

    /** A copy of the map, null for an empty one. */
    @Override
    @Nullable
    Object body() throws JMSException {
        if (values().isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        for (Map.Entry<String, @Nullable Object> e : values().entrySet()) {
            copy.put(e.getKey(), Conversion.element(e.getValue()));
        }
        return copy;
    }

    @Override
    boolean assignable(Object body, Class<?> type) {
        return type == Map.class || type == Object.class;
    }

    @Override
    void receivedBody(byte[] body) {
        encoded = body;
    }

    @Override
    int bodyBytes() {
        if (encoded != null || values == null) {
            return encoded == null ? 0 : encoded.length;
        }
        int bytes = 5;
        for (Map.Entry<String, @Nullable Object> e : values.entrySet()) {
            bytes += VALUE_BYTES + e.getKey().length() + length(e.getValue());
        }
        return bytes;
    }

    private static int length(@Nullable Object value) {
        return value instanceof String s ? s.length() : value instanceof byte[] b ? b.length : 0;
    }

    @Override
    void encodeBody(ByteBuf out) {
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
