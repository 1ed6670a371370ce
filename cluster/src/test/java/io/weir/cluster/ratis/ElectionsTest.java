package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.cluster.config.ConsensusLogConfig;
import io.weir.cluster.config.LeaseConfig;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.client.impl.ClientProtoUtils;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library's own time-outs are the widest; a member stands earlier while its machine has time. */
@Tag("slow")
class ElectionsTest {
    /** The library alone would elect later; it has to, after a round of votes that nobody won. */
    private static final RatisTimes WIDE = times(Duration.ofSeconds(30));

    /** The library alone would elect after minutes, or an hour. */
    private static final RatisTimes ALONE = times(Duration.ofHours(1));

    private static RatisTimes times(Duration longest) {
        return new RatisTimes(Duration.ofMillis(300), longest, Duration.ofSeconds(60), 200, 1_000_000, 1 << 20, true);
    }

    @TempDir
    Path folder;

    private static long stood(Members members, String name) {
        return stat(members, name).value(ClusterStats.CANDIDACIES, "stood");
    }

    private static Stats stat(Members members, String name) {
        return Objects.requireNonNull(members.stats.get(name));
    }

    @Test
    void aDeadLeaderIsReplacedLongBeforeTheLibraryWould() throws Exception {
        try (Members members = Members.three(folder, WIDE, Members.OPEN)) {
            String first = members.leader();
            String other = members.follower();
            List<CompletableFuture<byte[]>> all = new ArrayList<>();
            List<String> commands = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                if (i == 20) {
                    Members.get(all.getLast());
                    members.stop(first);
                }
                commands.add("c" + i);
                all.add(members.log(other).submit(("c" + i).getBytes(StandardCharsets.UTF_8)));
            }
            for (CompletableFuture<byte[]> f : all) {
                Members.get(f);
            }
            assertThat(members.leader()).isNotEqualTo(first);
            assertThat(members.names().stream()
                            .mapToLong(n -> stood(members, n))
                            .sum())
                    .as("a member stood by itself")
                    .isPositive();
            for (String name : members.names()) {
                Members.await(() -> members.ledger(name).entries().size() == 40);
                assertThat(members.ledger(name).entries()).as(name).containsExactlyInAnyOrderElementsOf(commands);
            }
        }
    }

    @Test
    void aLookThatFailsDoesNotEndEarlyCandidacies() throws Exception {
        Set<Thread> failed = ConcurrentHashMap.newKeySet();
        Clock failing = new Clock() {
            @Override
            public long nanos() {
                Thread current = Thread.currentThread();
                if (current.getName().equals("weir.cluster.candidacy") && failed.add(current)) {
                    throw new IllegalStateException("the first look fails");
                }
                return SystemClock.INSTANCE.nanos();
            }

            @Override
            public long millis() {
                return SystemClock.INSTANCE.millis();
            }
        };
        try (Members members = new Members(folder, WIDE, Members.OPEN)) {
            members.clock = failing;
            members.openThree();
            Members.await(() -> failed.size() == 3);
            // the pause after it is over at once
            Members.await(() -> looksAgain(members, failed));
            String first = members.leader();
            members.stop(first);
            Members.await(() -> looksAgain(members, failed));
            assertThat(members.leader()).isNotEqualTo(first);
            assertThat(members.names().stream()
                            .mapToLong(n -> stood(members, n))
                            .sum())
                    .as("a member stood by itself")
                    .isPositive();
            for (String name : members.names()) {
                assertThat(Objects.requireNonNull(members.said.get(name)).count(ClusterMessages.UNCAUGHT))
                        .as(name)
                        .isEqualTo(1);
            }
        }
    }

    private static boolean looksAgain(Members members, Set<Thread> threads) {
        threads.forEach(LockSupport::unpark);
        return members.logs.values().stream().anyMatch(RatisLog::leads);
    }

    @Test
    void nobodyIsDisturbedByOneThatAsks() throws Exception {
        // heard long ago is heard, however busy the machine of this test is
        RatisTimes patient = new RatisTimes(
                Duration.ofSeconds(2), Duration.ofHours(1), Duration.ofSeconds(60), 200, 1_000_000, 1 << 20, true);
        try (Members members = Members.three(folder, patient, Members.OPEN)) {
            String leader = members.leader();
            members.submit(leader, "a");
            long term = members.log(leader).status().term();
            Voter voter = members.log(members.follower()).voter();
            for (int i = 0; i < 5; i++) {
                assertThat(Members.get(voter.preVote()))
                        .as("they hear a leader")
                        .isFalse();
            }
            members.submit(leader, "b");
            assertThat(members.log(leader).status().term()).isEqualTo(term);
            assertThat(members.log(leader).leads()).isTrue();
        }
    }

    /** Who grants a question waits anew: one that cannot come to anything would hold up whom the library would let stand. */
    @Test
    void afterARoundOfVotesThatNobodyWonNobodyAsks() throws Exception {
        try (Members members = led()) {
            String leader = members.leader();
            members.submit(leader, "a");
            for (String name : members.names()) {
                Members.await(() -> members.ledger(name).entries().size() == 1);
            }
            long term = members.log(leader).status().term();
            RaftPeerId loser = members.log(members.follower()).server().getId();
            for (String name : members.names()) {
                RaftServer server = members.log(name).server();
                if (!server.getId().equals(loser)) {
                    server.requestVote(lost(loser, server.getId(), RaftGroupId.valueOf(members.cluster), term + 1));
                }
            }
            for (String name : members.names()) {
                RatisLog log = members.log(name);
                if (!log.server().getId().equals(loser)) {
                    assertThat(log.status().role()).as(name).isEqualTo(LogStatus.Role.FOLLOWER);
                    assertThat(log.status().term()).as(name).isEqualTo(term + 1);
                    assertThat(Members.get(log.voter().preVote())).as(name).isFalse();
                    assertThat(log.voter().stand()).as(name).isFalse();
                }
            }
        }
    }

    /** Three of which one leads: nobody may win their first round of votes either, and the next is an hour away. */
    private Members led() throws IOException {
        for (int i = 0; ; i++) {
            Members members = Members.three(folder.resolve("try" + i), ALONE, Members.OPEN);
            if (members.leads(Duration.ofSeconds(10))) {
                return members;
            }
            members.close();
            assertThat(i).as("tries").isLessThan(20);
        }
    }

    /** The vote that is asked for by one whose log has nothing. */
    private static RequestVoteRequestProto lost(RaftPeerId by, RaftPeerId of, RaftGroupId group, long term) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(
                        ClientProtoUtils.toRaftRpcRequestProtoBuilder(RaftGroupMemberId.valueOf(by, group), of))
                .setCandidateTerm(term)
                .setPreVote(false)
                .build();
    }

    @Test
    void aProcessThatRunsLateWaitsLongerAndItsLogGoesOn() throws Exception {
        AtomicLong ahead = new AtomicLong();
        Clock jumping = new Clock() {
            @Override
            public long nanos() {
                return SystemClock.INSTANCE.nanos() + ahead.get();
            }

            @Override
            public long millis() {
                return SystemClock.INSTANCE.millis();
            }
        };
        RatisTimes times = new RatisTimes(
                Duration.ofMillis(300), Duration.ofSeconds(20), Duration.ofSeconds(60), 200, 1_000_000, 1 << 20, true);
        try (Members members = new Members(folder, times, Members.OPEN)) {
            members.clock = jumping;
            members.openThree();
            String leader = members.leader();
            members.submit(leader, "before");
            // all of them are held up for two seconds, as their clocks have it
            ahead.addAndGet(TimeUnit.SECONDS.toNanos(2));
            for (String name : members.names()) {
                Members.await(() -> stat(members, name).value(ClusterStats.ELECTION_TIME_OUT) >= 300 + 4 * 1500);
            }
            for (String name : members.names()) {
                members.submit(name, "during " + name);
            }
            for (String name : members.names()) {
                Members.await(() -> members.ledger(name).entries().size() == 4);
            }
        }
    }

    @Test
    void theLongestIsAThirdOfALeaseUnlessConfigured() {
        assertThat(RatisTimes.of(log("500ms", "0s"), lease("9s")).longest()).isEqualTo(Duration.ofSeconds(3));
        assertThat(RatisTimes.of(log("500ms", "0s"), lease("60s")).longest()).isEqualTo(Duration.ofSeconds(4));
        assertThat(RatisTimes.of(log("500ms", "0s"), lease("2s")).longest()).isEqualTo(Duration.ofSeconds(1));
        assertThat(RatisTimes.of(log("500ms", "0s"), lease("2s")).follows()).isFalse();
        assertThat(RatisTimes.of(log("500ms", "7s"), lease("9s")).longest()).isEqualTo(Duration.ofSeconds(7));
        assertThat(RatisTimes.of(log("500ms", "1ms"), lease("9s")).follows()).isFalse();
    }

    private static Duration of(String text) {
        return Duration.parse("PT"
                + (text.endsWith("ms") ? Integer.parseInt(text.substring(0, text.length() - 2)) / 1000.0 + "S" : text));
    }

    private static ConsensusLogConfig log(String election, String longest) {
        return new ConsensusLogConfig(of(election), of(longest), Duration.ofSeconds(5), 1000, 10_000, true);
    }

    private static LeaseConfig lease(String life) {
        return new LeaseConfig(of(life), Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }
}
