package io.weir.broker;

import java.util.List;

/** Placeholder until the store is there: keeps nothing. */
final class Keeper {
    boolean isOpen() {
        return false;
    }

    /** Writes the entries of one message that still live; told when durable. */
    void write(List<Entry> entries, Sent sent) {
        sent.done(null);
    }

    /** An entry is gone. */
    void remove(Entry e) {
        // nothing kept
    }

    /** Whether the entry is in the store as one that was never delivered. */
    boolean needsMark(Entry e) {
        return false;
    }

    /** Marks entries as delivered. */
    void mark(List<Entry> entries, Runnable done) {
        done.run();
    }

    /** Runs an action when all removals asked for are durable, if there were any. */
    void whenDone(java.util.function.BooleanSupplier any, Runnable action) {
        action.run();
    }
}
