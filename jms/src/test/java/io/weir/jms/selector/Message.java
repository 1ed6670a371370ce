package io.weir.jms.selector;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.Blocks;
import io.weir.jms.frames.MessageHeader;
import io.weir.jms.frames.MessageView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of a test: its values as objects, and as a block. */
final class Message implements SelectorInput {
    final Map<String, @Nullable Object> properties = new LinkedHashMap<>();
    final MessageHeader head = new MessageHeader();
    int deliveryCount = 1;

    static Message with(@Nullable Object... namesAndValues) {
        Message m = new Message();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            m.properties.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return m;
    }

    @Override
    public @Nullable Object value(String identifier) {
        return switch (identifier) {
            case "JMSDeliveryMode" -> head.persistent ? "PERSISTENT" : "NON_PERSISTENT";
            case "JMSPriority" -> head.priority;
            case "JMSMessageID" -> new MessageView().wrap(block()).messageId();
            case "JMSTimestamp" -> head.timestamp;
            case "JMSCorrelationID" -> head.correlation;
            case "JMSType" -> head.type;
            case "JMSXDeliveryCount" -> deliveryCount;
            default -> properties.get(identifier);
        };
    }

    ByteBuf block() {
        return Blocks.of(head, properties, new byte[0]);
    }

    /** TRUE, FALSE or UNKNOWN, the same by both ways of reading. */
    int test(String selector) throws SelectorFault {
        Selector parsed = Selector.parse(selector);
        int truth = parsed.test(this);
        boolean inPlace = parsed.matches(new MessageRow().set(new MessageView().wrap(block()), deliveryCount));
        if (inPlace != (truth == Condition.TRUE)) {
            throw new AssertionError(selector + " is " + truth + ", in place it matches: " + inPlace);
        }
        return truth;
    }
}
