package io.weir.jms.client;

import io.weir.jms.client.link.Target;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.Domain;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Connections and contexts to a fake broker. */
public final class Clients {
    private Clients() {}

    /** A connection with knobs given as {@code key=value}. */
    public static ClientConnection connect(FakeBroker broker, String... knobs) throws JMSException {
        return ClientConnection.connect(target(broker, knobs), Domain.UNIFIED);
    }

    /** The same, started. */
    public static ClientConnection started(FakeBroker broker, String... knobs) throws JMSException {
        ClientConnection c = connect(broker, knobs);
        c.start();
        return c;
    }

    public static Target target(FakeBroker broker, String... knobs) {
        Map<String, String> texts = new HashMap<>();
        for (String k : knobs) {
            int equals = k.indexOf('=');
            texts.put(k.substring(0, equals), k.substring(equals + 1));
        }
        return new Target(WireUrl.parse(broker.url()), Credentials.NONE, ClientKnobs.of(texts, "test"));
    }

    /** Sends m0, m1 and so on. */
    public static void fill(ClientConnection c, Destination to, int deliveryMode, int n) throws JMSException {
        try (Session s = c.createSession()) {
            MessageProducer p = s.createProducer(to);
            p.setDeliveryMode(deliveryMode);
            for (int i = 0; i < n; i++) {
                p.send(s.createTextMessage("m" + i));
            }
        }
    }

    public static @Nullable String text(@Nullable Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }
}
