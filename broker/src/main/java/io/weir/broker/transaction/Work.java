package io.weir.broker.transaction;

import io.weir.broker.destination.Destination;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has done so far: sends that nobody sees yet, and messages that it consumed. Confined to the loop of
 * its connection; lives until the transaction is committed, prepared or rolled back.
 */
public final class Work {
    private final List<PendingSend> sends = new ArrayList<>();
    private final List<QueueEntry> consumed = new ArrayList<>();
    private @Nullable RequestRefusal failure;
    private boolean closed;

    /**
     * Adds a message that has its room in the quota, and takes ownership of it.
     *
     * @throws RequestRefusal if the transaction is over; the message is discarded
     */
    public void send(Destination d, Message m) throws RequestRefusal {
        if (closed) {
            m.discard();
            throw over();
        }
        PendingSend send = new PendingSend(d, m, false);
        send.counted();
        sends.add(send);
        // an OutOfMemoryError here closes the connection, and the transaction with this message is rolled back
        m.settleDown();
    }

    private RequestRefusal over() {
        RequestRefusal f = failure;
        return new RequestRefusal(
                RefusalCode.TRANSACTION_ROLLED_BACK, f == null ? "the transaction is over" : f.text());
    }

    /** Adds a consumed message, unless it is there already; returns false if the transaction is over. */
    public boolean consume(QueueEntry e) {
        if (closed) {
            return false;
        }
        if (!e.acknowledging) {
            e.acknowledging = true;
            consumed.add(e);
        }
        return true;
    }

    /**
     * Checks that it is not over.
     *
     * @throws RequestRefusal with the reason if it is
     */
    public void checkOpen() throws RequestRefusal {
        if (closed) {
            throw over();
        }
    }

    /** Ends it before its commit: from now on it takes nothing. Its messages are to be taken or discarded. */
    public void close(RequestRefusal why) {
        closed = true;
        failure = why;
    }

    /** Records why it can only be rolled back; the first reason counts. */
    public void failed(RequestRefusal r) {
        if (failure == null) {
            failure = r;
        }
    }

    public boolean isEmpty() {
        return sends.isEmpty() && consumed.isEmpty() && failure == null;
    }

    /** Messages that were sent in it. */
    public int sent() {
        return sends.size();
    }

    /** Messages that were consumed in it. */
    public int received() {
        return consumed.size();
    }

    /** Checks whether it can be committed now. */
    public void check() throws RequestRefusal {
        RequestRefusal f = failure;
        checkOpen();
        if (f != null) {
            throw new RequestRefusal(
                    RefusalCode.TRANSACTION_ROLLED_BACK, "rolled back, because a send in it failed: " + f.text());
        }
        for (PendingSend s : sends) {
            try {
                s.destination().admitInsertion();
            } catch (RequestRefusal r) {
                throw new RequestRefusal(RefusalCode.TRANSACTION_ROLLED_BACK, "rolled back: " + r.text());
            }
        }
    }

    /** Hands the sends over; they stay counted as uncommitted. */
    public List<PendingSend> takeSends() {
        List<PendingSend> taken = List.copyOf(sends);
        sends.clear();
        return taken;
    }

    /** Hands the consumed messages over. */
    public List<QueueEntry> takeConsumed() {
        List<QueueEntry> taken = List.copyOf(consumed);
        taken.forEach(e -> e.acknowledging = false);
        consumed.clear();
        return taken;
    }

    /** Discards the sends; another transaction can begin. */
    public void discardSends() {
        for (PendingSend s : sends) {
            s.uncounted();
            s.message().discard();
        }
        sends.clear();
        if (!closed) {
            failure = null;
        }
    }
}
