package io.weir.lab.ledger;

/** What is known of a send, an acknowledgement or a transaction. */
public enum KnownOutcome {
    /** Under way, or failed with an exception: it may have happened. */
    UNKNOWN,
    /** The call returned. */
    DONE,
    /** Undone by the application before it asked for more. */
    ROLLED_BACK
}
