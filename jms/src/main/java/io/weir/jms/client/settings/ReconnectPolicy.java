package io.weir.jms.client.settings;

/** WebLogic's ReconnectPolicy: what of a lost connection comes back by itself. Immutable. */
public enum ReconnectPolicy {
    /** Nothing: the connection has failed and says so. */
    NONE,
    /** The connection, sessions without consumers and their producers. */
    PRODUCER,
    /** Sessions with consumers too; unacknowledged messages are delivered again, open transactions are rolled back. */
    ALL
}
