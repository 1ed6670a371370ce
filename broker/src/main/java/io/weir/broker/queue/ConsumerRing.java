package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * A queue's consumers, served in turn, and the scan position of each, and of other readers of the queue.
 * Confined to the queue's loop.
 */
final class ConsumerRing {
    private final List<QueueConsumer> all = new ArrayList<>();
    private final List<ScanPosition> walks = new ArrayList<>();
    private int turn;
    /** Whether any consumer passed an entry: else there is nothing to keep up to date. */
    private boolean passing;

    boolean isEmpty() {
        return all.isEmpty();
    }

    int size() {
        return all.size();
    }

    QueueConsumer get(int i) {
        return all.get(i);
    }

    QueueConsumer next() {
        if (turn >= all.size()) {
            turn = 0;
        }
        return all.get(turn++);
    }

    void add(QueueConsumer c) {
        all.add(c);
    }

    /** Says whether it was there. */
    boolean remove(QueueConsumer c) {
        return all.remove(c);
    }

    /** The consumer looked at an entry that is not for it. */
    void passed(QueueConsumer c, QueueEntry e) {
        c.looked.passed(e);
        passing = true;
    }

    /** Work that walks through the entries begins. */
    void begin(ScanPosition walk) {
        walks.add(walk);
    }

    void end(ScanPosition walk) {
        walks.remove(walk);
    }

    /** An entry leaves the list: who passed it last passed the one before it. */
    void leaving(QueueEntry e) {
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
    void inserted(QueueEntry e) {
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
        for (QueueConsumer c : all) {
            c.looked.again();
        }
    }
}
