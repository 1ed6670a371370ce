package io.weir.broker.queue;

import io.weir.jms.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A consumer at its queue. Owned by the queue's loop but for the mode and the mark that it starves, which its session
 * shares. Lives until it is closed.
 */
public final class QueueConsumer {
    /** How it takes messages. */
    public enum Mode {
        /** What RECEIVE asks for. */
        SYNC,
        /** Pushed by the session's window. */
        PUSHED
    }

    final ConsumerSession session;
    public final int id;
    public final QueueAccess queue;
    final @Nullable Selector selector;

    /** How far it looked through entries that are not for it. */
    final ScanPosition looked = new ScanPosition();

    /** What a synchronous consumer waits for. */
    @Nullable
    ReceiveRequest receive;

    boolean closed;
    /** When it was last seen to have taken a message. */
    long lastProgress;
    /** Whether it took one since: the clock is not asked for each. */
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

    Mode mode() {
        return mode;
    }

    public void mode(Mode next) {
        mode = next;
    }

    /** Whether it takes a message now. */
    boolean isOpen() {
        if (!session.flowing()) {
            return false;
        }
        ReceiveRequest r = receive;
        return r != null
                ? r.wantsMore()
                : mode == Mode.PUSHED && session.window().isOpen();
    }

    /** Whether it can be asked to take a message now; where not, it starves, and its RECEIVE waits while it is sure to be woken. */
    boolean asked() {
        boolean open = isOpen();
        if (!open) {
            starve();
            open = isOpen();
        }
        ReceiveRequest r = receive;
        if (r != null) {
            r.passedOver(!open && r.wantsMore() && session.isStarted());
        }
        return open;
    }

    /** Takes room for a message; false when there is none after all. */
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

    /** An entry that it took room for does not come after all. */
    void giveBack(QueueEntry e) {
        ReceiveRequest r = receive;
        if (e.windowed) {
            e.windowed = false;
            session.window().credit(1, e.message.size());
        } else if (r != null) {
            r.givenBack(e.message.size());
        }
    }

    /** Notes whether it took messages since the last look. */
    void looked(long now) {
        if (progressed) {
            progressed = false;
            lastProgress = now;
        }
    }

    /** Messages wait that it could not take: the session wakes its queue when that changes. */
    void starve() {
        starved = true;
    }

    /** Whether it starved; not any more. */
    public boolean fed() {
        if (!starved) {
            return false;
        }
        starved = false;
        return true;
    }
}
