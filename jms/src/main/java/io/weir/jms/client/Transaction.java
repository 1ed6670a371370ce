package io.weir.jms.client;

import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.FrameType;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;

/**
 * A transacted session's transaction: it ends with commit or rollback, and a lost connection breaks it. Used by the
 * session's thread; the loss is told by the one that makes the connection again, while the session waits. Lives as long as
 * its session.
 */
final class Transaction {
    private final SessionCore session;
    private volatile boolean dirty;
    private volatile boolean broken;

    Transaction(SessionCore session) {
        this.session = session;
    }

    /** Something became part of it. */
    void touched() {
        dirty = session.mode() == AckMode.TRANSACTED;
    }

    /** The connection was lost; what was part of it is rolled back, however often this happens before its end. */
    void lost() {
        broken = broken || dirty;
        dirty = false;
    }

    void commit() throws JMSException {
        check("commit");
        session.asyncSends().awaitAll();
        Attachment a = session.link();
        checkWhole();
        session.acks().acknowledgeAll();
        dirty = false;
        a.call(FrameType.COMMIT, (out, request) -> new Plain(request).write(out));
    }

    /** Of a transaction that began on a lost connection nothing is committed, nor what came to it on the next one. */
    private void checkWhole() throws JMSException {
        if (!broken) {
            return;
        }
        broken = false;
        dirty = false;
        JMSException rolledBack = new TransactionRolledBackException(
                "the connection was lost, and the transaction with it: it is rolled back", "LOST");
        try {
            session.undo(FrameType.ROLLBACK);
        } catch (JMSException e) {
            // lost again: the broker rolls it back
            rolledBack.addSuppressed(e);
        }
        throw rolledBack;
    }

    void rollback() throws JMSException {
        check("roll back");
        session.asyncSends().awaitAll();
        dirty = false;
        broken = false;
        session.undo(FrameType.ROLLBACK);
    }

    private void check(String what) throws JMSException {
        session.checkOpen();
        if (session.mode() != AckMode.TRANSACTED) {
            throw new IllegalStateException("the session is not transacted, there is nothing to " + what, "MODE");
        }
        if (session.dispatch().isCompleting()) {
            throw new IllegalStateException("a completion listener must not " + what + " its session", "LISTENER");
        }
    }
}
