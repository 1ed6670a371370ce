package io.weir.lab.ledger;

import java.util.ArrayList;
import java.util.List;

/** Sends and receipts that happen together or not at all; a single send is the smallest. Confined until it is settled. */
public final class Work {
    private final List<Sent> sends = new ArrayList<>();
    private final List<Receipt> receipts = new ArrayList<>();
    private volatile Outcome outcome = Outcome.UNKNOWN;

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
        outcome = Outcome.DONE;
    }

    /** It was undone; nothing of it may be seen. */
    public void rolledBack() {
        outcome = Outcome.ROLLED_BACK;
    }

    public Outcome outcome() {
        return outcome;
    }

    public List<Sent> sends() {
        return List.copyOf(sends);
    }

    List<Receipt> receipts() {
        return List.copyOf(receipts);
    }
}
