package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.BranchFrames.Operation;
import io.weir.jms.frames.BranchId;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Branches of distributed transactions on a disk that fails and a journal that is full, and what a death leaves of them. */
class XaFaultsTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private static final BranchId ID = new BranchId(1, "01", "");

    private StoredBench stored = new StoredBench("queues.r.jndi-name=", "journal.queue-groups=64");

    @AfterEach
    void close() {
        stored.close();
    }

    private Probe member() {
        Probe p = stored.bench.client(0, "user");
        p.session(1, ClientFrames.OpenSession.BRANCHES, -1);
        return p;
    }

    private static void fine(Probe p, int request) {
        assertThat(p.branchCode(request)).isEqualTo(XAResource.XA_OK);
    }

    /** A client with a branch that consumed "a" from one queue and sent "b" to another, and is ended. */
    private Probe worked() {
        Probe first = stored.client(0);
        stored.send(first, Q, "a");
        first.lose();
        Probe p = member();
        fine(p, p.branch(1, Operation.START, XAResource.TMNOFLAGS, ID));
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("a");
        p.ack(1, 1, 1);
        p.expectOk(p.sendTransacted(1, R, new Probe.Draft("b").persistent()));
        p.expectOk(p.closeConsumer(1, 5, 1));
        fine(p, p.branch(1, Operation.END, XAResource.TMSUCCESS, ID));
        return p;
    }

    private Probe prepared() {
        Probe p = worked();
        int prepare = p.branch(0, Operation.PREPARE, 0, ID);
        assertThat(p.branchCode(prepare)).as("before it is durable").isNull();
        stored.write();
        fine(p, prepare);
        return p;
    }

    private void nothingIsThere() {
        assertThat(stored.drain(Q)).isEmpty();
        assertThat(stored.drain(R)).isEmpty();
    }

    @Test
    void aCommitThatTheDiskRefusesIsAskedForAgainAndThePromiseHolds() {
        Probe p = prepared();
        stored.disk.failing = true;
        int commit = p.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        assertThat(p.branchCode(commit)).isEqualTo(XAException.XA_RETRY);
        int rollback = p.branch(0, Operation.ROLLBACK, 0, ID);
        stored.write();
        assertThat(p.branchCode(rollback)).isEqualTo(XAException.XAER_RMFAIL);
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        nothingIsThere();
        int again = p.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        fine(p, again);
        assertThat(stored.drain(R)).containsExactly("b");
        assertThat(stored.drain(Q)).isEmpty();
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
        assertThat(stored.drain(R)).containsExactly("b!");
    }

    @Test
    void afterADeathBetweenTheRefusalAndTheNextAttemptItIsPreparedStill() {
        Probe p = prepared();
        stored.disk.failing = true;
        int commit = p.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        assertThat(p.branchCode(commit)).isEqualTo(XAException.XA_RETRY);
        stored.disk.failing = false;
        stored.restart();
        nothingIsThere();
        Probe next = member();
        int again = next.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        fine(next, again);
        assertThat(stored.drain(R)).containsExactly("b");
    }

    @Test
    void aPrepareThatTheDiskRefusesIsARollback() {
        Probe p = worked();
        stored.disk.failing = true;
        int prepare = p.branch(0, Operation.PREPARE, 0, ID);
        stored.write();
        assertThat(p.branchCode(prepare)).isEqualTo(XAException.XA_RBROLLBACK);
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(3));
        assertThat(stored.drain(Q)).containsExactly("a!");
        assertThat(stored.drain(R)).isEmpty();
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("a!");
        assertThat(stored.drain(R)).isEmpty();
    }

    @Test
    void aPrepareWhoseAnswerWasNotGivenLeavesNothingOrEverything() {
        Probe p = worked();
        p.branch(0, Operation.PREPARE, 0, ID);
        stored.restart();
        assertThat(stored.bench.engine.branches().listed()).isEmpty();
        assertThat(stored.drain(Q)).containsExactly("a!");
        assertThat(stored.drain(R)).isEmpty();
    }

    @Test
    void aFullJournalTakesACommitThatItHasPromised() {
        Probe p = prepared();
        stored.fillJournal(64);
        int commit = p.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        Integer code = p.branchCode(commit);
        if (code != null && code == XAException.XA_RETRY) {
            int again = p.branch(0, Operation.COMMIT, 0, ID);
            stored.write();
            code = p.branchCode(again);
        }
        assertThat(code).isEqualTo(XAResource.XA_OK);
        assertThat(stored.drain(R)).containsExactly("b");
    }

    /** 32 bytes for each consumed message: more than a group may have here. */
    @Test
    void aCommitThatIsLargerThanTheLimitOfGroupsKeepsThePromise() {
        int many = 1500;
        Probe first = stored.client(0);
        for (int i = 0; i < many; i++) {
            stored.send(first, Q, new Probe.Draft("m"));
        }
        first.lose();
        Probe p = member();
        fine(p, p.branch(1, Operation.START, XAResource.TMNOFLAGS, ID));
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).hasSize(many);
        p.ack(1, 1, many);
        fine(p, p.branch(1, Operation.END, XAResource.TMSUCCESS, ID));
        int prepare = p.branch(0, Operation.PREPARE, 0, ID);
        stored.write();
        fine(p, prepare);
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
        Probe next = member();
        int commit = next.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        fine(next, commit);
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
    }

    /** What operators read as pending: at consumers, delayed, or of a transaction. */
    private long pending(String destination) {
        var d = stored.bench.destination(destination);
        return d.counts.messages.current() + d.counts.uncommittedMessages.get();
    }

    @Test
    void eachMessageOfABranchCountsOnceAlsoAfterARestart() {
        Probe p = worked();
        assertThat(pending("queue/q")).isOne();
        assertThat(pending("queue/r")).isOne();
        int prepare = p.branch(0, Operation.PREPARE, 0, ID);
        stored.write();
        fine(p, prepare);
        assertThat(pending("queue/q")).isOne();
        assertThat(pending("queue/r")).isOne();
        stored.restart();
        assertThat(pending("queue/q")).isOne();
        assertThat(pending("queue/r")).isOne();
        assertThat(stored.bench.admin().transactions())
                .extracting(t -> t.sent() + " " + t.received())
                .containsExactly("1 1");
        Probe next = member();
        int commit = next.branch(0, Operation.COMMIT, 0, ID);
        stored.write();
        fine(next, commit);
        assertThat(pending("queue/q")).isZero();
        assertThat(pending("queue/r")).isOne();
        assertThat(stored.bench
                        .destination("queue/r")
                        .counts
                        .uncommittedMessages
                        .get())
                .isZero();
    }

    @Test
    void requestsThatComeDuringACommitWaitForItsEnd() {
        Probe p = prepared();
        Probe other = member();
        int commit = p.branch(0, Operation.COMMIT, 0, ID);
        int second = other.branch(0, Operation.COMMIT, 0, ID);
        int third = other.branch(0, Operation.ROLLBACK, 0, ID);
        assertThat(other.branchCode(second)).isNull();
        stored.write();
        fine(p, commit);
        assertThat(other.branchCode(second)).isEqualTo(XAException.XAER_NOTA);
        assertThat(other.branchCode(third)).isEqualTo(XAException.XAER_NOTA);
        assertThat(stored.drain(R)).containsExactly("b");
    }

    @Test
    void noMoreThanAHundredRequestsWaitForTheEnd() {
        Probe p = prepared();
        int commit = p.branch(0, Operation.COMMIT, 0, ID);
        List<Integer> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(p.branch(0, Operation.COMMIT, 0, ID));
        }
        assertThat(p.branchCode(p.branch(0, Operation.COMMIT, 0, ID))).isEqualTo(XAException.XAER_RMFAIL);
        stored.write();
        fine(p, commit);
        assertThat(waiting).allSatisfy(w -> assertThat(p.branchCode(w)).isEqualTo(XAException.XAER_NOTA));
    }

    @Test
    void manyStartsKeepABranchInDoubtAndItsMessagesOnce() {
        prepared().lose();
        for (int i = 0; i < 4; i++) {
            stored.restart();
            nothingIsThere();
            stored.stopAndStart();
            nothingIsThere();
        }
        Probe p = member();
        int rollback = p.branch(0, Operation.ROLLBACK, 0, ID);
        stored.write();
        fine(p, rollback);
        assertThat(stored.drain(Q)).containsExactly("a!");
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("a!");
        assertThat(stored.drain(R)).isEmpty();
    }
}
