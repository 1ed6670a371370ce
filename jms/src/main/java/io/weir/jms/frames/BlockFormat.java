package io.weir.jms.frames;

/**
 * The message block: {@code u8 bodyType · u8 flags · u8 priority · u64 idConnection · u64 idSequence · i64 timestamp ·
 * i64 expiration · i64 deliveryTime · [correlation: text, or varint length and bytes] [replyTo: destination] [type:
 * text] · u32 propertiesLength · properties · u32 bodyLength · body}. Encoded once by the producer's client; the broker
 * stores and forwards it unchanged. Immutable.
 */
public final class BlockFormat {
    /** No body. */
    public static final int NONE = 0;
    /** Empty for a null text; else {@link #TEXT_UTF_8} and UTF-8, or {@link #TEXT_UTF_16} and UTF-16BE. */
    public static final int TEXT = 1;

    public static final int BYTES = 2;
    /** {@code varint count · (text name · value)*}; an empty body is an empty map. */
    public static final int MAP = 3;
    /** {@code value*}. */
    public static final int STREAM = 4;
    /** Empty for null; else a stream of Java's serialization, never read by the broker. */
    public static final int OBJECT = 5;

    /** The first byte of a text's body. */
    public static final int TEXT_UTF_8 = 1;
    /** For a text with an unpaired surrogate, which UTF-8 cannot encode. */
    public static final int TEXT_UTF_16 = 2;

    static final int HAS_CORRELATION = 0x01;
    static final int CORRELATION_IS_BYTES = 0x02;
    static final int HAS_REPLY_TO = 0x04;
    static final int HAS_TYPE = 0x08;
    static final int PERSISTENT = 0x10;
    static final int HAS_ID = 0x20;
    static final int HAS_TIMESTAMP = 0x40;

    static final int FLAGS_AT = 1;
    static final int PRIORITY_AT = 2;
    static final int ID_CONNECTION_AT = 3;
    static final int ID_SEQUENCE_AT = 11;
    static final int TIMESTAMP_AT = 19;
    static final int EXPIRATION_AT = 27;
    static final int DELIVERY_TIME_AT = 35;
    /** Bytes of the fixed part. */
    static final int FIXED_BYTES = 43;

    /** The prefix of a JMSMessageID created by Weir. */
    public static final String ID_PREFIX = "ID:weir-";

    private BlockFormat() {}

    /** The text of a JMSMessageID. */
    public static String messageId(long idConnection, long idSequence) {
        return ID_PREFIX + Long.toHexString(idConnection) + "-" + idSequence;
    }
}
