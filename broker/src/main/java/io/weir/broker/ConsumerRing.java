package io.weir.broker;

import java.util.ArrayList;
import java.util.List;

/**
 * A queue's consumers, served in turn, and how far each, and whoever else walks through it, has looked through its entries.
 * Confined to the queue's loop.
 */
final class ConsumerRing {
    private final List<Consumer> all = new ArrayList<>();
    private final List<Looked> walks = new ArrayList<>();
    private int turn;
    /** Whether any consumer passed an entry: else there is nothing to keep up to date. */
    private boolean passing;

    boolean isEmpty() {
        return all.isEmpty();
    }

    int size() {
        return all.size();
    }

    Consumer get(int i) {
        return all.get(i);
    }

    Consumer next() {
        if (turn >= all.size()) {
            turn = 0;
        }
        return all.get(turn++);
    }

    void add(Consumer c) {
        all.add(c);
    }

    /** Says whether it was there. */
    boolean remove(Consumer c) {
        return all.remove(c);
    }

    /** The consumer looked at an entry that is not for it. */
    void passed(Consumer c, Entry e) {
        c.looked.passed(e);
        passing = true;
    }

    /** Work that walks through the entries begins. */
    void begin(Looked walk) {
        walks.add(walk);
    }

    void end(Looked walk) {
        walks.remove(walk);
    }

    /** An entry leaves the list: who passed it last passed the one before it. */
    void leaving(Entry e) {
        if (passing) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).looked.leaving(e);
            }
        }
        for (int i = 0; i < walks.size(); i++) {
            walks.get(i).leaving(e);
        }
    }

    /** An entry came into the middle of the list: who passed its place looks again from there. */
    void inserted(Entry e) {
        if (passing) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).looked.inserted(e);
            }
        }
        for (int i = 0; i < walks.size(); i++) {
            walks.get(i).inserted(e);
        }
    }

    /** What was not for some may be now. */
    void lookAgain() {
        for (Consumer c : all) {
            c.looked.again();
        }
    }
}
