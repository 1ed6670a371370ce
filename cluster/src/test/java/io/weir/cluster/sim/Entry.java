package io.weir.cluster.sim;

/** A committed entry. Immutable; nobody writes into its bytes. */
final class Entry {
    private final long index;
    private final long term;
    private final long ticket;
    private final byte[] command;

    /** @param ticket of the submission that it came from, unique over all members */
    Entry(long index, long term, long ticket, byte[] command) {
        this.index = index;
        this.term = term;
        this.ticket = ticket;
        this.command = command;
    }

    long index() {
        return index;
    }

    long term() {
        return term;
    }

    long ticket() {
        return ticket;
    }

    byte[] command() {
        return command;
    }
}
