package io.weir.jms.message;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;

/** Conversion of another provider's messages that are sent through Weir: section 3.12. Immutable. */
public final class ForeignMessages {
    private static final int PIECE = 8192;

    private ForeignMessages() {}

    /** The message itself if it is Weir's, else a copy of its header, properties and body. */
    public static WeirMessage ours(Message message) throws JMSException {
        return message instanceof WeirMessage ours ? ours : copy(message);
    }

    /** Copies the header fields set by the send to the application's message. */
    public static void copyStamp(WeirMessage sent, Message to) throws JMSException {
        to.setJMSDestination(sent.getJMSDestination());
        to.setJMSDeliveryMode(sent.getJMSDeliveryMode());
        to.setJMSPriority(sent.getJMSPriority());
        to.setJMSMessageID(sent.getJMSMessageID());
        to.setJMSTimestamp(sent.getJMSTimestamp());
        to.setJMSExpiration(sent.getJMSExpiration());
        to.setJMSDeliveryTime(sent.getJMSDeliveryTime());
    }

    private static WeirMessage copy(Message from) throws JMSException {
        WeirMessage to = body(from);
        to.setJMSReplyTo(from.getJMSReplyTo());
        to.setJMSType(from.getJMSType());
        to.setJMSCorrelationID(from.getJMSCorrelationID());
        for (Enumeration<?> names = from.getPropertyNames(); names.hasMoreElements(); ) {
            String name = String.valueOf(names.nextElement());
            if (!name.startsWith("JMSX") || name.equals("JMSXGroupID") || name.equals("JMSXGroupSeq")) {
                to.setObjectProperty(name, from.getObjectProperty(name));
            }
        }
        return to;
    }

    private static WeirMessage body(Message from) throws JMSException {
        if (from instanceof TextMessage text) {
            return text(text);
        }
        if (from instanceof BytesMessage bytes) {
            return bytes(bytes);
        }
        if (from instanceof MapMessage map) {
            return map(map);
        }
        if (from instanceof StreamMessage stream) {
            return stream(stream);
        }
        if (from instanceof ObjectMessage object) {
            return object(object);
        }
        return new WeirMessage();
    }

    private static WeirMessage text(TextMessage from) throws JMSException {
        WeirTextMessage to = new WeirTextMessage();
        to.setText(from.getText());
        return to;
    }

    private static WeirMessage object(ObjectMessage from) throws JMSException {
        WeirObjectMessage to = new WeirObjectMessage();
        to.setObject(from.getObject());
        return to;
    }

    private static WeirMessage bytes(BytesMessage from) throws JMSException {
        WeirBytesMessage to = new WeirBytesMessage();
        from.reset();
        byte[] piece = new byte[PIECE];
        for (int n = from.readBytes(piece); n >= 0; n = from.readBytes(piece)) {
            to.writeBytes(piece, 0, n);
        }
        from.reset();
        return to;
    }

    private static WeirMessage map(MapMessage from) throws JMSException {
        WeirMapMessage to = new WeirMapMessage();
        for (Enumeration<?> names = from.getMapNames(); names.hasMoreElements(); ) {
            String name = String.valueOf(names.nextElement());
            to.setObject(name, from.getObject(name));
        }
        return to;
    }

    private static WeirMessage stream(StreamMessage from) throws JMSException {
        WeirStreamMessage to = new WeirStreamMessage();
        from.reset();
        try {
            while (true) {
                to.writeObject(from.readObject());
            }
        } catch (MessageEOFException end) {
            from.reset();
            return to;
        }
    }
}
