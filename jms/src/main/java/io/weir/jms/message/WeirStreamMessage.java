package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.Values;
import io.weir.wire.WireFault;
import io.weir.wire.WireReader;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of values, read in the order they were written. Kept encoded and decoded value by value; a failed read
 * leaves the position unchanged. Used by one thread at a time.
 */
public final class WeirStreamMessage extends WeirMessage implements StreamMessage {
    /** No byte[] field is partly read. */
    private static final int NONE = -1;

    private ByteBuf body = Unpooled.EMPTY_BUFFER;
    private int bytesLeft = NONE;

    public WeirStreamMessage() {
        super(BlockFormat.STREAM);
    }

    /** Reads a value as one type. */
    @FunctionalInterface
    private interface As<T extends @Nullable Object> {
        T of(@Nullable Object value) throws JMSException;
    }

    private <T extends @Nullable Object> T read(As<T> as) throws JMSException {
        checkReadable();
        if (bytesLeft != NONE) {
            throw new MessageFormatException("a byte[] field is partly read: call readBytes until it is complete");
        }
        if (!body.isReadable()) {
            throw new MessageEOFException("the stream is at its end");
        }
        int position = body.readerIndex();
        boolean done = false;
        try {
            T value = as.of(Values.read(body));
            done = true;
            return value;
        } catch (WireFault lying) {
            throw Faults.malformed("fields", lying);
        } finally {
            if (!done) {
                body.readerIndex(position);
            }
        }
    }

    private void checkReadable() throws JMSException {
        if (!bodyReadOnly()) {
            throw Faults.notReadable();
        }
    }

    private void write(@Nullable Object value) throws JMSException {
        checkWriteable();
        if (body.maxCapacity() == 0) {
            body = Unpooled.buffer(64);
        }
        Values.write(body, value);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(Conversion::toBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(Conversion::toByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(Conversion::toShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(Conversion::toChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(Conversion::toInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(Conversion::toLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(Conversion::toFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(Conversion::toDouble);
    }

    @Override
    public @Nullable String readString() throws JMSException {
        return this.<@Nullable String>read(Conversion::toText);
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        return this.<@Nullable Object>read(value -> value);
    }

    /** As the interface specifies: the field is complete when this returns less than the array's length, or -1. */
    @Override
    public int readBytes(byte[] value) throws JMSException {
        checkReadable();
        boolean first = bytesLeft == NONE;
        if (first && !begin()) {
            return -1;
        }
        if (bytesLeft == 0) {
            bytesLeft = NONE;
            return first ? 0 : -1;
        }
        int n = Math.min(value.length, bytesLeft);
        body.readBytes(value, 0, n);
        bytesLeft = n < value.length ? NONE : bytesLeft - n;
        return n;
    }

    /** Enters the byte[] field at the position; returns false for a null one, which it skips. */
    private boolean begin() throws JMSException {
        if (!body.isReadable()) {
            throw new MessageEOFException("the stream is at its end");
        }
        int position = body.readerIndex();
        int type = body.readUnsignedByte();
        if (type == Values.NULL) {
            return false;
        }
        try {
            if (type == Values.BYTES) {
                int length = WireReader.varint(body);
                WireReader.need(body, length);
                bytesLeft = length;
                return true;
            }
        } catch (WireFault lying) {
            throw Faults.malformed("fields", lying);
        }
        body.readerIndex(position);
        throw new MessageFormatException("the next field is no byte[]");
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(Arrays.copyOfRange(value, offset, offset + length));
    }

    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        write(Conversion.element(value));
    }

    @Override
    public void reset() throws JMSException {
        setBodyReadOnly();
        body.readerIndex(0);
        bytesLeft = NONE;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        body = Unpooled.EMPTY_BUFFER;
        bytesLeft = NONE;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the interface's signature
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        throw new MessageFormatException("the body of a StreamMessage can not be had as one object");
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface's signature
    public boolean isBodyAssignableTo(Class type) {
        return false;
    }

    @Override
    void receivedBody(byte[] received) {
        body = Unpooled.wrappedBuffer(received);
    }

    @Override
    int bodyBytes() {
        return body.writerIndex();
    }

    @Override
    void encodeBody(ByteBuf out) {
        out.writeBytes(body, 0, body.writerIndex());
    }
}
