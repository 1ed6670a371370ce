package io.weir.server.cli;

import io.weir.base.Printable;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;

/** A message as text for the shell. Stateless. */
final class JmsText {
    private static final int MAX_BYTES = 64 * 1024;

    private JmsText() {}

    /** The body, after the header and properties if requested; ends in a line feed. */
    static String of(Message m, boolean headers) throws JMSException {
        StringBuilder out = new StringBuilder();
        if (headers) {
            header(m, out);
        }
        out.append(body(m));
        if (out.isEmpty() || out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
        return out.toString();
    }

    private static void header(Message m, StringBuilder out) throws JMSException {
        line(out, "JMSMessageID", m.getJMSMessageID());
        line(out, "JMSDestination", m.getJMSDestination());
        line(
                out,
                "JMSDeliveryMode",
                m.getJMSDeliveryMode() == DeliveryMode.PERSISTENT ? "persistent" : "non-persistent");
        line(out, "JMSTimestamp", Instant.ofEpochMilli(m.getJMSTimestamp()));
        if (m.getJMSExpiration() != 0) {
            line(out, "JMSExpiration", Instant.ofEpochMilli(m.getJMSExpiration()));
        }
        line(out, "JMSPriority", m.getJMSPriority());
        line(out, "JMSRedelivered", m.getJMSRedelivered());
        if (m.getJMSType() != null) {
            line(out, "JMSType", m.getJMSType());
        }
        if (m.getJMSCorrelationID() != null) {
            line(out, "JMSCorrelationID", m.getJMSCorrelationID());
        }
        if (m.getJMSReplyTo() != null) {
            line(out, "JMSReplyTo", m.getJMSReplyTo());
        }
        for (Object name : names(m.getPropertyNames())) {
            line(out, name.toString(), m.getObjectProperty(name.toString()));
        }
        out.append('\n');
    }

    private static void line(StringBuilder out, String name, Object value) {
        out.append(Printable.word(name))
                .append(": ")
                .append(Printable.word(String.valueOf(value)))
                .append('\n');
    }

    private static List<?> names(Enumeration<?> names) {
        return Collections.list(names);
    }

    private static String body(Message m) throws JMSException {
        return switch (m) {
            case TextMessage t -> t.getText() == null ? "" : t.getText();
            case BytesMessage b -> bytes(b);
            case MapMessage map -> map(map);
            case StreamMessage s -> stream(s);
            default -> m.getClass().getSimpleName();
        };
    }

    private static String bytes(BytesMessage m) throws JMSException {
        byte[] bytes = new byte[(int) Math.min(m.getBodyLength(), MAX_BYTES)];
        m.readBytes(bytes);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    private static String map(MapMessage m) throws JMSException {
        StringBuilder out = new StringBuilder();
        for (Object name : names(m.getMapNames())) {
            out.append(name).append(": ").append(m.getObject(name.toString())).append('\n');
        }
        return out.toString();
    }

    private static String stream(StreamMessage m) throws JMSException {
        StringBuilder out = new StringBuilder();
        try {
            while (true) {
                out.append(m.readObject()).append('\n');
            }
        } catch (MessageEOFException _) {
            // The only way to learn that a stream has ended.
            return out.toString();
        }
    }
}
