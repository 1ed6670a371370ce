package io.weir.lab.ledger;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Messages that carry their id, and whose bodies can be checked. Stateless. */
final class LedgerMessages {
    private static final String ID = "ledgerId";
    private static final int LONGEST = 4000;

    private LedgerMessages() {}

    static Message of(Session session, Sent sent) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setStringProperty(ID, sent.id());
        message.writeBytes(body(sent.id()));
        return message;
    }

    /** The message's id; throws {@link IllegalStateException} if its body is not the one that was sent. */
    static String id(Message message) throws JMSException {
        String id = message.getStringProperty(ID);
        if (!Arrays.equals(message.getBody(byte[].class), body(id))) {
            throw new IllegalStateException("the body of " + id + " changed on its way");
        }
        return id;
    }

    private static byte[] body(String id) {
        byte[] pattern = id.getBytes(StandardCharsets.UTF_8);
        byte[] body = new byte[1 + Math.floorMod(id.hashCode(), LONGEST)];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) (pattern[i % pattern.length] + i / pattern.length);
        }
        return body;
    }
}
