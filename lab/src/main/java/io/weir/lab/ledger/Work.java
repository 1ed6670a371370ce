package io.weir.lab.ledger;

import java.util.ArrayList;
import java.util.List;

/** Sends and receipts that happen together or not at all; a single send is the smallest. Confined until it is settled. */
public final class Work {
    private final List<Sent> sends = new ArrayList<>();
    private final List<Receipt> receipts = new ArrayList<>();
    private volatile KnownOutcome outcome = KnownOutcome.UNKNOWN;

    Work() {}

    void add(Sent sent) {
        sends.add(sent);
    }

    /** The receipt is acknowledged when this work is done. */
    public void add(Receipt receipt) {
        receipts.add(receipt);
        receipt.within(this);
    }

    /** The call that completes it returned. */
    public void done() {
        outcome = KnownOutcome.DONE;
    }

    /** It was undone; nothing of it may be seen. */
    public void rolledBack() {
        outcome = KnownOutcome.ROLLED_BACK;
    }

    public KnownOutcome outcome() {
        return outcome;
    }

    public List<Sent> sends() {
        return List.copyOf(sends);
    }

    List<Receipt> receipts() {
        return List.copyOf(receipts);
    }
}
