package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BlockFormat;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A serialized object, serialized when it is set and deserialised on access; a received one only as its connection's
 * {@link ObjectRules} allow. Used by one thread at a time.
 */
public final class WeirObjectMessage extends WeirMessage implements ObjectMessage {
    private static final ObjectRules OWN = ObjectRules.allowing(java.util.List.of("*"));

    private byte @Nullable [] serialized;
    private boolean own = true;

    public WeirObjectMessage() {
        super(BlockFormat.OBJECT);
    }

    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        checkWriteable();
        own = true;
        serialized = object == null ? null : serialize(object);
    }

    private static byte[] serialize(Serializable object) throws JMSException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw Faults.because(
                    new MessageFormatException("an object of " + object.getClass() + " can not be serialized: " + e),
                    e);
        }
        return bytes.toByteArray();
    }

    /**
     * A new copy of the object each time.
     *
     * @throws MessageFormatException if a class is not allowed or not known, or a bound of the rules is exceeded
     */
    @Override
    public @Nullable Serializable getObject() throws JMSException {
        byte[] bytes = serialized;
        if (bytes == null) {
            return null;
        }
        MessageOwner owner = owner();
        ObjectRules rules = own ? OWN : owner == null ? ObjectRules.NOTHING : owner.objectRules();
        return ObjectReader.read(bytes, rules);
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        serialized = null;
        own = true;
    }

    @Override
    void receivedBody(byte[] body) {
        serialized = body.length == 0 ? null : body;
        own = false;
    }

    @Override
    @Nullable
    Object body() throws JMSException {
        return getObject();
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface's signature
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        try {
            return super.isBodyAssignableTo(type);
        } catch (MessageFormatException refused) {
            return false;
        }
    }

    @Override
    int bodyBytes() {
        return serialized == null ? 0 : serialized.length;
    }

    @Override
    void encodeBody(ByteBuf out) {
        if (serialized != null) {
            out.writeBytes(serialized);
        }
    }
}
