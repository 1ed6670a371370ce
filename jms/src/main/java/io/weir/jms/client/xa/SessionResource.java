package io.weir.jms.client.xa;

import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.link.LinkStream;
import io.weir.jms.frames.BranchFrames.Done;
import io.weir.jms.frames.BranchFrames.Operation;
import io.weir.jms.frames.BranchFrames.Request;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.FrameType;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The XAResource of a session (Jakarta Messaging 3.1, chapter 6.5 and 12.?; javax.transaction.xa). Between start and end
 * what the session sends and consumes belongs to the branch. Prepare, commit, rollback, forget and recover use the
 * connection and work after the session's close, too. A lost connection is XAER_RMFAIL: the transaction manager asks
 * again, on this connection once it is restored, or on another one. Used by the session's thread between start and end,
 * and by the transaction manager's threads.
 */
public final class SessionResource implements XAResource {
    private static final Xid[] NONE = {};

    private final BranchSession session;
    private volatile @Nullable BranchId current;
    /** The attachment on which the current branch began. */
    private volatile @Nullable Attachment began;

    private volatile int seconds;

    /** Creates the resource of a session. */
    public SessionResource(BranchSession session) {
        this.session = session;
    }

    /** Whether the session works in a branch. */
    public boolean isActive() {
        return current != null;
    }

    /** The session is closed: reports what it consumed in its branch, while it can. */
    public void closing() {
        Attachment a = began;
        if (current != null && a != null && !a.isLost()) {
            a.acks().acknowledgeAll();
        }
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        BranchId id = id(xid);
        if (flags != TMNOFLAGS && flags != TMJOIN && flags != TMRESUME) {
            throw fault(XAException.XAER_INVAL, "start takes TMNOFLAGS, TMJOIN or TMRESUME, not " + flags, null);
        }
        BranchId other = current;
        if (other != null) {
            throw fault(XAException.XAER_PROTO, "the session works in transaction " + other + " already", null);
        }
        Attachment a;
        try {
            a = session.link();
        } catch (JMSException e) {
            throw unreachable(e);
        }
        a.acks().drain();
        call(new LinkStream(a.link(), a.number()), Operation.START, flags, seconds, id);
        began = a;
        current = id;
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        BranchId id = id(xid);
        if (flags != TMSUCCESS && flags != TMFAIL && flags != TMSUSPEND) {
            throw fault(XAException.XAER_INVAL, "end takes TMSUCCESS, TMFAIL or TMSUSPEND, not " + flags, null);
        }
        if (session.isCompleting()) {
            throw fault(XAException.XAER_PROTO, "a completion listener must not end its session's transaction", null);
        }
        Attachment a = began;
        if (!id.equals(current) || a == null) {
            endOther(id, flags);
            return;
        }
        try {
            session.awaitSends();
        } catch (JMSException e) {
            throw unreachable(e);
        } finally {
            current = null;
            began = null;
        }
        if (a.isLost()) {
            giveBack(a);
            throw fault(
                    XAException.XA_RBCOMMFAIL,
                    "the connection was lost, and transaction " + id + " with it: it is rolled back",
                    null);
        }
        a.acks().acknowledgeAll();
        call(stream(a), Operation.END, flags, 0, id);
    }

    /** Ends a branch that is suspended, or whose session is closed. */
    private void endOther(BranchId id, int flags) throws XAException {
        Attachment a = session.attachmentNow();
        call(a == null || session.isClosed() ? control() : stream(a), Operation.END, flags, 0, id);
    }

    private static LinkStream stream(Attachment a) {
        return new LinkStream(a.link(), a.number());
    }

    /** What the session consumed on the next link, for a branch that is lost, is delivered again. */
    private void giveBack(Attachment lost) {
        Attachment now = session.attachmentNow();
        if (now == null || now.equals(lost) || now.isLost() || session.isClosed()) {
            return;
        }
        try {
            now.undo(FrameType.ROLLBACK);
        } catch (JMSException e) {
            session.quiet("messages that were consumed for a lost transaction are redelivered with the next link", e);
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return call(control(), Operation.PREPARE, TMNOFLAGS, 0, id(xid)).code();
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        call(control(), Operation.COMMIT, onePhase ? TMONEPHASE : TMNOFLAGS, 0, id(xid));
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        call(control(), Operation.ROLLBACK, TMNOFLAGS, 0, id(xid));
    }

    @Override
    public void forget(Xid xid) throws XAException {
        call(control(), Operation.FORGET, TMNOFLAGS, 0, id(xid));
    }

    /** All branches of the connection's user that are in doubt or were ended by an operator, at TMSTARTRSCAN. */
    @Override
    public Xid[] recover(int flag) throws XAException {
        if ((flag & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw fault(XAException.XAER_INVAL, "recover takes TMSTARTRSCAN and TMENDRSCAN, not " + flag, null);
        }
        if ((flag & TMSTARTRSCAN) == 0) {
            // the start of the scan returned all
            return NONE;
        }
        List<Xid> all = new ArrayList<>();
        long next = 0;
        do {
            Done page = call(control(), Operation.RECOVER, TMNOFLAGS, next, null);
            page.branches().forEach(b -> all.add(b.xid()));
            next = page.next();
        } while (next != 0);
        return all.toArray(NONE);
    }

    /** True for resources of sessions of one connection: they can join one branch. */
    @Override
    public boolean isSameRM(XAResource other) {
        return other instanceof SessionResource r && r.session.connection().equals(session.connection());
    }

    @Override
    public int getTransactionTimeout() {
        return seconds;
    }

    /** Of branches that start from now on; 0 for the server's default. */
    @Override
    public boolean setTransactionTimeout(int timeout) throws XAException {
        if (timeout < 0) {
            throw fault(XAException.XAER_INVAL, "a time-out is not negative: " + timeout, null);
        }
        seconds = timeout;
        return true;
    }

    private LinkStream control() throws XAException {
        try {
            return session.control();
        } catch (JMSException e) {
            throw unreachable(e);
        }
    }

    private static BranchId id(Xid xid) throws XAException {
        BranchId id = BranchId.of(xid);
        if (id == null) {
            throw fault(XAException.XAER_INVAL, "not a valid transaction identifier: " + xid, null);
        }
        return id;
    }

    private static Done call(LinkStream stream, Operation what, int flags, long number, @Nullable BranchId id)
            throws XAException {
        BranchCall call = new BranchCall();
        try {
            stream.call(
                    call, FrameType.BRANCH, (out, request) -> new Request(request, what, flags, number, id).write(out));
        } catch (JMSException e) {
            throw unreachable(e);
        }
        Done done = call.answer();
        if (done == null) {
            throw fault(XAException.XAER_RMFAIL, "the server's answer is of another kind", null);
        }
        if (done.code() != XA_OK && done.code() != XA_RDONLY) {
            throw fault(done.code(), done.text(), null);
        }
        return done;
    }

    /** The broker cannot be asked now: the outcome is unknown, and the transaction manager asks again. */
    private static XAException unreachable(JMSException why) {
        return fault(XAException.XAER_RMFAIL, String.valueOf(why.getMessage()), why);
    }

    private static XAException fault(int code, String text, @Nullable Throwable cause) {
        XAException e = new XAException(text);
        e.errorCode = code;
        if (cause != null) {
            e.initCause(cause);
        }
        return e;
    }
}
