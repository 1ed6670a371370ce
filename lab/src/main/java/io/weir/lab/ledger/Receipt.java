package io.weir.lab.ledger;

import org.jspecify.annotations.Nullable;

/** A message as received by a consumer. Confined to its consumer until the ledger is checked. */
public final class Receipt {
    private final String id;
    private final String subscription;
    private final String consumer;
    private final boolean redelivered;
    private final String when;
    private @Nullable Work work;
    private @Nullable String session;

    Receipt(String id, String subscription, String consumer, boolean redelivered, String when) {
        this.id = id;
        this.subscription = subscription;
        this.consumer = consumer;
        this.redelivered = redelivered;
        this.when = when;
    }

    void within(Work within) {
        work = within;
    }

    void by(String automatic) {
        session = automatic;
    }

    String id() {
        return id;
    }

    String subscription() {
        return subscription;
    }

    String consumer() {
        return consumer;
    }

    boolean redelivered() {
        return redelivered;
    }

    /** The transaction that acknowledges it; null: an acknowledgement without an answer. */
    @Nullable
    Work work() {
        return work;
    }

    /**
     * The AUTO_ACKNOWLEDGE session that received it, in one life of the server; null: none, or nothing is guaranteed.
     */
    @Nullable
    String session() {
        return session;
    }

    /** For debugging. */
    @Override
    public String toString() {
        return when + " " + id + " by " + consumer + (redelivered ? ", again" : "");
    }
}
