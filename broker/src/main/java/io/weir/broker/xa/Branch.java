package io.weir.broker.xa;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.Returning;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.StoredOutcome;
import io.weir.broker.transaction.Commit;
import io.weir.broker.transaction.PendingSend;
import io.weir.broker.transaction.PreparedWork;
import io.weir.broker.transaction.Work;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * One branch of a distributed transaction (X/Open CAE C193, "XA"; javax.transaction.xa): from its start, through the
 * sessions that work in it, to its end. Until it is prepared it belongs to its connection and is rolled back with it, or
 * by its time-out. From then on only its transaction manager ends it, or an operator. Confined to its loop, its
 * connection's; what figures need is volatile. Lives until it is ended and, if an operator did that, forgotten.
 */
public final class Branch {
    /** Where it stands. */
    public enum State {
        /** Sessions work in it, or did and may again. */
        ACTIVE,
        /** It is being prepared, committed or rolled back: other requests wait. */
        BUSY,
        /** In doubt: it can be committed, and can be rolled back. */
        PREPARED,
        /** An operator has committed it; its transaction manager does not know. */
        COMMITTED,
        /** An operator has rolled it back; its transaction manager does not know. */
        ROLLED_BACK,
        /** It is no more. */
        GONE
    }

    /** Most requests that wait for one in progress: a manager and its recoveries are few. */
    private static final int MOST_WAITING = 100;

    private final Branches branches;
    private final BranchId id;
    private final String user;
    private final BrokerLoop home;
    /** Its place in the list of branches. */
    private final long number;

    private final Work work = new Work();
    private final Associations sessions;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private volatile State state = State.ACTIVE;
    private volatile long since;
    private volatile int sent;
    private volatile int received;
    private @Nullable PreparedWork prepared;
    private long redeliveryDelay;
    private BrokerLoop.@Nullable Timer timer;
    /** The store's entry of an operator's decision, or 0. */
    private long outcome;

    Branch(Branches branches, BranchId id, String user, BrokerLoop home, long number, @Nullable Object connection) {
        this.branches = branches;
        this.id = id;
        this.user = user;
        this.home = home;
        this.number = number;
        this.sessions = new Associations(id, connection);
        this.since = branches.clock().millis();
    }

    public BranchId id() {
        return id;
    }

    /** Who began it. */
    public String user() {
        return user;
    }

    /** The loop that it is confined to. */
    public BrokerLoop home() {
        return home;
    }

    long number() {
        return number;
    }

    /** From any thread. */
    public State state() {
        return state;
    }

    /** When it came into its state, in milliseconds since 1970. From any thread. */
    public long since() {
        return since;
    }

    /** Messages that it sends, once it is prepared. From any thread. */
    public int sent() {
        return sent;
    }

    /** Messages that it consumed, once it is prepared. From any thread. */
    public int received() {
        return received;
    }

    /** Whether recovery lists it: it is in doubt, or its transaction manager has not heard of its end. */
    boolean isListed() {
        State s = state;
        return s == State.PREPARED || s == State.COMMITTED || s == State.ROLLED_BACK;
    }

    /** What the sessions add to. */
    public Work work() {
        return work;
    }

    private void go(State next) {
        state = next;
        since = branches.clock().millis();
    }

    // ---- sessions

    /** Begins it: its first session. */
    void begin(BranchMember session, long seconds, long delay) {
        sessions.begin(session);
        redeliveryDelay = delay;
        timer = home.after(TimeUnit.SECONDS.toNanos(seconds), () -> timedOut(seconds));
    }

    /**
     * Associates another session, or one that was suspended.
     *
     * @param of the session's connection
     */
    public void join(BranchMember session, Object of, int flags, long delay) throws BranchFault {
        if (state != State.ACTIVE) {
            throw protocol("is prepared or ended: no session can join it");
        }
        sessions.join(session, of, flags);
        redeliveryDelay = Math.max(redeliveryDelay, delay);
    }

    /**
     * Ends or suspends a session's work.
     *
     * @param of the session's connection
     */
    public void end(BranchMember session, Object of, int flags) throws BranchFault {
        sessions.end(session, of, flags);
    }

    /** Ends the work of a session that has been closed, which left the branch then. */
    public void endClosed(Object of, int flags) throws BranchFault {
        sessions.endClosed(of, flags);
    }

    /** Its session is closed: what it did in the branch stays. */
    public void leave(BranchMember session) {
        sessions.leave(session);
    }

    private BranchFault protocol(String what) {
        return BranchFault.protocol("transaction " + id + " " + what);
    }

    /** Its connection is lost or closed: it is rolled back, unless it is prepared. */
    public void lost() {
        if (state == State.ACTIVE) {
            abort("connection", "its connection was closed");
            remove();
        }
    }

