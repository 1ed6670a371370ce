package io.weir.broker;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue's consumers, served in turn, and how far each has looked through entries that are not for it. Confined to the
 * queue's loop.
 */
final class ConsumerRing {
    private final List<Consumer> all = new ArrayList<>();
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
    void passed(Consumer c, int priority, Entry e) {
        @Nullable Entry[] p = c.passed;
        if (p == null) {
            p = new @Nullable Entry[10];
            c.passed = p;
        }
        p[priority] = e;
        passing = true;
    }

    /** An entry leaves the list: who passed it last passed the one before it. */
    void leaving(Entry e) {
        if (!passing) {
            return;
        }
        int priority = e.message.priority();
        for (int i = 0; i < all.size(); i++) {
            @Nullable Entry[] p = all.get(i).passed;
            if (p != null && p[priority] == e) {
                p[priority] = e.previous;
            }
        }
    }

    /** An entry came into the middle of the list: who passed its place looks again from there. */
    void inserted(Entry e) {
        if (!passing) {
            return;
        }
        int priority = e.message.priority();
        for (int i = 0; i < all.size(); i++) {
            @Nullable Entry[] p = all.get(i).passed;
            if (p != null) {
                Entry at = p[priority];
                if (at != null && at.sequence > e.sequence) {
                    p[priority] = e.previous;
                }
            }
        }
    }

    /** What was not for some may be now. */
    void lookAgain() {
        for (Consumer c : all) {
            c.passed = null;
        }
    }
}
