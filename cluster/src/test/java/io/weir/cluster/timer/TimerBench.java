package io.weir.cluster.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.log.ConsensusLog;
import io.weir.cluster.log.HandLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.state.CommandCodec;
import io.weir.cluster.state.Proposal;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.AnswerCodec;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.timers.Misfire;
import io.weir.cluster.state.timers.TimerCommand;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.state.timers.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Two members with an engine each, one log that does as the test says, time by hand. */
final class TimerBench {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** What becomes of the next proposals. */
    enum Fate {
        COMMITTED,
        COMMITTED_UNANSWERED,
        LOST
    }

    /** A listener that was called, and how it returns. */
    record Called(String member, Firing firing, Consumer<String> done, boolean committed) {}

    final HandLoop loop = new HandLoop(START.toEpochMilli());
    final StateHolder holder = new StateHolder(loop);
    final Stats stats = new Stats();
    final RecordingLog log = new RecordingLog();
    final List<Called> called = new ArrayList<>();
    final TimerEngine a = engine("a");
    final TimerEngine b = engine("b");
    Fate fate = Fate.COMMITTED;
    boolean admits = true;
    int proposals;
    final AtomicInteger interrupts = new AtomicInteger();
    private long index;

    TimerBench() {
        holder.listen(a);
        holder.listen(b);
        for (String m : List.of("a", "b")) {
            apply(new MemberCommand.Join(m, 1, "disk" + m, "", false));
            apply(new LeaseCommand.Acquire(Leases.ofMember(m), m, 1, 1));
        }
        apply(new MemberCommand.BootDelayOver(0));
        apply(new SingletonCommand.Define(TimerService.spec()));
    }

    private TimerEngine engine(String member) {
        Proposer proposer = new Proposer(new Fickle(), loop, "member:" + member);
        TimerRunner runner = new TimerRunner() {
            @Override
            public void run(TimerSpec timer, Firing firing, Consumer<String> done) {
                called.add(new Called(member, firing, done, committed(firing)));
            }

            @Override
            public void interrupt() {
                interrupts.incrementAndGet();
            }
        };
        return new TimerEngine(new TimerParts(loop, holder::now, () -> proposer, _ -> admits, runner, stats, log));
    }

    private boolean committed(Firing f) {
        TimerState t = timer(f.id());
        return f.requested()
                ? t.requestedFence().equals(f.fence())
                : t.lastFence().equals(f.fence());
    }

    Answer apply(Command c) {
        byte[] answer = holder.apply(++index, CommandCodec.encode(new Proposal(c, "test", 0)));
        return AnswerCodec.decode(answer);
    }

    void ok(Command c) {
        Answer answer = apply(c);
        assertThat(answer.accepted()).as(c + " -> " + answer).isTrue();
        loop.run();
    }

    Proposer proposer() {
        return new Proposer(new Fickle(), loop, "member:a");
    }

    /** Runs the loop until something is there. */
    void runUntil(CompletableFuture<?> there) {
        long end = io.weir.base.SystemClock.INSTANCE.nanos()
                + Duration.ofSeconds(10).toNanos();
        while (!there.isDone() && io.weir.base.SystemClock.INSTANCE.nanos() - end < 0) {
            loop.run();
            java.util.concurrent.locks.LockSupport.parkNanos(100_000);
        }
    }

    /** The member on which the timers' singleton is placed takes it, and its engine begins. */
    Fence begin(TimerEngine engine) {
        Fence fence = take();
        engine.begin(fence);
        loop.run();
        return fence;
    }

    /** The member on which the timers' singleton is placed takes it. */
    Fence take() {
        String member =
                Objects.requireNonNull(Objects.requireNonNull(holder.now().singleton(Leases.TIMERS_SERVICE))
                        .member());
        Answer answer = apply(new LeaseCommand.Acquire(Leases.TIMERS, member, 1, index));
        loop.run();
        return ((Answer.Granted) answer).fence();
    }

    /** The holder's lease ends without its doing. */
    void expire() {
        var l = Objects.requireNonNull(holder.now().lease(Leases.TIMERS));
        ok(new LeaseCommand.Expire(Leases.TIMERS, l.fence(), l.renewal()));
    }

    void define(String id, String schedule, Misfire misfire) {
        ok(new TimerCommand.DefineTimer(
                new TimerSpec(id, schedule, "UTC", misfire, "target"),
                loop.clock().millis()));
    }

    TimerState timer(String id) {
        return Objects.requireNonNull(holder.now().timer(id));
    }

    void pass(String time) {
        loop.pass(Duration.parse(time));
    }

    /** The listener called last returns. */
    void returns(String failure) {
        called.getLast().done().accept(failure);
        loop.run();
    }

    /** All listeners that were called return well, for so long. */
    void passReturning(String time) {
        long seconds = Duration.parse(time).toSeconds();
        for (long i = 0; i < seconds; i++) {
            pass("PT1S");
            for (int n = -1; n != called.size(); ) {
                n = called.size();
                List.copyOf(called).forEach(c -> c.done().accept(""));
                loop.run();
            }
        }
    }

    /** Seconds since the start for which listeners were called. */
    List<Long> seconds() {
        return called.stream()
                .map(c -> Duration.between(START, c.firing().scheduled()).toSeconds())
                .toList();
    }

    private final class Fickle implements ConsensusLog {
        @Override
        public CompletableFuture<byte[]> submit(byte[] command) {
            proposals++;
            if (fate == Fate.LOST) {
                return CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "no leader"));
            }
            byte[] answer = holder.apply(++index, command);
            return fate == Fate.COMMITTED
                    ? CompletableFuture.completedFuture(answer)
                    : CompletableFuture.failedFuture(new LogFault(LogFault.Kind.UNKNOWN, "time-out"));
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
            fate = Fate.LOST;
        }
    }
}
