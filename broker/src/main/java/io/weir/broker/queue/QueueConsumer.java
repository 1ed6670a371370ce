package io.weir.broker.queue;

import io.weir.jms.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a queue. Owned by the queue's loop but for the mode and the starved flag, which its session shares.
 * Lives until it is closed.
 */
public final class QueueConsumer {
    /** How it receives messages. */
    public enum Mode {
        /** By RECEIVE requests. */
        SYNC,
        /** Pushed, within the session's window. */
        PUSHED
    }

    final ConsumerSession session;
    public final int id;
    public final QueueAccess queue;
    final @Nullable Selector selector;

    /** Its scan position behind the entries that do not match. */
    final ScanPosition looked = new ScanPosition();

    /** The pending request of a synchronous consumer. */
    @Nullable
    ReceiveRequest receive;

    boolean closed;
    /** When a check last found that it had taken a message. */
    long lastProgress;
    /** Whether it took one since: the clock is not read for each message. */
    boolean progressed;

    boolean namedSlow;
    private volatile Mode mode;
    private volatile boolean starved;

    public QueueConsumer(ConsumerSession session, int id, QueueAccess queue, @Nullable Selector selector, Mode mode) {
        this.session = session;
        this.id = id;
        this.queue = queue;
        this.selector = selector;
        this.mode = mode;
    }

    /**
     * Whether it may get a message while an earlier one of the same unit of order is there. Not one to which messages are
     * pushed in XA branches: a branch that is rolled back returns the earlier one only.
     */
    boolean takesUnitsAhead() {
        return mode != Mode.PUSHED || !session.returnsParts();
    }

    Mode mode() {
        return mode;
    }

    public void mode(Mode next) {
        mode = next;
    }

    /** Whether it can take a message now. */
    boolean isOpen() {
        if (!session.flowing()) {
            return false;
        }
        ReceiveRequest r = receive;
        return r != null
                ? r.wantsMore()
                : mode == Mode.PUSHED && session.window().isOpen();
    }

    /**
     * Offers it a message: returns whether it can take one now. If not, it is marked as starved, and its RECEIVE waits
     * if the session is certain to wake it.
     */
    boolean offered() {
        boolean open = isOpen();
        if (!open) {
            markStarved();
            open = isOpen();
        }
        ReceiveRequest r = receive;
        if (r != null) {
            r.passedOver(!open && r.wantsMore() && session.isStarted());
        }
        return open;
    }

    /** Reserves room for a message; returns false if there is none after all. */
    boolean take(QueueEntry e) {
        ReceiveRequest r = receive;
        if (r != null) {
            r.taken(e.message.size());
            e.windowed = false;
            return true;
        }
        e.windowed = session.window().take(e.message.size());
        return e.windowed;
    }

    /** Releases the room of an entry that is not delivered after all. */
    void giveBack(QueueEntry e) {
        ReceiveRequest r = receive;
        if (e.windowed) {
            e.windowed = false;
            session.window().credit(1, e.message.size());
        } else if (r != null) {
            r.givenBack(e.message.size());
        }
    }

    /** Records whether it took messages since the last check. */
    void looked(long now) {
        if (progressed) {
            progressed = false;
            lastProgress = now;
        }
    }

    /** Marks it as unable to take waiting messages: the session wakes its queue when that changes. */
    void markStarved() {
        starved = true;
    }

    /** Clears the starved flag and returns its previous value. */
    public boolean clearStarved() {
        if (!starved) {
            return false;
        }
        starved = false;
        return true;
    }
}
