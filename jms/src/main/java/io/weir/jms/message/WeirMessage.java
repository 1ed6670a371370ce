package io.weir.jms.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.BlockFormat;
import io.weir.jms.frames.BlockWriter;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageHeader;
import io.weir.jms.frames.MessageView;
import io.weir.wire.Utf8;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message; the class itself is a message without a body. Its properties and body stay encoded as received until the
 * application accesses them, and are sent as the same bytes if the message is forwarded unchanged. Used by one thread
 * at a time, as its session is.
 */
public sealed class WeirMessage implements Message
        permits WeirBytesMessage, WeirMapMessage, WeirObjectMessage, WeirStreamMessage, WeirTextMessage {
    private final MessageHeader head = new MessageHeader();
    private final Properties properties = new Properties();
    private @Nullable String messageId;
    private @Nullable Destination destination;
    private @Nullable WeirDestination replyTo;
    private int deliveryMode = DeliveryMode.PERSISTENT;
    private boolean redelivered;
    private int deliveryCount;
    private long deliveryTag;
    private @Nullable MessageOwner owner;
    private boolean bodyReadOnly;
    private volatile boolean sending;

    /** A message without a body, to be filled and sent. */
    public WeirMessage() {
        head.bodyType = BlockFormat.NONE;
    }

    WeirMessage(int bodyType) {
        head.bodyType = bodyType;
    }

    /**
     * Creates a delivered message. Copies properties and body, so that the block can be released.
     *
     * @param deliveryCount 1 for the first delivery; at least 2 for a redelivered message (section 3.5.11)
     * @param deliveryTag the session's tag, as {@link #deliveryTag} returns it
     * @throws io.weir.wire.WireFault if a length in the block is wrong
     */
    public static WeirMessage received(
            MessageView view,
            Destination destination,
            boolean redelivered,
            int deliveryCount,
            long deliveryTag,
            MessageOwner owner) {
        WeirMessage message = switch (view.bodyType()) {
            case BlockFormat.TEXT -> new WeirTextMessage();
            case BlockFormat.BYTES -> new WeirBytesMessage();
            case BlockFormat.MAP -> new WeirMapMessage();
            case BlockFormat.STREAM -> new WeirStreamMessage();
            case BlockFormat.OBJECT -> new WeirObjectMessage();
            default -> new WeirMessage();
        };
        message.fill(view, destination);
        message.redelivered = redelivered;
        message.deliveryCount = deliveryCount;
        message.deliveryTag = deliveryTag;
        message.owner = owner;
        return message;
    }

    private void fill(MessageView view, Destination from) {
        view.readHead(head);
        DestinationName reply = head.replyTo;
        replyTo = reply == null ? null : WeirDestination.of(reply);
        deliveryMode = head.persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        destination = from;
        properties.received(view.hasProperties() ? view.copyProperties() : null);
        bodyReadOnly = true;
        receivedBody(view.copyBody());
    }

    /** Sets the body of a received message, which takes ownership of it. */
    void receivedBody(byte[] body) {
        // a message without a body
    }

    /** The approximate number of bytes that {@link #encodeBody} writes. */
    int bodyBytes() {
        return 0;
    }

    void encodeBody(ByteBuf out) {
        // a message without a body
    }

    /**
     * Sets the header fields that a producer sets at send.
     *
     * @param idSequence 0 for no message id: the producer disabled it
     * @param timestamp milliseconds since 1970, 0 if the producer disabled it
     * @param expiration milliseconds since 1970, 0 for never
     * @param deliveryTime earliest time of delivery, milliseconds since 1970
     */
    public final void stamp(
            Destination to,
            int deliveryMode,
            int priority,
            long idConnection,
            long idSequence,
            long timestamp,
            long expiration,
            long deliveryTime) {
        destination = to;
        this.deliveryMode = deliveryMode;
        head.persistent = deliveryMode == DeliveryMode.PERSISTENT;
        head.priority = priority;
        messageId = null;
        head.hasId = idSequence != 0;
        head.idConnection = idConnection;
        head.idSequence = idSequence;
        head.hasTimestamp = timestamp != 0;
        head.timestamp = timestamp;
        head.expiration = expiration;
        head.deliveryTime = deliveryTime;
    }

    /** An estimate of the bytes that {@link #encode} writes, rather too high. */
    public final int encodedBytes() {
        return BlockWriter.headBytes(head) + 8 + properties.bytes() + bodyBytes();
    }

    /** Writes the message block, as stamped. */
    public final void encode(ByteBuf out) {
        head.replyTo = replyTo == null ? null : replyTo.wireName();
        BlockWriter.head(out, head);
        int mark = BlockWriter.beginSection(out);
        properties.encode(out);
        BlockWriter.endSection(out, mark);
        mark = BlockWriter.beginSection(out);
        encodeBody(out);
        BlockWriter.endSection(out, mark);
    }

    /** The tag of its delivery in its session; 0 for a message that was not received. */
    public final long deliveryTag() {
        return deliveryTag;
    }

    /** How often it was delivered; 0 for a message that was not received. */
    public final int deliveryCount() {
        return redelivered && deliveryCount > 0 ? Math.max(2, deliveryCount) : deliveryCount;
    }

    @Nullable
    MessageOwner owner() {
        return owner;
    }

    @Override
    public @Nullable String getJMSMessageID() {
        if (messageId == null && head.hasId) {
            messageId = BlockFormat.messageId(head.idConnection, head.idSequence);
        }
        return messageId;
    }

    @Override
    public void setJMSMessageID(@Nullable String id) {
        messageId = id;
        head.hasId = false;
    }

    @Override
    public long getJMSTimestamp() {
        return head.timestamp;
    }

    @Override
    public void setJMSTimestamp(long timestamp) {
        head.timestamp = timestamp;
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        if (head.correlation != null) {
            return Utf8.bytes(head.correlation);
        }
        return head.correlationBytes == null ? null : head.correlationBytes.clone();
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte @Nullable [] correlationID) {
        head.correlation = null;
        head.correlationBytes = correlationID == null ? null : correlationID.clone();
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        byte[] bytes = head.correlationBytes;
        return bytes == null ? head.correlation : Utf8.text(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    }

    @Override
    public void setJMSCorrelationID(@Nullable String correlationID) {
        head.correlation = correlationID;
        head.correlationBytes = null;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(@Nullable Destination replyTo) throws JMSException {
        this.replyTo = replyTo == null ? null : WeirDestination.of(replyTo);
    }

    @Override
    public @Nullable Destination getJMSDestination() {
        return destination;
    }

    @Override
    public void setJMSDestination(@Nullable Destination destination) {
        this.destination = destination;
    }

    @Override
    public int getJMSDeliveryMode() {
        return deliveryMode;
    }

    /** Kept for the application; a send replaces it. */
    @Override
    public void setJMSDeliveryMode(int deliveryMode) {
        this.deliveryMode = deliveryMode;
    }

    @Override
    public boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public void setJMSRedelivered(boolean redelivered) {
        this.redelivered = redelivered;
    }

    @Override
    public @Nullable String getJMSType() {
        return head.type;
    }

    @Override
    public void setJMSType(@Nullable String type) {
        head.type = type;
    }

    @Override
    public long getJMSExpiration() {
        return head.expiration;
    }

    @Override
    public void setJMSExpiration(long expiration) {
        head.expiration = expiration;
    }

    @Override
    public long getJMSDeliveryTime() {
        return head.deliveryTime;
    }

    @Override
    public void setJMSDeliveryTime(long deliveryTime) {
        head.deliveryTime = deliveryTime;
    }

    @Override
    public int getJMSPriority() {
        return head.priority;
    }

    @Override
    public void setJMSPriority(int priority) {
        head.priority = priority;
    }

    @Override
    public void clearProperties() {
        properties.clear();
    }

    @Override
    public boolean propertyExists(String name) throws JMSException {
        return counts(name) || properties.has(name);
    }

    private boolean counts(String name) {
        return deliveryCount > 0 && PropertyNames.DELIVERY_COUNT.equals(name);
    }

    private @Nullable Object property(String name) throws JMSException {
        return counts(name) ? (Object) deliveryCount() : properties.get(name);
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return Conversion.toBoolean(property(name));
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return Conversion.toByte(property(name));
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return Conversion.toShort(property(name));
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return Conversion.toInt(property(name));
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return Conversion.toLong(property(name));
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return Conversion.toFloat(property(name));
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return Conversion.toDouble(property(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) throws JMSException {
        return Conversion.toText(property(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) throws JMSException {
        return property(name);
    }

    /** The names of the properties; JMSXDeliveryCount is among those of a received message. */
    @Override
    public Enumeration<String> getPropertyNames() throws JMSException {
        List<String> names = new ArrayList<>(properties.names());
        if (deliveryCount > 0) {
            names.add(PropertyNames.DELIVERY_COUNT);
        }
        return Collections.enumeration(names);
    }

    @Override
    public void setBooleanProperty(String name, boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setStringProperty(String name, @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        put(name, Conversion.property(value));
    }

    private void put(String name, @Nullable Object value) throws JMSException {
        checkSettled();
        properties.set(name, value);
    }

    /** Acknowledges according to the session's mode; no effect on a message that was not received. */
    @Override
    public void acknowledge() throws JMSException {
        if (owner != null) {
            owner.acknowledge(this);
        }
    }

    @Override
    public void clearBody() throws JMSException {
        checkSettled();
        bodyReadOnly = false;
    }

    final boolean bodyReadOnly() {
        return bodyReadOnly;
    }

    final void setBodyReadOnly() {
        bodyReadOnly = true;
    }

    /**
     * Marks the begin of an asynchronous send (true) or the call of its CompletionListener (false): in between the
     * message is not writeable.
     */
    public final void sending(boolean now) {
        sending = now;
    }

    private void checkSettled() throws JMSException {
        if (sending) {
            throw new MessageNotWriteableException("the message is being sent until its CompletionListener is called");
        }
    }

    final void checkWriteable() throws JMSException {
        checkSettled();
        if (bodyReadOnly) {
            throw Faults.notWriteable();
        }
    }

    /** The body as one object, null if there is none. */
    @Nullable
    Object body() throws JMSException {
        return null;
    }

    /** Whether a body of this class can be returned as {@code type}. */
    boolean assignable(Object body, Class<?> type) {
        return type.isInstance(body);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the interface's signature
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        Object body = body();
        if (body == null) {
            return null;
        }
        if (!assignable(body, type)) {
            throw new MessageFormatException(
                    "a body of " + body.getClass().getName() + " can not be had as " + type.getName());
        }
        return type.cast(body);
    }

    @Override
    @SuppressWarnings("rawtypes") // the interface's signature
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        Object body = body();
        return body == null || assignable(body, type);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + getJMSMessageID() + (destination == null ? "" : " to " + destination);
    }
}
