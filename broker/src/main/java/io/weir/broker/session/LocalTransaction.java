package io.weir.broker.session;

import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.Returning;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.transaction.Commit;
import io.weir.broker.transaction.PendingSend;
import io.weir.broker.transaction.Work;
import io.weir.jms.frames.RefusalCode;
import java.util.List;

/**
 * A transacted session's current transaction: pending sends and acknowledgements, until a commit applies all of them or
 * a rollback none. Confined to the session's loop; the next transaction begins automatically.
 */
final class LocalTransaction {
    private final BrokerSession session;
    private final Work work = new Work();

    LocalTransaction(BrokerSession session) {
        this.session = session;
    }

    Work work() {
        return work;
    }

    void commit(int request) {
        session.quiet.whenQuiet(() -> {
            try {
                work.check();
            } catch (RequestRefusal r) {
                List<QueueEntry> consumed = consumed();
                rollback("refused", 0);
                session.replies.refused(request, r);
                Returning.takeBack(consumed, _ -> ApplicationSaw.YES, session.redeliveryDelay());
                return;
            }
            commitChecked(request);
        });
    }

    private void commitChecked(int request) {
        List<QueueEntry> consumed = consumed();
        session.quiet.begin();
        List<PendingSend> sends = work.takeSends();
        sends.forEach(PendingSend::uncounted);
        Commit commit =
                new Commit(session.engine.commits(), session.loop, sends, consumed, e -> e.queue.acknowledged(e));
        commit.run(refusal -> {
            if (refusal == null) {
                session.engine.meters().committed.inc();
                answer(() -> session.replies.ok(request));
            } else {
                session.engine.meters().rolledBack(refusal.code() == RefusalCode.STORE ? "store" : "refused");
                Returning.takeBack(consumed, _ -> ApplicationSaw.YES, session.redeliveryDelay());
                answer(() -> session.replies.refused(
                        request,
                        new RequestRefusal(RefusalCode.TRANSACTION_ROLLED_BACK, "rolled back: " + refusal.text())));
            }
            session.quiet.end();
        });
    }

    /** Removes the consumed messages from the transaction and from the session's unacknowledged ones. */
    private List<QueueEntry> consumed() {
        List<QueueEntry> consumed = work.takeConsumed();
        consumed.forEach(e -> session.unacked.remove(e.tag));
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
        if (consumed || !work.isEmpty()) {
            session.engine.meters().rolledBack(cause);
        }
        work.discardSends();
        work.takeConsumed();
    }
}
