package io.weir.jms.client.delivery;

import io.weir.jms.client.settings.AckMode;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.FrameType;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session's transaction: it ends with commit or rollback, and belongs to the link on which it began. When that
 * is lost the broker rolls it back, and with it, at its end, goes what came to it on the next. Used by the session's thread;
 * lives as long as its session.
 */
public final class Transaction {
    /** The session's sends that are under way. */
    public interface Sends {
        /** Whether the current thread is inside a completion listener of the session. */
        boolean isCompleting();

        /** Waits until all were answered and their listeners called. */
        void awaitAll() throws JMSException;
    }

    private final SessionLink session;
    private final AckMode mode;
    private final Sends sends;
    /** Where it has messages; null while it has none. */
    private volatile @Nullable Attachment began;
    /** It has messages on two links: the first was lost, and what it had there is rolled back. */
    private volatile boolean broken;

    /** That of a session; of one that is not transacted, none ever begins. */
    public Transaction(SessionLink session, AckMode mode, Sends sends) {
        this.session = session;
        this.mode = mode;
        this.sends = sends;
    }

    /** A message there becomes part of it. */
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

    /** Commits what was sent and consumed; a TransactionRolledBackException when part of it was lost with a link. */
    public void commit() throws JMSException {
        check("commit");
        sends.awaitAll();
        Attachment a = session.link();
        checkWhole(a);
        a.acks().acknowledgeAll();
        began = null;
        a.call(FrameType.COMMIT, (out, request) -> new Plain(request).write(out));
    }

    /** Of a transaction that began on a lost connection nothing is committed, nor what came to it on the next one. */
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

    /** Rolls back: what was sent is forgotten, what was consumed comes again. */
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
        if (mode != AckMode.TRANSACTED) {
            throw new IllegalStateException("the session is not transacted, there is nothing to " + what, "MODE");
        }
        if (sends.isCompleting()) {
            throw new IllegalStateException("a completion listener must not " + what + " its session", "LISTENER");
        }
    }
}
