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

    /** Adds a receipt, which is acknowledged when this work is done. */
    public void add(Receipt receipt) {
        receipts.add(receipt);
        receipt.within(this);
    }

    /** Records that the call that completes it has returned. */
    public void done() {
        outcome = KnownOutcome.DONE;
    }

    /** Records that it was rolled back; no part of it may be seen. */
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
