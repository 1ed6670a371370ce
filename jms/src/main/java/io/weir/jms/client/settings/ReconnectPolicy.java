package io.weir.jms.client.settings;

/** WebLogic's ReconnectPolicy: what is restored automatically after a connection was lost. Immutable. */
public enum ReconnectPolicy {
    /** Nothing: the connection has failed, and its ExceptionListener is notified. */
    NONE,
    /** The connection, sessions without consumers and their producers. */
    PRODUCER,
    /** Sessions with consumers too; unacknowledged messages are redelivered, open transactions are rolled back. */
    ALL
}
