package io.weir.jms.selector;

import io.weir.jms.frames.MessageView;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A header field or property in a selector. Immutable. */
final class Identifier {
    /** What an identifier refers to. */
    enum Source {
        PROPERTY,
        DELIVERY_MODE,
        PRIORITY,
        MESSAGE_ID,
        TIMESTAMP,
        CORRELATION,
        TYPE,
        DELIVERY_COUNT
    }

    private static final Map<String, Source> HEADERS = Map.of(
            "JMSDeliveryMode", Source.DELIVERY_MODE,
            "JMSPriority", Source.PRIORITY,
            "JMSMessageID", Source.MESSAGE_ID,
            "JMSTimestamp", Source.TIMESTAMP,
            "JMSCorrelationID", Source.CORRELATION,
            "JMSType", Source.TYPE,
            "JMSXDeliveryCount", Source.DELIVERY_COUNT);

    final String name;
    final byte[] utf8;
    final Source source;

    private Identifier(String name, Source source) {
        this.name = name;
        this.source = source;
        utf8 = name.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns null for a name that selectors must not use: another header field. */
    static @Nullable Identifier of(String name) {
        Source source = HEADERS.get(name);
        if (source != null) {
            return new Identifier(name, source);
        }
        boolean header = name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_");
        return header ? null : new Identifier(name, Source.PROPERTY);
    }

    /** The index of the property's value, -1 if there is none. */
    int find(MessageView view) {
        return view.find(utf8);
    }
}
