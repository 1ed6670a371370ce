package io.weir.jms.client.context;

import static io.weir.jms.client.link.Runtimes.get;
import static io.weir.jms.client.link.Runtimes.getOptional;
import static io.weir.jms.client.link.Runtimes.run;

import io.weir.jms.client.link.Runtimes;
import io.weir.jms.client.producer.ClientProducer;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.message.WeirMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A producer of the simplified API: options and message properties that are applied to each of its sends. Lightweight:
 * the session's anonymous producer does the work. Used by its context's thread.
 */
final class ContextProducer implements JMSProducer {
    private final ClientContext context;
    /** Holds the properties and headers of every message, checked and converted like those of a message. */
    private final WeirMessage template = new WeirMessage();

    private int deliveryMode;
    private int priority;
    private long timeToLive;
    private long deliveryDelay;
    private boolean noMessageId;
    private boolean noTimestamp;
    private boolean correlationIsBytes;
    private @Nullable CompletionListener async;
    private @Nullable Destination replyTo;

    ContextProducer(ClientContext context) {
        this.context = context;
        ClientKnobs knobs = context.knobs();
        this.deliveryMode = knobs.defaultDeliveryMode().jms();
        this.priority = knobs.defaultPriority();
        this.timeToLive = knobs.defaultTimeToLive();
        this.deliveryDelay = knobs.defaultTimeToDeliver();
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable Message message) {
        if (message == null) {
            throw new MessageFormatRuntimeException("no message was given");
        }
        run(() -> transmit(destination, message));
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable String body) {
        run(() -> {
            TextMessage message = context.session().createTextMessage(body);
            transmit(destination, message);
        });
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable Map<String, Object> body) {
        run(() -> {
            MapMessage message = context.session().createMapMessage();
            if (body != null) {
                for (Map.Entry<String, Object> e : body.entrySet()) {
                    message.setObject(e.getKey(), e.getValue());
                }
            }
            transmit(destination, message);
        });
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, byte @Nullable [] body) {
        run(() -> {
            BytesMessage message = context.session().createBytesMessage();
            if (body != null) {
                message.writeBytes(body);
            }
            transmit(destination, message);
        });
        return this;
    }

    @Override
    public JMSProducer send(Destination destination, @Nullable Serializable body) {
        run(() -> {
            ObjectMessage message = context.session().createObjectMessage(body);
            transmit(destination, message);
        });
        return this;
    }

    private void transmit(Destination destination, Message message) throws JMSException {
        apply(message);
        ClientProducer producer = context.producer();
        producer.setDisableMessageID(noMessageId);
        producer.setDisableMessageTimestamp(noTimestamp);
        producer.setDeliveryDelay(deliveryDelay);
        CompletionListener listener = async;
        if (listener == null) {
            producer.send(destination, message, deliveryMode, priority, timeToLive);
        } else {
            producer.send(destination, message, deliveryMode, priority, timeToLive, listener);
        }
    }

    private void apply(Message message) throws JMSException {
        for (Enumeration<String> names = template.getPropertyNames(); names.hasMoreElements(); ) {
            String name = names.nextElement();
            message.setObjectProperty(name, template.getObjectProperty(name));
        }
        if (template.getJMSCorrelationID() != null) {
            if (correlationIsBytes) {
                message.setJMSCorrelationIDAsBytes(template.getJMSCorrelationIDAsBytes());
            } else {
                message.setJMSCorrelationID(template.getJMSCorrelationID());
            }
        }
        if (template.getJMSType() != null) {
            message.setJMSType(template.getJMSType());
        }
        if (replyTo != null) {
            message.setJMSReplyTo(replyTo);
        }
    }

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        noMessageId = value;
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return noMessageId;
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        noTimestamp = value;
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return noTimestamp;
    }

    @Override
    public JMSProducer setDeliveryMode(int mode) {
        deliveryMode = get(() -> ClientProducer.checkedMode(mode));
        return this;
    }

    @Override
    public int getDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public JMSProducer setPriority(int value) {
        priority = get(() -> ClientProducer.checkedPriority(value));
        return this;
    }

    @Override
    public int getPriority() {
        return priority;
    }

    @Override
    public JMSProducer setTimeToLive(long millis) {
        timeToLive = get(() -> ClientProducer.checkedTime(millis, "time to live"));
        return this;
    }

    @Override
    public long getTimeToLive() {
        return timeToLive;
    }

    @Override
    public JMSProducer setDeliveryDelay(long millis) {
        deliveryDelay = get(() -> ClientProducer.checkedTime(millis, "delivery delay"));
        return this;
    }

    @Override
    public long getDeliveryDelay() {
        return deliveryDelay;
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener listener) {
        async = listener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return async;
    }

    private JMSProducer with(Runtimes.Task task) {
        run(task);
        return this;
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return with(() -> template.setBooleanProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return with(() -> template.setByteProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return with(() -> template.setShortProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return with(() -> template.setIntProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return with(() -> template.setLongProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return with(() -> template.setFloatProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return with(() -> template.setDoubleProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable String value) {
        return with(() -> template.setStringProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable Object value) {
        return with(() -> template.setObjectProperty(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        template.clearProperties();
        return this;
    }

    @Override
    public boolean propertyExists(String name) {
        return get(() -> template.propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return get(() -> template.getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(String name) {
        return get(() -> template.getByteProperty(name));
    }

    @Override
    public short getShortProperty(String name) {
        return get(() -> template.getShortProperty(name));
    }

    @Override
    public int getIntProperty(String name) {
        return get(() -> template.getIntProperty(name));
    }

    @Override
    public long getLongProperty(String name) {
        return get(() -> template.getLongProperty(name));
    }

    @Override
    public float getFloatProperty(String name) {
        return get(() -> template.getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) {
        return get(() -> template.getDoubleProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) {
        return getOptional(() -> template.getStringProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) {
        return getOptional(() -> template.getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        Set<String> names = new LinkedHashSet<>(get(() -> Collections.list(template.getPropertyNames())));
        return Collections.unmodifiableSet(names);
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] id) {
        correlationIsBytes = true;
        return with(() -> template.setJMSCorrelationIDAsBytes(id));
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return getOptional(() -> template.getJMSCorrelationIDAsBytes());
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String id) {
        correlationIsBytes = false;
        return with(() -> template.setJMSCorrelationID(id));
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return getOptional(() -> template.getJMSCorrelationID());
    }

    @Override
    public JMSProducer setJMSType(@Nullable String type) {
        return with(() -> template.setJMSType(type));
    }

    @Override
    public @Nullable String getJMSType() {
        return template.getJMSType();
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination destination) {
        replyTo = destination;
        return this;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }
}
