package io.weir.jms.frames;

/** Why the broker refuses a request; the client maps it to an exception of Jakarta Messaging. Immutable. */
public enum RefusalCode {
    /** No specific reason: JMSException. */
    INTERNAL(0),
    /** InvalidDestinationException. */
    INVALID_DESTINATION(1),
    /** InvalidSelectorException. */
    INVALID_SELECTOR(2),
    /** InvalidClientIDException. */
    INVALID_CLIENT_ID(3),
    /** JMSSecurityException. */
    SECURITY(4),
    /** ResourceAllocationException: a quota, a bound on consumers, no room in time. */
    RESOURCE_ALLOCATION(5),
    /** IllegalStateException. */
    ILLEGAL_STATE(6),
    /** TransactionRolledBackException. */
    TRANSACTION_ROLLED_BACK(7),
    /** JMSException: the message is over the destination's or the broker's maximum. */
    MESSAGE_TOO_LARGE(8),
    /** JMSException: the store of persistent messages has failed or is full. */
    STORE(9),
    /** The destination was deleted. */
    DESTINATION_DELETED(10),
    /** Closed by an administrator or by the shutdown of the broker. */
    CLOSED(11);

    private static final RefusalCode[] ALL = values();

    private final int code;

    RefusalCode(int code) {
        this.code = code;
    }

    /** Its number on the wire. */
    public int code() {
        return code;
    }

    static RefusalCode of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw FrameValues.malformed("refusal code " + code);
        }
        return ALL[code];
    }
}
