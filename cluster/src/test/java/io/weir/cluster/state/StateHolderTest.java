package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.base.Stats;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.HandLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Event;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.entry.Transition;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.stats.ClusterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A member's copy of the state, and commands on their way into the log. */
class StateHolderTest {
    private final HandLoop loop = new HandLoop(1_000);
    private final Stats stats = new Stats();
    private final StateHolder holder = new StateHolder(loop, stats);
    private final List<String> told = new ArrayList<>();
    private long index;

    StateHolderTest() {
        holder.listen(new StateListener() {
            @Override
            public void applied(ClusterState after, List<Event> events) {
                told.add("applied " + after.applied() + " with " + events.size());
            }

            @Override
            public void restored(ClusterState now) {
                told.add("restored " + now.applied());
            }

            @Override
            public void leadership(boolean leading, long term) {
                told.add((leading ? "leads " : "follows ") + term);
            }
        });
    }

    private byte[] apply(Command c) {
        return holder.apply(++index, CommandCodec.encode(new Proposal(c, "by", 1)));
    }

    @Test
    void listenersAreToldInOrderOnTheLoop() {
        apply(new MemberCommand.Join("a", 1, "d", "", false));
        holder.leadership(true, 3);
        apply(new LeaseCommand.Acquire("member/a", "a", 1, 1));
        assertThat(told).isEmpty();
        assertThat(holder.now().alive("a")).as("read at once").isTrue();
        loop.run();
        assertThat(told).containsExactly("applied 1 with 2", "leads 3", "applied 2 with 2");
    }

    @Test
    void aSnapshotReplacesTheStateAndListenersAreTold() {
        apply(new MemberCommand.Join("a", 1, "d", "", false));
        byte[] snapshot = holder.snapshot();
        StateHolder other = new StateHolder(loop);
        other.restore(snapshot);
        assertThat(other.now()).isEqualTo(holder.now());
        holder.restore(snapshot);
        loop.run();
        assertThat(told).containsExactly("applied 1 with 2", "restored 1");
    }

    @Test
    void whenTheLoopLagsEventsAreGivenUpAtTheBoundAndTheStateIsToldWhole() {
        for (int i = 0; i < StateHolder.PENDING + 5; i++) {
            apply(new MemberCommand.Remove("nobody"));
        }
        holder.leadership(false, 4);
        loop.run();
        assertThat(told).containsExactly("restored " + (StateHolder.PENDING + 5), "follows 4");
        assertThat(stats.value(ClusterStats.EVENTS_GIVEN_UP)).isEqualTo(5);
        apply(new MemberCommand.Remove("nobody"));
        loop.run();
        assertThat(told.getLast()).isEqualTo("applied " + (StateHolder.PENDING + 6) + " with 0");
    }

    @Test
    void anEntryGivenAgainChangesNothing() {
        apply(new MemberCommand.Join("a", 1, "d", "", false));
        ClusterState before = holder.now();
        byte[] answer = holder.apply(
                1, CommandCodec.encode(new Proposal(new MemberCommand.Join("b", 1, "d", "", false), "by", 1)));
        assertThat(holder.now()).isEqualTo(before);
        assertThat(AnswerCodec.decode(answer).accepted()).isTrue();
    }

    @Test
    void damagedOrForeignSnapshotsAreRefusedWithAReason() {
        apply(new MemberCommand.Join("a", 1, "d", "", false));
        byte[] snapshot = holder.snapshot();
        byte[] flipped = snapshot.clone();
        flipped[flipped.length / 2] ^= 1;
        assertThatIllegalArgumentException().isThrownBy(() -> holder.restore(flipped));
        byte[] newer = snapshot.clone();
        newer[7] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder.restore(newer))
                .withMessageContaining("version 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder.restore(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))
                .withMessageContaining("not a snapshot");
        assertThat(holder.now().member("a")).as("what was there is kept").isNotNull();
    }

    /** A log that applies at once. */
    private final class Direct implements ConsensusLog {
        boolean failing;

        @Override
        public CompletableFuture<byte[]> submit(byte[] command) {
            return failing
                    ? CompletableFuture.failedFuture(new LogFault(LogFault.Kind.UNKNOWN, "slow"))
                    : CompletableFuture.completedFuture(holder.apply(++index, command));
        }

        @Override
        public CompletableFuture<Void> barrier() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public LogStatus status() {
            return new LogStatus(LogStatus.Role.LEADER, "a", 1, index, index, List.of());
        }

        @Override
        public CompletableFuture<Void> yieldLeadership() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            failing = true;
        }
    }

    @Test
    void answersCompleteOnTheLoopAfterTheListenersSawTheEntry() {
        Proposer proposer = new Proposer(new Direct(), loop, "member:a");
        CompletableFuture<Answer> answer = proposer.propose(new MemberCommand.Join("a", 1, "d", "", false), "operator");
        var _ = answer.thenAccept(_ -> told.add("answered"));
        CompletableFuture<Void> barrier = proposer.barrier();
        assertThat(answer).isNotDone();
        loop.run();
        assertThat(told).containsExactly("applied 1 with 2", "answered");
        assertThat(barrier).isDone();
        Transition line = holder.now().history().getLast();
        assertThat(line.by()).isEqualTo("operator");
        assertThat(line.atMillis()).isEqualTo(1_000);
    }

    @Test
    void faultsOfTheLogArriveUnwrappedAndBrokenBoundsAreRefusedBeforeIt() {
        Direct log = new Direct();
        Proposer proposer = new Proposer(log, loop, "member:a", stats);
        CompletableFuture<Answer> bad = proposer.propose(new MemberCommand.Remove(""));
        log.failing = true;
        CompletableFuture<Answer> slow = proposer.propose(new MemberCommand.Remove("a"));
        loop.run();
        assertThat(bad.join())
                .isInstanceOfSatisfying(
                        Answer.Refused.class, r -> assertThat(r.reason()).isEqualTo(Refusal.MALFORMED));
        assertThat(index).isZero();
        assertThat(stats.value(ClusterStats.REFUSED, "MALFORMED")).isEqualTo(1);
        assertThat(slow.handle((_, e) -> e instanceof CompletionException c ? c.getCause() : e)
                        .join())
                .isInstanceOfSatisfying(
                        LogFault.class, f -> assertThat(f.kind()).isEqualTo(LogFault.Kind.UNKNOWN));
    }

    @Test
    void theHistoryForgetsItsOldestLines() {
        for (int i = 0; i < StateLimits.HISTORY + 10; i++) {
            apply(new MemberCommand.RaiseEpoch(i + 2));
        }
        List<Transition> history = holder.now().history();
        assertThat(history).hasSize(StateLimits.HISTORY);
        assertThat(history.getFirst().index()).isEqualTo(11);
        assertThat(history.getLast().index()).isEqualTo(StateLimits.HISTORY + 10);
    }
}
