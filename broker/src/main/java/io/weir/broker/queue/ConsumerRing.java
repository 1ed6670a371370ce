package io.weir.broker.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * A queue's consumers, served in turn, and the scan positions of consumers and of other readers of the queue. Confined
 * to the queue's loop.
 */
final class ConsumerRing {
    private final List<QueueConsumer> all = new ArrayList<>();
    private final List<ScanPosition> walks = new ArrayList<>();
    private int turn;
    /** Whether any consumer passed over an entry: if not, there are no positions to update. */
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

    /** Returns whether it was there. */
    boolean remove(QueueConsumer c) {
        return all.remove(c);
    }

    /** The consumer passed over an entry that does not match. */
    void passed(QueueConsumer c, QueueEntry e) {
        c.looked.passed(e);
        passing = true;
    }

    /** Registers the scan position of work that iterates over the entries. */
    void begin(ScanPosition walk) {
        walks.add(walk);
    }

    void end(ScanPosition walk) {
        walks.remove(walk);
    }

    /** An entry leaves the list: positions at it move to the one before it. */
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

    /** Consumers may have passed over an entry that they can get now. */
    void lookAgain(QueueEntry e) {
        if (passing) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).looked.again(e);
            }
        }
    }

    /** An entry was inserted in the list: positions behind it move back to it. */
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

    /** Resets all positions, because entries that did not match may match now. */
    void resetPositions() {
        for (QueueConsumer c : all) {
            c.looked.reset();
        }
    }
}
