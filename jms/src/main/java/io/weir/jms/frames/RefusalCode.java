package io.weir.jms.frames;

/** Why the broker refuses; the client makes the exception of Jakarta Messaging of it. Immutable. */
public enum RefusalCode {
    /** Nothing more is known: JMSException. */
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
    /** JMSException: what a persistent message needs has failed or is full. */
    STORE(9),
    /** The destination was deleted. */
    DESTINATION_DELETED(10),
    /** An administrator or the end of the broker closed it. */
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
