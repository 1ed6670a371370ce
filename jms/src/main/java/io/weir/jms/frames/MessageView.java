package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.WireFault;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads header fields, single properties and the body of a message block in place, without creating the message.
 * Reusable: {@link #wrap} sets it to another block, which it neither retains nor changes: other threads can read the
 * same block through their own views. A wrong length is a {@link WireFault}, nothing is allocated for it. Confined to
 * one thread at a time.
 */
public final class MessageView {
    private static final byte[] GROUP_ID = name("JMSXGroupID");
    /** The property with the name of a message's unit of order, as WebLogic has it. */
    public static final String UNIT_OF_ORDER = "JMS_BEA_UnitOfOrder";

    private static final byte[] UNIT = name(UNIT_OF_ORDER);

    private final Cursor cursor = new Cursor(Unpooled.EMPTY_BUFFER);
    private @Nullable ByteBuf block;
    private int start;
    private int end;
    private int flags;
    private int correlationAt;
    private int replyToAt;
    private int typeAt;
    private int propertiesAt;
    private int propertiesEnd;
    private int bodyAt;
    private int groupAt;
    private int unitAt;
    private boolean provenance;

    /** The name of a property in the form that {@link #find} accepts. */
    public static byte[] name(String property) {
        return property.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Sets the view to a block, from its reader to its writer index. All lengths except those within properties and
     * body are checked here; {@link #check} checks the properties.
     */
    public MessageView wrap(ByteBuf block) {
        this.block = block;
        provenance = false;
        start = block.readerIndex();
        end = block.writerIndex();
        Cursor in = cursor.set(block, start, end);
        in.skip(BlockFormat.FIXED_BYTES);
        flags = block.getUnsignedByte(start + BlockFormat.FLAGS_AT);
        if (bodyType() > BlockFormat.OBJECT || priority() > 9) {
            throw FrameValues.malformed("a message of body type " + bodyType() + ", priority " + priority());
        }
        correlationAt = optional(in, BlockFormat.HAS_CORRELATION, 0);
        replyToAt = optional(in, BlockFormat.HAS_REPLY_TO, 1);
        typeAt = optional(in, BlockFormat.HAS_TYPE, 0);
        int length = in.length32();
        propertiesAt = in.at();
        propertiesEnd = propertiesAt + length;
        in.skip(length);
        length = in.length32();
        bodyAt = in.at();
        in.skip(length);
        if (!in.done()) {
            throw FrameValues.malformed((end - in.at()) + " bytes too many behind a message block");
        }
        return this;
    }

    private int optional(Cursor in, int flag, int kindBytes) {
        if ((flags & flag) == 0) {
            return -1;
        }
        int at = in.at();
        if (kindBytes == 1) {
            DestinationKind.of(in.u8());
        }
        in.skipText();
        return at;
    }

    /** Validates all lengths within the properties. */
    public MessageView check() {
        Cursor in = cursor.set(block(), propertiesAt, propertiesEnd);
        int count = in.done() ? 0 : in.count(2);
        for (int i = 0; i < count; i++) {
            provenance |= in.textStarts(Provenance.PREFIX_BYTES);
            if (valueType(in.at(), in) > Values.STRING) {
                throw FrameValues.malformed("a property of type " + valueType(in.at()));
            }
            in.skipValue();
        }
        if (!in.done()) {
            throw FrameValues.malformed("bytes too many behind the properties");
        }
        return this;
    }

    /** Whether {@link #check} found properties with names of {@link Provenance}. */
    public boolean hasProvenance() {
        return provenance;
    }

    private int valueType(int at, Cursor in) {
        in.need(1);
        return valueType(at);
    }

    private ByteBuf block() {
        ByteBuf b = block;
        if (b == null) {
            throw new IllegalStateException("wrap a block first");
        }
        return b;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Bytes of the block. */
    public int size() {
        return end - start;
    }

    /** One of {@link BlockFormat}'s body types. */
    public int bodyType() {
        return block().getUnsignedByte(start);
    }

    public boolean persistent() {
        return has(BlockFormat.PERSISTENT);
    }

    public int priority() {
        return block().getUnsignedByte(start + BlockFormat.PRIORITY_AT);
    }

    public boolean hasId() {
        return has(BlockFormat.HAS_ID);
    }

    public long idConnection() {
        return block().getLong(start + BlockFormat.ID_CONNECTION_AT);
    }

    public long idSequence() {
        return block().getLong(start + BlockFormat.ID_SEQUENCE_AT);
    }

    /** JMSMessageID, or null. */
    public @Nullable String messageId() {
        return hasId() ? BlockFormat.messageId(idConnection(), idSequence()) : null;
    }

    public boolean hasTimestamp() {
        return has(BlockFormat.HAS_TIMESTAMP);
    }

    /** Milliseconds since 1970, 0 if the producer disabled it. */
    public long timestamp() {
        return block().getLong(start + BlockFormat.TIMESTAMP_AT);
    }

    /** Milliseconds since 1970, 0 for never. */
    public long expiration() {
        return block().getLong(start + BlockFormat.EXPIRATION_AT);
    }

    /** Milliseconds since 1970, 0 for at once. */
    public long deliveryTime() {
        return block().getLong(start + BlockFormat.DELIVERY_TIME_AT);
    }

    public boolean hasCorrelation() {
        return correlationAt >= 0;
    }

    public boolean correlationIsBytes() {
        return has(BlockFormat.CORRELATION_IS_BYTES);
    }

    /** JMSCorrelationID as text; null if there is none or it is bytes. */
    public @Nullable String correlation() {
        return hasCorrelation() && !correlationIsBytes() ? textAt(correlationAt) : null;
    }

    /** JMSCorrelationID as bytes, a copy; null if there is none. */
    public byte @Nullable [] correlationBytes() {
        return hasCorrelation() ? bytesAt(correlationAt) : null;
    }

    public @Nullable DestinationName replyTo() {
        if (replyToAt < 0) {
            return null;
        }
        return new DestinationName(DestinationKind.of(block().getUnsignedByte(replyToAt)), textAt(replyToAt + 1));
    }

    /** JMSType, or null. */
    public @Nullable String type() {
        return typeAt < 0 ? null : textAt(typeAt);
    }

    /** The index of JMSCorrelationID's text, for {@link #textEquals}; -1 if there is none or it is bytes. */
    public int correlationAt() {
        return correlationIsBytes() ? -1 : correlationAt;
    }

    /** The index of JMSType's text, for {@link #textEquals}; -1 if there is none. */
    public int typeAt() {
        return typeAt;
    }

    /**
     * Looks for the properties that bind messages to each other, in one pass; {@link #group} and {@link #unitOfOrder} have
     * their values.
     */
    public void findOrder() {
        groupAt = -1;
        unitAt = -1;
        if (!hasProperties()) {
            return;
        }
        Cursor in = cursor.set(block(), propertiesAt, propertiesEnd);
        int count = in.count(2);
        for (int i = 0; i < count; i++) {
            int which = in.textIs(GROUP_ID, UNIT);
            if (which == 1) {
                groupAt = in.at();
            } else if (which == 2) {
                unitAt = in.at();
            }
            in.skipValue();
        }
    }

    /** JMSXGroupID as {@link #findOrder} found it, or null. */
    public @Nullable String group() {
        return string(groupAt);
    }

    /** The name of the message's unit of order ({@link #UNIT_OF_ORDER}) as {@link #findOrder} found it, or null. */
    public @Nullable String unitOfOrder() {
        return string(unitAt);
    }

    private @Nullable String string(int at) {
        return at >= 0 && valueType(at) == Values.STRING ? textAt(at + 1) : null;
    }

    public boolean hasProperties() {
        return propertiesEnd > propertiesAt;
    }

    public int propertiesLength() {
        return propertiesEnd - propertiesAt;
    }

    /** The index of the properties in the block. */
    public int propertiesAt() {
        return propertiesAt;
    }

    public int bodyLength() {
        return end - bodyAt;
    }

    /** The index of the body in the block. */
    public int bodyAt() {
        return bodyAt;
    }

    /** The value of a property in its own type; null if it is null or there is none. */
    public @Nullable Object property(String name) {
        int at = hasProperties() ? find(name(name)) : -1;
        return at < 0 ? null : value(at);
    }

    /**
     * Finds a property.
     *
     * @param name by {@link #name(String)}
     * @return the index of its value, for the methods below; -1 if there is none
     */
    public int find(byte[] name) {
        if (!hasProperties()) {
            return -1;
        }
        Cursor in = cursor.set(block(), propertiesAt, propertiesEnd);
        int count = in.count(2);
        for (int i = 0; i < count; i++) {
            boolean found = in.textIs(name);
            int value = in.at();
            in.skipValue();
            if (found) {
                return value;
            }
        }
        return -1;
    }

    /** One of {@link Values}' types. */
    public int valueType(int at) {
        return block().getUnsignedByte(at);
    }

    /** A value that is a boolean (1 or 0), byte, short, int or long. */
    public long integer(int at) {
        ByteBuf in = block();
        return switch (valueType(at)) {
            case Values.BOOLEAN, Values.BYTE -> in.getByte(at + 1);
            case Values.SHORT -> in.getShort(at + 1);
            case Values.INT -> in.getInt(at + 1);
            case Values.LONG -> in.getLong(at + 1);
            default -> throw new IllegalArgumentException("no integer at " + at);
        };
    }

    /** A value that is a float or a double. */
    public double real(int at) {
        ByteBuf in = block();
        return switch (valueType(at)) {
            case Values.FLOAT -> in.getFloat(at + 1);
            case Values.DOUBLE -> in.getDouble(at + 1);
            default -> throw new IllegalArgumentException("no real at " + at);
        };
    }

    /** The value in its own type. */
    public @Nullable Object value(int at) {
        return Values.read(block().slice(at, end - at));
    }

    /** Whether the text at {@code at} (its length first) has these bytes of UTF-8. A string value's text is at its index plus 1. */
    public boolean textEquals(int at, byte[] utf8) {
        return cursor.set(block(), at, end).textIs(utf8);
    }

    /** The text at {@code at}, its length first. */
    public String textAt(int at) {
        return cursor.set(block(), at, end).text();
    }

    /** Fills in the header, including its texts. */
    public void readHead(MessageHeader head) {
        head.bodyType = bodyType();
        head.persistent = persistent();
        head.priority = priority();
        head.hasId = hasId();
        head.idConnection = idConnection();
        head.idSequence = idSequence();
        head.hasTimestamp = hasTimestamp();
        head.timestamp = timestamp();
        head.expiration = expiration();
        head.deliveryTime = deliveryTime();
        head.correlation = correlation();
        head.correlationBytes = correlationIsBytes() ? correlationBytes() : null;
        head.replyTo = replyTo();
        head.type = type();
    }

    /** A copy of the encoded properties. */
    public byte[] copyProperties() {
        return copy(propertiesAt, propertiesEnd);
    }

    /** A copy of the encoded body. */
    public byte[] copyBody() {
        return copy(bodyAt, end);
    }

    private byte[] copy(int from, int to) {
        byte[] copy = new byte[to - from];
        block().getBytes(from, copy);
        return copy;
    }

    private byte[] bytesAt(int at) {
        return cursor.set(block(), at, end).bytes();
    }
}
