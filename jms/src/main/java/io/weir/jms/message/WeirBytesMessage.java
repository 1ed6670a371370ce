package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BlockFormat;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A message of uninterpreted bytes. A read beyond the end leaves the position unchanged. Used by one thread at a time.
 */
public final class WeirBytesMessage extends WeirMessage implements BytesMessage {
    private ByteBuf body = Unpooled.EMPTY_BUFFER;

    public WeirBytesMessage() {
        super(BlockFormat.BYTES);
    }

    private ByteBuf in(int bytes) throws JMSException {
        if (!bodyReadOnly()) {
            throw Faults.notReadable();
        }
        if (body.readableBytes() < bytes) {
            throw new MessageEOFException(
                    bytes + " bytes are wanted where the message has " + body.readableBytes() + " left");
        }
        return body;
    }

    private ByteBuf out() throws JMSException {
        checkWriteable();
        if (body.maxCapacity() == 0) {
            body = Unpooled.buffer();
        }
        return body;
    }

    @Override
    public long getBodyLength() throws JMSException {
        in(0);
        return body.writerIndex();
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return in(1).readByte() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return in(1).readByte();
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return in(1).readUnsignedByte();
    }

    @Override
    public short readShort() throws JMSException {
        return in(2).readShort();
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return in(2).readUnsignedShort();
    }

    @Override
    public char readChar() throws JMSException {
        return in(2).readChar();
    }

    @Override
    public int readInt() throws JMSException {
        return in(4).readInt();
    }

    @Override
    public long readLong() throws JMSException {
        return in(8).readLong();
    }

    @Override
    public float readFloat() throws JMSException {
        return in(4).readFloat();
    }

    @Override
    public double readDouble() throws JMSException {
        return in(8).readDouble();
    }

    @Override
    public String readUTF() throws JMSException {
        ByteBuf in = in(0);
        int position = in.readerIndex();
        boolean done = false;
        try (DataInputStream data = new DataInputStream(new ByteBufInputStream(in))) {
            String text = data.readUTF();
            done = true;
            return text;
        } catch (EOFException e) {
            throw Faults.because(new MessageEOFException("the message ends within a text"), e);
        } catch (IOException e) {
            throw Faults.because(new MessageFormatException("no text in modified UTF-8: " + e.getMessage()), e);
        } finally {
            if (!done) {
                in.readerIndex(position);
            }
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        ByteBuf in = in(0);
        if (length < 0 || length > value.length) {
            throw new IndexOutOfBoundsException(length + " bytes into an array of " + value.length);
        }
        if (!in.isReadable()) {
            return -1;
        }
        int n = Math.min(length, in.readableBytes());
        in.readBytes(value, 0, n);
        return n;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        out().writeBoolean(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        out().writeByte(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        out().writeShort(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        out().writeChar(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        out().writeInt(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        out().writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        out().writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        out().writeDouble(value);
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        ByteBuf out = out();
        int position = out.writerIndex();
        try (DataOutputStream data = new DataOutputStream(new ByteBufOutputStream(out))) {
            data.writeUTF(value);
        } catch (IOException e) {
            out.writerIndex(position);
            throw Faults.because(new MessageFormatException("no text for writeUTF: " + e.getMessage()), e);
        }
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        out().writeBytes(value);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        out().writeBytes(value, offset, length);
    }

    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        checkWriteable();
        if (value == null) {
            throw new NullPointerException("null can not be written");
        }
        if (value instanceof Boolean b) {
            writeBoolean(b);
        } else if (value instanceof Byte b) {
            writeByte(b);
        } else if (value instanceof Short s) {
            writeShort(s);
        } else if (value instanceof Character c) {
            writeChar(c);
        } else if (value instanceof Integer i) {
            writeInt(i);
        } else if (value instanceof Long l) {
            writeLong(l);
        } else if (value instanceof Float f) {
            writeFloat(f);
        } else if (value instanceof Double d) {
            writeDouble(d);
        } else if (value instanceof String s) {
            writeUTF(s);
        } else if (value instanceof byte[] b) {
            writeBytes(b);
        } else {
            throw new MessageFormatException("an object of " + value.getClass() + " can not be written");
        }
    }

    @Override
    public void reset() throws JMSException {
        setBodyReadOnly();
        body.readerIndex(0);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        body = Unpooled.EMPTY_BUFFER;
    }

    /** The bytes, null if there are none; resets the message. */
    @Override
    byte @Nullable [] body() throws JMSException {
        reset();
        return body.isReadable() ? ByteBufUtil.getBytes(body) : null;
    }

    @Override
    boolean assignable(Object bytes, Class<?> type) {
        return type == byte[].class || type == Object.class;
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface's signature
    public boolean isBodyAssignableTo(Class type) {
        return body.writerIndex() == 0 || assignable(body, type);
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
