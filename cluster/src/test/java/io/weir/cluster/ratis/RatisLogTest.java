package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.cluster.log.LogFault;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members' logs in one process: what commands, restarts, lost disks and certificates do to them. */
@Tag("slow")
@Timeout(300)
final class RatisLogTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void commandsOfEveryMemberAreAppliedOnAllInOneOrder() throws Exception {
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            Members.await(() -> members.ledger(leader).leading.get());
            for (String name : List.of("alpha", "beta", "gamma")) {
                assertThat(members.submit(name, "from " + name))
                        .isEqualTo(String.valueOf(members.ledger(name).entries().size()));
                assertThat(members.ledger(name).entries()).as("applied here").contains("from " + name);
            }
            List<CompletableFuture<byte[]>> many = IntStream.range(0, 50)
                    .mapToObj(i -> members.log(members.names().get(i % 3))
                            .submit(("many " + i).getBytes(StandardCharsets.UTF_8)))
                    .toList();
            for (CompletableFuture<byte[]> one : many) {
                Members.get(one);
            }
            for (String name : members.names()) {
                Members.get(members.log(name).barrier());
                assertThat(members.ledger(name).entries())
                        .hasSize(53)
                        .isEqualTo(members.ledger(leader).entries());
                assertThat(members.log(name).status().leader()).isEqualTo(leader);
                assertThat(Members.names(members.log(name).status())).containsExactly("alpha", "beta", "gamma");
            }
        }
    }

    @Test
    void theNextLeadsWhenTheLeaderClosesAndNothingIsLostOrDoubled() throws Exception {
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            String other = members.follower();
            List<CompletableFuture<byte[]>> under = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                under.add(members.log(other).submit(("before " + i).getBytes(StandardCharsets.UTF_8)));
            }
            members.stop(leader);
            for (CompletableFuture<byte[]> one : under) {
                Members.get(one);
            }
            members.submit(other, "after");
            assertThat(members.ledger(other).entries()).hasSize(21).doesNotHaveDuplicates();
            assertThat(members.leader()).isNotEqualTo(leader);
            Members.await(() -> members.ledger(members.leader()).leading.get());
        }
    }

    /**
     * Alone it stands down; with one that lacks its last entry nobody else can lead. What would make it wait makes it wait ten
     * seconds, however quick the machine is; so one try of three that is shorter shows that nothing does.
     */
    @Test
    void whoLostItsMajorityLeadsAgainSoonWhenItIsBack() throws Exception {
        try (Members members = Members.three(folder)) {
            Duration shortest = Duration.ofDays(1);
            for (int i = 0; i < 3 && shortest.toSeconds() >= 9; i++) {
                String leader = members.leader();
                List<String> others =
                        members.names().stream().filter(n -> !n.equals(leader)).toList();
                members.stop(others.getFirst());
                members.submit(leader, "with two " + i);
                members.stop(others.getLast());
                Members.await(() -> !members.log(leader).leads());
                long stoodDown = SystemClock.INSTANCE.nanos();
                members.open(members.peer(others.getFirst()), List.of());
                members.awaitThat(() -> members.log(leader).leads());
                Duration took = Duration.ofNanos(SystemClock.INSTANCE.nanos() - stoodDown);
                shortest = took.compareTo(shortest) < 0 ? took : shortest;
                members.open(members.peer(others.getLast()), List.of());
                Members.get(members.log(others.getLast()).barrier());
            }
            assertThat(shortest).isLessThan(Duration.ofSeconds(9));
        }
    }

    /**
     * gRPC waits longer after each attempt to connect that fails, up to two minutes: its two connections to a voter, of
     * which one is for heartbeats, make 22 attempts in the three minutes of this test's patience. Meanwhile nobody could
     * be elected, if who comes back lacks an entry.
     */
    @Test
    void whoHasNoLeaderConnectsToTheOthersAtTheSamePaceHoweverLongTheyAreAway() throws Exception {
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            List<String> others =
                    members.names().stream().filter(n -> !n.equals(leader)).toList();
            members.stop(others.getFirst());
            members.submit(leader, "with two");
            members.stop(others.getLast());
            members.awaitThat(() -> !members.log(leader).leads());
            RatisPeer away = members.peer(others.getFirst());
            try (HangUp there = new HangUp(away.port())) {
                members.awaitThat(() -> there.calls() >= 30);
            }
            members.open(away, List.of());
            members.awaitThat(() -> members.log(leader).leads());
            assertThat(members.submit(leader, "again with two")).isEqualTo("2");
        }
    }

    /**
     * Nor does it answer from what was confirmed before: others may have elected another leader and gone on. It takes seconds
     * until this one steps down, in which Ratis's own reads are answered.
     */
    @Test
    void aLeaderWithoutItsMajorityConfirmsNoBarrier() throws Exception {
        RatisTimes slow = new RatisTimes(
                Duration.ofSeconds(4), Duration.ZERO, Duration.ofSeconds(2), 200, 1_000_000, 1 << 20, true);
        try (Members members = Members.three(folder, slow, Members.OPEN)) {
            String leader = members.leader();
            members.submit(leader, "one");
            Members.get(members.log(leader).barrier());
            assertThat(members.ledger(leader).entries())
                    .as("a barrier is no command")
                    .containsExactly("one");
            members.stopAllBut(leader);
            assertThatThrownBy(() -> Members.get(members.log(leader).barrier()))
                    .hasCauseInstanceOf(LogFault.class)
                    .hasMessageContaining("no answer within");
        }
    }

    @Test
    void aMemberThatComesBackWithItsDiskCatchesUp() throws Exception {
        try (Members members = Members.three(folder)) {
            String away = members.follower();
            members.submit(away, "one");
            members.stop(away);
            members.submit(members.leader(), "two");
            members.open(members.peer(away), List.of());
            members.submit(away, "three");
            assertThat(members.ledger(away).entries()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void leadershipIsHandedOverOnRequest() throws Exception {
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            Members.await(() -> members.log(leader).voters().stream()
                    .filter(v -> !v.name().equals(leader))
                    .allMatch(v -> members.log(leader).silence(v) >= 0));
            Members.get(members.log(leader).yieldLeadership());
            Members.await(() -> !members.ledger(leader).leading.get());
            assertThat(members.leader()).isNotEqualTo(leader);
        }
    }

    @Test
    void theAnswerSaysWhatIsKnownOfACommandThatFailed() throws Exception {
        RatisTimes quick = new RatisTimes(
                Duration.ofMillis(300), Duration.ZERO, Duration.ofMillis(500), 3, 1_000_000, 1 << 20, true);
        try (Members members = Members.three(folder, quick, Members.OPEN)) {
            String leader = members.leader();
            RatisLog log = members.log(leader);
            CountDownLatch gate = new CountDownLatch(1);
            members.ledger(leader).gate = gate;
            List<CompletableFuture<byte[]>> three =
                    IntStream.range(0, 3).mapToObj(_ -> log.submit(new byte[1])).toList();
            assertThat(fault(log.submit(new byte[1])).kind())
                    .as("one more than may wait")
                    .isEqualTo(LogFault.Kind.NOT_COMMITTED);
            assertThat(fault(three.getFirst()).kind())
                    .as("committed, and not applied in time")
                    .isEqualTo(LogFault.Kind.UNKNOWN);
            gate.countDown();
            Members.await(() -> members.ledger(leader).entries().size() == 3);
            members.stopAllBut(leader);
            Members.await(
                    () -> !members.ledger(leader).leading.get() && log.status().leader() == null);
            assertThat(fault(log.submit(new byte[1])).kind())
                    .as("it was given to nobody")
                    .isEqualTo(LogFault.Kind.NOT_COMMITTED);
            assertThatThrownBy(() -> Members.get(log.barrier())).hasCauseInstanceOf(LogFault.class);
            log.close();
            assertThat(fault(log.submit(new byte[1])).kind()).isEqualTo(LogFault.Kind.CLOSED);
        }
    }

    private static LogFault fault(CompletableFuture<byte[]> submitted) throws Exception {
        try {
            Members.get(submitted);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LogFault fault) {
                return fault;
            }
            throw e;
        }
        throw new AssertionError("it was committed");
    }

    @Test
    void anEmptyDiskUnderTheSameNameAnswersForNobodyUntilItIsANewVoterAndGetsTheSnapshot() throws Exception {
        RatisTimes early =
                new RatisTimes(Duration.ofMillis(300), Duration.ZERO, Duration.ofSeconds(10), 200, 20, 4096, true);
        try (Members members = Members.three(folder, early, Members.OPEN)) {
            String wiped = members.follower();
            RatisPeer before = members.peer(wiped);
            members.stop(wiped);
            String padding = "x".repeat(200);
            for (int i = 0; i < 60; i++) {
                members.submit(members.leader(), i + padding);
            }
            RatisPeer after = new RatisPeer(wiped, UUID.randomUUID(), before.host(), before.port(), false);
            members.open(after, List.of());
            for (int i = 0; i < 5; i++) {
                members.submit(members.leader(), "for the former voter " + i);
            }
            assertThat(members.ledger(wiped).entries())
                    .as("asked in the former voter's name, where that one listened")
                    .isEmpty();
            RatisLog leader = members.log(members.leader());
            List<RatisPeer> now = new ArrayList<>(leader.voters());
            now.remove(before);
            now.add(after);
            Members.get(leader.change(leader.voters(), now));
            members.submit(wiped, "last");
            assertThat(members.ledger(wiped).entries()).hasSize(66).endsWith("last");
            assertThat(members.ledger(wiped).restored).as("snapshots installed").hasPositiveValue();
            assertThat(members.log(wiped).voters()).contains(after).doesNotContain(before);
        }
    }

    @Test
    void whoIsTakenOutHearsOfIt() throws Exception {
        try (Members members = Members.three(folder)) {
            String out = members.follower();
            RatisLog leader = members.log(members.leader());
            List<RatisPeer> now = new ArrayList<>(leader.voters());
            now.remove(members.peer(out));
            Members.get(leader.change(leader.voters(), now));
            Members.await(() -> !members.ended.isEmpty());
            assertThat(members.ended).first().asString().startsWith(out + ": ");
            assertThatThrownBy(() -> Members.get(leader.change(List.of(), now)))
                    .as("compared with what they are")
                    .isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void membersShowEachOtherCertificatesAndOthersAreNotHeard() throws Exception {
        try (Members members = Members.three(
                folder.resolve("ours"), Members.TIMES, new LogAccess(Certificates.in(folder, "ours"), null))) {
            members.submit(members.follower(), "safe");
            RatisPeer stranger = members.peer("delta", false);
            members.access = new LogAccess(Certificates.in(folder, "theirs"), null);
            members.open(stranger, List.of());
            RatisLog leader = members.log(members.leader());
            List<RatisPeer> now = new ArrayList<>(leader.voters());
            now.add(stranger);
            assertThatThrownBy(() -> Members.get(leader.change(leader.voters(), now)))
                    .isInstanceOf(ExecutionException.class);
            assertThat(members.ledger("delta").entries()).isEmpty();
        }
    }
}
