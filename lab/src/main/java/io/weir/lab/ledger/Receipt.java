package io.weir.lab.ledger;

import org.jspecify.annotations.Nullable;

/** A message as a consumer got it. Confined to its consumer until the books are closed. */
public final class Receipt {
    private final String id;
    private final String subscription;
    private final String consumer;
    private final boolean redelivered;
    private @Nullable Work work;

    Receipt(String id, String subscription, String consumer, boolean redelivered) {
        this.id = id;
        this.subscription = subscription;
        this.consumer = consumer;
        this.redelivered = redelivered;
    }

    void within(Work within) {
        work = within;
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
}
