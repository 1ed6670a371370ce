package io.weir.jms.frames;

/** Why the broker refuses; the client makes the exception of Jakarta Messaging of it. The order is the code on the wire. Immutable. */
public enum RefusalCode {
    /** Nothing more is known: JMSException. */
    INTERNAL,
    /** InvalidDestinationException. */
    INVALID_DESTINATION,
    /** InvalidSelectorException. */
    INVALID_SELECTOR,
    /** InvalidClientIDException. */
    INVALID_CLIENT_ID,
    /** JMSSecurityException. */
    SECURITY,
    /** ResourceAllocationException: a quota, a bound on consumers, no room in time. */
    RESOURCE_ALLOCATION,
    /** IllegalStateException. */
    ILLEGAL_STATE,
    /** TransactionRolledBackException. */
    TRANSACTION_ROLLED_BACK,
    /** JMSException: the message is over the destination's or the broker's maximum. */
    MESSAGE_TOO_LARGE,
    /** JMSException: what a persistent message needs has failed or is full. */
    STORE,
    /** The destination was deleted. */
    DESTINATION_DELETED,
    /** An administrator or the end of the broker closed it. */
    CLOSED;

    private static final RefusalCode[] ALL = values();

    static RefusalCode of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw Fields.malformed("refusal code " + code);
        }
        return ALL[code];
    }
}
