package io.weir.broker.session;

import io.weir.broker.destination.Destination;
import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.transaction.Commit;
import io.weir.broker.transaction.PendingSend;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transacted session's current transaction: pending sends and acknowledgements, until a commit applies all of them or
 * a rollback none. Confined to the session's loop; the next transaction begins automatically.
 */
final class LocalTransaction {
    private final BrokerSession session;
    private final List<PendingSend> sends = new ArrayList<>();
    private final List<QueueEntry> acknowledged = new ArrayList<>();
    private @Nullable RequestRefusal failure;

    LocalTransaction(BrokerSession session) {
        this.session = session;
    }

    void send(Destination d, Message m) {
        d.counts.uncommittedMessages.incrementAndGet();
        d.counts.uncommittedBytes.addAndGet(m.size());
        sends.add(new PendingSend(d, m, false));
        // an OutOfMemoryError here closes the connection, and the transaction with this message is rolled back
        m.settleDown();
    }

    void acknowledge(@Nullable QueueEntry e) {
        if (e != null && !e.acknowledging) {
            e.acknowledging = true;
            acknowledged.add(e);
        }
    }

    /** Marks it as failed: it can only be rolled back. */
    void failed(RequestRefusal r) {
        if (failure == null) {
            failure = r;
        }
    }

    void commit(int request) {
        session.quiet.whenQuiet(() -> {
            try {
                check();
            } catch (RequestRefusal r) {
                List<QueueEntry> consumed = consumed();
                rollback("refused", 0);
                session.replies.refused(request, r);
                session.settling.takeBack(consumed, _ -> ApplicationSaw.YES, session.redeliveryDelay());
                return;
            }
            commitChecked(request);
        });
    }

    private void check() throws RequestRefusal {
        RequestRefusal f = failure;
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

    private void commitChecked(int request) {
        List<QueueEntry> consumed = consumed();
        session.quiet.begin();
        Commit commit = new Commit(
                session.engine.commits(), session.loop, List.copyOf(sends), consumed, e -> e.queue.acknowledged(e));
        sends.forEach(LocalTransaction::uncounted);
        sends.clear();
        commit.run(refusal -> {
            if (refusal == null) {
                session.engine.meters().committed.inc();
                answer(() -> session.replies.ok(request));
            } else {
                session.engine.meters().rolledBack(refusal.code() == RefusalCode.STORE ? "store" : "refused");
                session.settling.takeBack(consumed, _ -> ApplicationSaw.YES, session.redeliveryDelay());
                answer(() -> session.replies.refused(
                        request,
                        new RequestRefusal(RefusalCode.TRANSACTION_ROLLED_BACK, "rolled back: " + refusal.text())));
            }
            session.quiet.end();
        });
    }

    /** Removes the consumed messages from the transaction and from the session's unacknowledged ones. */
    private List<QueueEntry> consumed() {
        List<QueueEntry> consumed = List.copyOf(acknowledged);
        for (QueueEntry e : consumed) {
            e.acknowledging = false;
            session.unacked.remove(e.tag);
        }
        acknowledged.clear();
        return consumed;
    }

    private void answer(Runnable reply) {
        if (!session.isClosed()) {
            reply.run();
        }
    }

    /**
     * Discards the sends; the acknowledged messages stay among the session's unacknowledged ones, which the session
     * returns.
     *
     * @param consumedTo deliveries up to this tag were seen by the application and so are part of the transaction;
     * clients acknowledge them with the commit
     */
    void rollback(String cause, long consumedTo) {
        boolean consumed = session.transacted() && session.unacked.size() > 0 && session.unacked.oldest() <= consumedTo;
        if (consumed || !sends.isEmpty() || !acknowledged.isEmpty() || failure != null) {
            session.engine.meters().rolledBack(cause);
        }
        for (PendingSend s : sends) {
            uncounted(s);
            s.message().discard();
        }
        sends.clear();
        acknowledged.forEach(e -> e.acknowledging = false);
        acknowledged.clear();
        failure = null;
    }

    private static void uncounted(PendingSend s) {
        s.destination().counts.uncommittedMessages.decrementAndGet();
        s.destination().counts.uncommittedBytes.addAndGet(-s.message().size());
    }
}
