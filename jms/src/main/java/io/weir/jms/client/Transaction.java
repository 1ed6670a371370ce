package io.weir.jms.client;

import io.weir.jms.client.delivery.Attachment;
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
final class Transaction {
    private final SessionLink session;
    private final AckMode mode;
    private final AsyncSends asyncSends;
    private final Dispatch dispatch;
    /** Where it has messages; null while it has none. */
    private volatile @Nullable Attachment began;
    /** It has messages on two links: the first was lost, and what it had there is rolled back. */
    private volatile boolean broken;

    Transaction(SessionLink session, AckMode mode, AsyncSends asyncSends, Dispatch dispatch) {
        this.session = session;
        this.mode = mode;
        this.asyncSends = asyncSends;
        this.dispatch = dispatch;
    }

    /** A message there becomes part of it. */
    void touched(Attachment where) {
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

    void commit() throws JMSException {
        check("commit");
        asyncSends.awaitAll();
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

    void rollback() throws JMSException {
        check("roll back");
        asyncSends.awaitAll();
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
        if (dispatch.isCompleting()) {
            throw new IllegalStateException("a completion listener must not " + what + " its session", "LISTENER");
        }
    }
}
