package io.weir.jms.client.delivery;

import io.weir.jms.client.settings.AckMode;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.FrameType;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionRolledBackException;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session's transaction: it ends with commit or rollback, and belongs to the link on which it began. If
 * that link is lost the broker rolls it back; work added on the next link is rolled back at the transaction's end. Used
 * by the session's thread; lives as long as its session.
 */
public final class Transaction {
    /** The session's sends in progress. */
    public interface Sends {
        /** Whether the current thread is inside a completion listener of the session. */
        boolean isCompleting();

        /** Waits until all were answered and their listeners called. */
        void awaitAll() throws JMSException;
    }

    private final SessionLink session;
    private final AckMode mode;
    private final Sends sends;
    /** The attachment on which it has messages; null while it has none. */
    private volatile @Nullable Attachment began;
    /** Whether it has messages on two links: the first was lost, and its messages there are rolled back. */
    private volatile boolean broken;

    /** Creates the transaction of a session; in one that is not transacted, none ever begins. */
    public Transaction(SessionLink session, AckMode mode, Sends sends) {
        this.session = session;
        this.mode = mode;
        this.sends = sends;
    }

    /** Records that a message on an attachment becomes part of it. */
    public void touched(Attachment where) {
        if (mode != AckMode.TRANSACTED) {
            return;
        }
        Attachment first = began;
        if (first == null) {
            began = where;
        } else if (!first.equals(where)) {
            broken = true;
        }
    }

    /**
     * Commits sent and consumed messages; throws a TransactionRolledBackException if part of the transaction was lost
     * with a link.
     */
    public void commit() throws JMSException {
        check("commit");
        sends.awaitAll();
        Attachment a = session.link();
        checkWhole(a);
        a.acks().acknowledgeAll();
        began = null;
        a.call(FrameType.COMMIT, (out, request) -> new Plain(request).write(out));
    }

    /** Rolls back a transaction that began on a lost link, including its part on the next one. */
    private void checkWhole(Attachment now) throws JMSException {
        Attachment first = began;
        if (!broken && (first == null || (first.equals(now) && !now.isLost()))) {
            return;
        }
        end();
        JMSException rolledBack = new TransactionRolledBackException(
                "the connection was lost, and the transaction with it: it is rolled back", "LOST");
        try {
            now.undo(FrameType.ROLLBACK);
        } catch (JMSException e) {
            // lost again: the broker rolls it back
            rolledBack.addSuppressed(e);
        }
        throw rolledBack;
    }

    /** Rolls back: sent messages are discarded, consumed ones redelivered. */
    public void rollback() throws JMSException {
        check("roll back");
        sends.awaitAll();
        end();
        session.link().undo(FrameType.ROLLBACK);
    }

    private void end() {
        began = null;
        broken = false;
    }

    private void check(String what) throws JMSException {
        session.checkOpen();
        if (mode == AckMode.BRANCHES) {
            throw new TransactionInProgressException(
                    "an XA session does not " + what + ": its transaction manager does, through the XAResource", "XA");
        }
        if (mode != AckMode.TRANSACTED) {
            throw new IllegalStateException("the session is not transacted, there is nothing to " + what, "MODE");
        }
        if (sends.isCompleting()) {
            throw new IllegalStateException("a completion listener must not " + what + " its session", "LISTENER");
        }
    }
}
