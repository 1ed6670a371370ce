package io.weir.jms.frames;

import org.jspecify.annotations.Nullable;

/**
 * The header of a message as stored in its block; a structure that a message fills before {@link BlockWriter} writes
 * it. Confined to the thread that uses the message.
 */
public final class MessageHeader {
    /** One of {@link BlockFormat}'s body types. */
    public int bodyType;

    public boolean persistent = true;
    /** 0 to 9. */
    public int priority = 4;
    /** Whether the next two are set: the message has an id. */
    public boolean hasId;

    /** The id of the connection that sent it. */
    public long idConnection;
    /** Ascending within the connection. */
    public long idSequence;
    /** Whether {@link #timestamp} is set. */
    public boolean hasTimestamp;
    /** Milliseconds since 1970. */
    public long timestamp;
    /** Milliseconds since 1970; 0 for never. */
    public long expiration;
    /** Milliseconds since 1970; 0 if none was set. */
    public long deliveryTime;
    /** Correlation as text, or null; {@link #correlationBytes} must be null then. */
    public @Nullable String correlation;
    /** Correlation as bytes, or null. */
    public byte @Nullable [] correlationBytes;

    public @Nullable DestinationName replyTo;
    /** JMSType. */
    public @Nullable String type;
}
