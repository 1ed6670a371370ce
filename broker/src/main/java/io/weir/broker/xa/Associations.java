package io.weir.broker.xa;

import io.weir.jms.frames.BranchId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that work in a branch, or have suspended their work in it, and whether the branch can only be rolled back.
 * They are sessions of one connection, the one that began the branch. Confined to the branch's loop.
 */
final class Associations {
    private final BranchId id;
    /** Null for a branch of an earlier run. */
    private final @Nullable Object connection;

    private final Set<BranchMember> working = new HashSet<>();
    private final Set<BranchMember> suspended = new HashSet<>();
    /** Why it can only be rolled back: a code of XAException; 0 if it can be committed. */
    private int doomed;

    private String reason = "";

    Associations(BranchId id, @Nullable Object connection) {
        this.id = id;
        this.connection = connection;
    }

    private BranchFault protocol(String what) {
        return BranchFault.protocol("transaction " + id + " " + what);
    }

    private void checkOwn(Object of) throws BranchFault {
        if (!of.equals(connection)) {
            throw protocol("belongs to another connection, and sessions of that alone work in it");
        }
    }

    /** The first session. */
    void begin(BranchMember session) {
        working.add(session);
    }

    /** Adds a session, or resumes one. */
    void join(BranchMember session, Object of, int flags) throws BranchFault {
        checkOwn(of);
        checkNotDoomed();
        if (flags == XAResource.TMRESUME && !suspended.remove(session)) {
            throw protocol("was not suspended by this session");
        }
        working.add(session);
    }

    /** Ends a session's work, or suspends it. */
    void end(BranchMember session, Object of, int flags) throws BranchFault {
        checkOwn(of);
        boolean was = working.remove(session);
        boolean slept = flags != XAResource.TMSUSPEND && suspended.remove(session);
        if (was && flags == XAResource.TMSUSPEND) {
            suspended.add(session);
        }
        if (flags != XAResource.TMFAIL && !was && !slept) {
            throw protocol("is not associated with this session");
        }
        ended(flags);
    }

    /** Ends the work of a session that has been closed, which left the branch then. */
    void endClosed(Object of, int flags) throws BranchFault {
        checkOwn(of);
        ended(flags);
    }

    private void ended(int flags) throws BranchFault {
        if (flags == XAResource.TMFAIL) {
            doom(XAException.XA_RBROLLBACK, "the work in it failed: its transaction manager said so");
        } else {
            checkNotDoomed();
        }
    }

    /** A session is closed: what it did in the branch stays. */
    void leave(BranchMember session) {
        working.remove(session);
        suspended.remove(session);
    }

    /** Whether no session works in it or will again: it can be ended. */
    boolean areOver() {
        return working.isEmpty() && suspended.isEmpty();
    }

    List<BranchMember> working() {
        return List.copyOf(working);
    }

    /** From now on it can only be rolled back; the first reason counts. */
    void doom(int code, String why) {
        if (doomed == 0) {
            doomed = code;
            reason = why;
        }
    }

    /** Whether its time-out has rolled it back. */
    boolean timedOut() {
        return doomed == XAException.XA_RBTIMEOUT;
    }

    void checkNotDoomed() throws BranchFault {
        if (doomed != 0) {
            throw new BranchFault(doomed, "transaction " + id + " can only be rolled back: " + reason);
        }
    }
}
