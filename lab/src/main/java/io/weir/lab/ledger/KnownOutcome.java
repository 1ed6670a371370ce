package io.weir.lab.ledger;

/** The known outcome of a send, an acknowledgement or a transaction. */
public enum KnownOutcome {
    /** In progress, or failed with an exception: it may have happened. */
    UNKNOWN,
    /** The call returned. */
    DONE,
    /** Rolled back by the application before it did anything else. */
    ROLLED_BACK
}