    private void timedOut(long seconds) {
        if (state == State.ACTIVE) {
            // it stays, without its work, until its transaction manager asks
            abort("timeout", "it took longer than its time-out of " + seconds + " s");
            sessions.doom(XAException.XA_RBTIMEOUT, "it took longer than its time-out of " + seconds + " s");
        }
    }

    /** Discards all of its work; sessions that are in it cannot add to it any more. */
    private void abort(String cause, String why) {
        if (!sessions.timedOut() && !work.isEmpty()) {
            branches.meters().rolledBack(cause);
        }
        work.close(new RequestRefusal(
                RefusalCode.TRANSACTION_ROLLED_BACK, "transaction " + id + " was rolled back: " + why));
        work.discardSends();
        Returning.takeBack(work.takeConsumed(), _ -> ApplicationSaw.YES, redeliveryDelay);
        sessions.working().forEach(BranchMember::aborted);
    }

    private void remove() {
        go(State.GONE);
        if (timer != null) {
            timer.cancel();
        }
        branches.remove(this);
    }

    // ---- the end

    /** Runs a request now, or after the one that is in progress. */
    private void whenIdle(BranchAnswer answer, Runnable request) {
        if (state == State.BUSY && waiting.size() >= MOST_WAITING) {
            answer.done(
                    XAException.XAER_RMFAIL,
                    "transaction " + id + " is being ended, and " + MOST_WAITING
                            + " requests wait for that: ask later");
        } else if (state == State.BUSY) {
            waiting.add(() -> whenIdle(answer, request));
        } else if (state == State.GONE) {
            answer.done(XAException.XAER_NOTA, "transaction " + id + " does not exist: it was ended before");
        } else {
            request.run();
        }
    }

