package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.weir.base.Chance;
import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LocalLog;
import io.weir.cluster.state.Proposer;
import io.weir.cluster.state.StateHolder;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.leases.LeaseCommand;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.server.catalogue.ServerMessages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the basis of leasing changes, every fence is higher than those before. */
class LeasingMarkTest {
    @TempDir
    Path folder = Path.of(".");

    private final RecordingLog log = new RecordingLog();

    /** A member's log and state in a folder of its own, with the mark of the data directory. */
    private final class Member implements AutoCloseable {
        final ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1), new Stats(), log);
        final StateHolder holder = new StateHolder(loop);
        final LocalLog local;
        final Proposer proposer;
        final LeasingMark mark;
        private long request;

        Member(String basis) throws Exception {
            Path own = Files.createDirectories(folder.resolve("log-of-" + basis));
            local = LocalLog.open(own, "a", holder, loop, Chance.seeded(1), new Stats(), log);
            proposer = new Proposer(local, loop, "member:a");
            mark = LeasingMark.open(folder, basis, loop, () -> proposer, Runnable::run, log);
            holder.listen(mark);
            CompletableFuture<Boolean> told = new CompletableFuture<>();
            loop.execute(() -> {
                mark.restored(holder.now());
                told.complete(true);
            });
            told.get(3, TimeUnit.MINUTES);
        }

        Answer propose(Command c) throws Exception {
            return proposer.propose(c).get(3, TimeUnit.MINUTES);
        }

        /** A service gets a fence. */
        Fence serve() throws Exception {
            long incarnation = SystemClock.INSTANCE.nanos();
            propose(new MemberCommand.Join("a", incarnation, "disk", "", false));
            mark.cleared().get(3, TimeUnit.MINUTES);
            propose(new LeaseCommand.Acquire("member/a", "a", incarnation, ++request));
            propose(new MemberCommand.BootDelayOver(holder.now().boot().version()));
            propose(new SingletonCommand.Define(SingletonSpec.of("s", "X")));
            Answer answer = propose(new LeaseCommand.Acquire("singleton/s", "a", incarnation, ++request));
            assertThat(answer).isInstanceOf(Answer.Granted.class);
            return ((Answer.Granted) answer).fence();
        }

        @Override
        public void close() {
            local.close();
            loop.close();
        }
    }

    private Fence served(String basis) throws Exception {
        try (Member m = new Member(basis)) {
            return m.serve();
        }
    }

    @Test
    void eachChangeOfTheBasisRaisesTheEpochAndNothingElseDoes() throws Exception {
        Fence one = served("alone");
        Fence two = served("alone");
        assertThat(two).isGreaterThan(one);
        assertThat(two.epoch()).isEqualTo(1);
        Fence three = served("consensus");
        assertThat(three.epoch()).as("although its log began anew").isEqualTo(2);
        Fence four = served("consensus");
        assertThat(four.epoch()).isEqualTo(2);
        Fence five = served("alone");
        assertThat(five.epoch()).as("although its own state knows of 1").isEqualTo(3);
        assertThat(log.count(ServerMessages.EPOCH_RAISED)).isEqualTo(2);
        try (Member m = new Member("database")) {
            assertThat(m.mark.least()).isEqualTo(4);
        }
    }

    @Test
    void aRunningClustersEpochStaysAndWhoWasAloneIsHeldBackUntilItsServicesStop() throws Exception {
        served("consensus");
        Files.writeString(folder.resolve("leasing"), "alone 1\n");
        try (Member m = new Member("consensus")) {
            assertThat(m.propose(new MemberCommand.RaiseEpoch(2)))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class, r -> assertThat(r.reason()).isEqualTo(Refusal.BUSY));
            assertThat(m.mark.cleared()).isNotDone();
            assertThat(folder.resolve("leasing"))
                    .as("what the cluster's members hold does not replace the mark")
                    .hasContent("alone 1");
            assertThat(m.holder.now().epoch()).isEqualTo(1);
            await(() -> log.count(ServerMessages.HELD_BACK) == 1);
            Fence first = m.serve();
            assertThat(first.epoch()).as("its start ended what was held").isEqualTo(2);
        }
        assertThat(folder.resolve("leasing")).hasContent("consensus 2");
    }

    private static void await(BooleanSupplier what) {
        long end = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (!what.getAsBoolean()) {
            assertThat(SystemClock.INSTANCE.nanos()).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void whereNoServiceEverHadAFenceNothingIsRaised() throws Exception {
        try (Member m = new Member("alone")) {
            m.propose(new MemberCommand.Join("a", 1, "disk", "", false));
            m.propose(new LeaseCommand.Acquire("member/a", "a", 1, 1));
        }
        assertThat(folder.resolve("leasing")).doesNotExist();
        try (Member m = new Member("consensus")) {
            assertThat(m.mark.least()).isEqualTo(1);
        }
    }

    private LeasingMark open() throws Exception {
        try (ClusterLoop loop = new ClusterLoop(SystemClock.INSTANCE, Chance.seeded(1))) {
            return LeasingMark.open(
                    folder,
                    "alone",
                    loop,
                    () -> {
                        throw new AssertionError("proposes nothing");
                    },
                    Runnable::run,
                    log);
        }
    }

    @Test
    void aDamagedMarkStopsTheStartWithTheRemedy() throws Exception {
        for (String bad : new String[] {"", "alone", "alone x", "a b c"}) {
            Files.writeString(folder.resolve("leasing"), bad);
            assertThatIOException()
                    .isThrownBy(this::open)
                    .withMessageContaining("damaged")
                    .withMessageContaining("alone 1");
        }
    }
}
