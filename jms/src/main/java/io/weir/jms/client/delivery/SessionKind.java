package io.weir.jms.client.delivery;

/** How a session's messages are acknowledged now: it changes in a session that takes part in XA transactions. */
public interface SessionKind {
    /** Whether what is sent and consumed now belongs to a transaction. */
    boolean transacted();

    /** Whether a message that is consumed now is acknowledged automatically. */
    boolean automatic();
}