    private void idle() {
        while (state != State.BUSY && !waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    /** Prepares it: XA_OK, XA_RDONLY if it did nothing, or XA_RB*, and then it is rolled back. */
    public void prepare(BranchAnswer answer) {
        whenIdle(answer, () -> {
            if (!mayEnd(answer)) {
                return;
            }
            if (work.isEmpty()) {
                remove();
                answer.done(XAResource.XA_RDONLY, "");
                return;
            }
            PreparedWork p =
                    new PreparedWork(branches.commits(), home, work.takeSends(), work.takeConsumed(), redeliveryDelay);
            go(State.BUSY);
            p.prepare(id, user, since, refusal -> prepared(p, refusal, answer));
        });
    }

    private void prepared(PreparedWork p, @Nullable RequestRefusal refusal, BranchAnswer answer) {
        if (refusal == null) {
            hold(p, branches.clock().millis(), p.sent(), p.received());
            answer.done(XAResource.XA_OK, "");
        } else {
            branches.meters().rolledBack(refusal.code() == RefusalCode.STORE ? "store" : "refused");
            remove();
            answer.done(rolledBack(refusal), "rolled back: " + refusal.text());
        }
        idle();
    }

    /** It is prepared, now or by an earlier run. */
    void hold(PreparedWork p, long when, int sends, int consumed) {
        prepared = p;
        sent = sends;
        received = consumed;
        if (timer != null) {
            timer.cancel();
        }
        state = State.PREPARED;
        since = when;
    }

    /** An operator ended it in an earlier run. */
    void ended(StoredOutcome how, long entry) {
        outcome = entry;
        sent = how.sent();
        received = how.received();
        state = how.committed() ? State.COMMITTED : State.ROLLED_BACK;
        since = how.time();
    }

    /** Releases its memory when the broker stops. */
    void abandon() {
        PreparedWork p = prepared;
        if (p != null) {
            prepared = null;
            p.abandon();
        }
    }

    private static int rolledBack(RequestRefusal refusal) {
        return refusal.code() == RefusalCode.RESOURCE_ALLOCATION
                ? XAException.XA_RBTRANSIENT
                : XAException.XA_RBROLLBACK;
    }

    /** Whether an active branch can be prepared or committed now; if not, answers. */
    private boolean mayEnd(BranchAnswer answer) {
        if (state != State.ACTIVE) {
            wrongState(answer);
            return false;
        }
        if (!sessions.areOver()) {
            BranchFault f = protocol("is associated with a session: end comes first");
            answer.done(f.code(), f.text());
            return false;
        }
        try {
            sessions.checkNotDoomed();
            work.check();
            return true;
        } catch (BranchFault f) {
            abort("client", f.text());
            remove();
            answer.done(f.code(), f.text());
        } catch (RequestRefusal r) {
            abort("refused", r.text());
            remove();
            answer.done(XAException.XA_RBROLLBACK, r.text());
        }
        return false;
    }

    private void wrongState(BranchAnswer answer) {
        switch (state) {
            case COMMITTED ->
                answer.done(XAException.XA_HEURCOM, "transaction " + id + " was committed by an operator: forget it");
            case ROLLED_BACK ->
                answer.done(XAException.XA_HEURRB, "transaction " + id + " was rolled back by an operator: forget it");
            default -> {
                BranchFault f = protocol(state == State.PREPARED ? "is prepared" : "is not prepared");
                answer.done(f.code(), f.text());
            }
        }
    }

    /** Commits: in one phase what is active, in the second of two what is prepared. */
    public void commit(boolean onePhase, BranchAnswer answer) {
        whenIdle(answer, () -> {
            if (onePhase) {
                if (mayEnd(answer)) {
                    commitAtOnce(answer);
                }
            } else if (state == State.PREPARED) {
                finish(true, null, answer);
            } else {
                wrongState(answer);
            }
        });
    }

    private void commitAtOnce(BranchAnswer answer) {
        List<PendingSend> sends = work.takeSends();
        List<QueueEntry> consumed = work.takeConsumed();
        sends.forEach(PendingSend::uncounted);
        go(State.BUSY);
        new Commit(branches.commits(), home, sends, consumed, e -> e.queue.acknowledged(e)).run(refusal -> {
            remove();
            if (refusal == null) {
                branches.meters().committed.inc();
                answer.done(XAResource.XA_OK, "");
            } else {
                branches.meters().rolledBack(refusal.code() == RefusalCode.STORE ? "store" : "refused");
                Returning.takeBack(consumed, _ -> ApplicationSaw.YES, redeliveryDelay);
                answer.done(rolledBack(refusal), "rolled back: " + refusal.text());
            }
            idle();
        });
    }

    /** Rolls back what is active or prepared. */
    public void rollback(BranchAnswer answer) {
        whenIdle(answer, () -> {
            if (state == State.ACTIVE) {
                abort("client", "its transaction manager rolled it back");
                remove();
                answer.done(XAResource.XA_OK, "");
            } else if (state == State.PREPARED) {
                finish(false, null, answer);
            } else {
                wrongState(answer);
            }
        });
    }

    private void finish(boolean commit, @Nullable StoredOutcome noted, BranchAnswer answer) {
        PreparedWork p = prepared;
        if (p == null) {
            throw new IllegalStateException("transaction " + id + " is prepared, without its work");
        }
        go(State.BUSY);
        PreparedWork.Ended ended = (entry, refusal) -> {
            if (refusal != null) {
                // the promise stands: whoever decided asks again
                go(State.PREPARED);
                answer.done(commit && noted == null ? XAException.XA_RETRY : XAException.XAER_RMFAIL, refusal.text());
            } else {
                prepared = null;
                counted(commit, noted != null);
                if (noted == null) {
                    remove();
                } else {
                    ended(noted, entry);
                }
                answer.done(XAResource.XA_OK, "");
            }
            idle();
        };
        if (commit) {
            p.commit(noted, ended);
        } else {
            p.rollback(noted, ended);
        }
    }

    private void counted(boolean commit, boolean byOperator) {
        if (commit) {
            branches.meters().committed.inc();
        } else {
            branches.meters().rolledBack(byOperator ? "operator" : "client");
        }
        if (byOperator) {
            branches.meters().decided(commit);
        }
    }

    /** An operator decides on a branch in doubt: its transaction manager hears of it when it asks. */
    public void decide(boolean commit, BranchAnswer answer) {
        whenIdle(answer, () -> {
            if (state == State.PREPARED) {
                StoredOutcome noted =
                        new StoredOutcome(id, user, branches.clock().millis(), commit, sent, received);
                branches.log().log(
                        commit ? BrokerMessages.BRANCH_COMMITTED : BrokerMessages.BRANCH_ROLLED_BACK,
                        id,
                        user,
                        sent,
                        received);
                finish(commit, noted, answer);
            } else {
                wrongState(answer);
            }
        });
    }

    /** Forgets how an operator ended it. */
    public void forget(BranchAnswer answer) {
        whenIdle(answer, () -> {
            if (state != State.COMMITTED && state != State.ROLLED_BACK) {
                BranchFault f = protocol("was not ended by an operator: there is nothing to forget");
                answer.done(f.code(), f.text());
                return;
            }
            if (outcome == 0) {
                remove();
                answer.done(XAResource.XA_OK, "");
                return;
            }
            State before = state;
            go(State.BUSY);
            var store = branches.commits().store();
            store.store().forget(outcome, store.home(home), fault -> {
                if (fault == null) {
                    remove();
                    answer.done(XAResource.XA_OK, "");
                } else {
                    go(before);
                    answer.done(
                            XAException.XAER_RMFAIL,
                            store.refusal("that it is forgotten", fault).text());
                }
                idle();
            });
        });
    }
}
