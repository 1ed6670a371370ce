package io.weir.broker.session;

import io.weir.broker.xa.Branch;
import io.weir.broker.xa.BranchAnswer;
import io.weir.broker.xa.BranchFault;
import io.weir.broker.xa.Branches;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.BranchId;
import io.weir.wire.WireFault;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * A connection's requests about branches of distributed transactions. Sessions of the connection work in branches that it
 * began; any connection of the same user can prepare and end a branch, which is how a transaction manager recovers.
 * Confined to the connection's loop.
 */
final class BranchRequests {
    private final BrokerConnection connection;
    private final Replies replies;
    /** Branches that began here; those that are ended leave when the next one begins. */
    private final Set<Branch> begun = new LinkedHashSet<>();

    BranchRequests(BrokerConnection connection, Replies replies) {
        this.connection = connection;
        this.replies = replies;
    }

    /** @param session the one of the request's stream, null if it is closed, or if the stream is the connection's */
    void handle(@Nullable BrokerSession session, BranchFrames.Request request) {
        if (connection.wire.version() < BranchFrames.VERSION) {
            throw new WireFault(
                    WireFault.Reason.UNKNOWN_TYPE,
                    "BRANCH requires version " + BranchFrames.VERSION + " of the protocol");
        }
        if (session != null && request.operation() == BranchFrames.Operation.END) {
            // sends in it that wait for room become part of it
            session.quiet.whenQuiet(() -> handleNow(session, request));
            return;
        }
        handleNow(session, request);
    }

    private void handleNow(@Nullable BrokerSession session, BranchFrames.Request request) {
        int number = request.request();
        BranchId id = request.branch();
        try {
            if (id == null) {
                recover(number, request.number());
                return;
            }
            switch (request.operation()) {
                case START -> {
                    start(open(session), id, request);
                    answer(number, XAResource.XA_OK, "");
                }
                case END -> {
                    end(session, id, request.flags());
                    answer(number, XAResource.XA_OK, "");
                }
                default -> finish(id, request);
            }
        } catch (BranchFault f) {
            answer(number, f.code(), f.text());
        }
    }

    private static BrokerSession open(@Nullable BrokerSession session) throws BranchFault {
        if (session == null || !session.takesBranches()) {
            throw BranchFault.protocol(
                    session == null
                            ? "the session is closed: it starts no transaction"
                            : "the session is not an XA session: it starts no transaction");
        }
        return session;
    }

    private void start(BrokerSession session, BranchId id, BranchFrames.Request request) throws BranchFault {
        Branch current = session.branch();
        if (current != null && current.state() != Branch.State.GONE) {
            throw BranchFault.protocol(
                    "the session works in transaction " + current.id() + ": it ends that before it starts " + id);
        }
        Branches branches = connection.engine.branches();
        Branch branch;
        if (request.flags() == XAResource.TMNOFLAGS) {
            begun.removeIf(b -> b.state() == Branch.State.GONE);
            branch = branches.begin(
                    id,
                    connection.wire.user(),
                    connection.loop,
                    connection,
                    session,
                    request.number(),
                    session.redeliveryDelay());
            begun.add(branch);
        } else {
            branch = branches.get(id);
            branch.join(session, connection, request.flags(), session.redeliveryDelay());
        }
        session.branch(branch);
    }

    private void end(@Nullable BrokerSession session, BranchId id, int flags) throws BranchFault {
        Branch own = session == null ? null : session.branch();
        if (session != null && own != null && own.id().equals(id)) {
            // also from one that has been rolled back meanwhile
            session.branch(null);
        }
        Branch branch = connection.engine.branches().get(id);
        if (session == null) {
            // it was closed, and left its branch then
            branch.endClosed(connection, flags);
        } else {
            branch.end(session, connection, flags);
        }
    }

    private void finish(BranchId id, BranchFrames.Request request) throws BranchFault {
        Branch branch = connection.engine.branches().get(id);
        if (!branch.user().equals(connection.wire.user())) {
            throw new BranchFault(
                    XAException.XAER_RMFAIL,
                    "transaction " + id + " belongs to user " + branch.user() + ", who alone can end it");
        }
        int number = request.request();
        BranchAnswer answer = (code, text) -> connection.loop.run(() -> answer(number, code, text));
        branch.home().run(() -> finish(branch, request, answer));
    }

    private static void finish(Branch branch, BranchFrames.Request request, BranchAnswer answer) {
        switch (request.operation()) {
            case PREPARE -> branch.prepare(answer);
            case COMMIT -> branch.commit(request.flags() == XAResource.TMONEPHASE, answer);
            case ROLLBACK -> branch.rollback(answer);
            default -> branch.forget(answer);
        }
    }

    private void recover(int request, long after) {
        Branches.Page page = connection.engine.branches().recover(connection.wire.user(), after, BranchFrames.PAGE);
        replies.branchDone(new BranchFrames.Done(request, XAResource.XA_OK, "", page.next(), page.branches()));
    }

    private void answer(int request, int code, String text) {
        if (!connection.isClosed()) {
            replies.branchDone(new BranchFrames.Done(request, code, text, 0, List.of()));
        }
    }

    /** The connection is closed: its branches that are not prepared are rolled back. */
    void closed() {
        for (Branch b : new ArrayList<>(begun)) {
            b.lost();
        }
        begun.clear();
    }
}
