package io.weir.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.cluster.stats.ClusterMessages;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is no member speaks to the members' logs: the library's client, and its messages between members, one by one. */
@Tag("slow")
@Timeout(300)
final class LogStrangersTest {
    private static final LogAccess SECRET = new LogAccess(Members.NO_TLS, "the members' secret");

    @TempDir
    Path folder = Path.of("");

    @Test
    void whoHasNoSecretGetsNothingDoneAndIsCounted() throws Exception {
        try (Members members = Members.three(folder, Members.TIMES, SECRET)) {
            members.submit(members.leader(), "ours");
            nothingIsHeard(members, null, "plain");
        }
    }

    @Test
    void withoutASecretEveryProgramOfTheMachineIsHeard() throws Exception {
        try (Members members = Members.three(folder)) {
            String leader = members.leader();
            Outsider outsider = new Outsider(members, null, leader);
            outsider.list();
            outsider.append("a stranger's");
            Members.await(() -> members.ledger(leader).entries().contains("a stranger's"));
            outsider.remove();
            assertThat(members.log(leader).voters())
                    .as("shows that the client is a real one")
                    .hasSize(2);
            outsider.vote();
        }
    }

    @Test
    void whatAStrangerShowsInPlaceOfTheSecretIsOfNoAvail() throws Exception {
        try (Members members = Members.three(folder, Members.TIMES, SECRET)) {
            members.submit(members.leader(), "ours");
            LogAccess other = new LogAccess(Members.NO_TLS, "another secret");
            Map<String, GrpcTlsConfig> papers = new LinkedHashMap<>();
            papers.put("no-proof", Papers.nothing());
            papers.put("wrong-secret", Papers.proof(other, members.cluster));
            papers.put("handshake", Papers.stolen(SECRET, members.cluster));
            for (Map.Entry<String, GrpcTlsConfig> paper : papers.entrySet()) {
                oneIsRefused(members, paper.getValue(), paper.getKey());
            }
            oneIsRefused(members, Papers.homemade(), "no-proof");
            oneIsRefused(members, Papers.proof(SECRET, UUID.randomUUID()), "wrong-secret");
            nothingIsHeard(members, Papers.proof(other, members.cluster), "wrong-secret");
            new Outsider(members, Papers.proof(SECRET, members.cluster), members.leader()).append("with the secret");
        }
    }

    @Test
    void withCertificatesAndASecretBothAreNeeded() throws Exception {
        LogAccess both = new LogAccess(Certificates.in(folder, "ours"), "the members' secret");
        try (Members members = Members.three(folder.resolve("data"), Members.TIMES, both)) {
            members.submit(members.follower(), "ours");
            oneIsRefused(members, Papers.proof(SECRET, members.cluster), "certificate");
            LogAccess theirs = new LogAccess(Certificates.in(folder, "theirs"), "the members' secret");
            oneIsRefused(members, Papers.proof(theirs, members.cluster), "certificate");
            LogAccess unsecret = new LogAccess(both.tls(), "another secret");
            oneIsRefused(members, Papers.proof(unsecret, members.cluster), "wrong-secret");
            oneIsRefused(members, Papers.certificate(both.tls()), "no-proof");
            oneIsRefused(members, Papers.borrowed(both, members.cluster), "certificate");
            oneIsRefused(members, null, "plain");
            new Outsider(members, Papers.proof(both, members.cluster), members.leader()).append("with both");
        }
    }

    @Test
    void aRecordingOfAMembersConnectionIsWorthNothing() throws Exception {
        try (Members members = Members.three(folder, Members.TIMES, SECRET)) {
            String leader = members.leader();
            try (Tape tape = new Tape(members.peer(leader).port())) {
                new Outsider(members, Papers.proof(SECRET, members.cluster), leader, tape.port()).append("once");
                Members.await(() -> members.ledger(leader).entries().contains("once"));
                long before = members.refused(leader, "caller");
                assertThat(tape.said()).hasSizeGreaterThan(500);
                assertThat(new String(tape.said(), StandardCharsets.ISO_8859_1))
                        .as("nothing is readable")
                        .doesNotContain("once")
                        .doesNotContain("the members' secret");
                try (Socket again = new Socket(
                        InetAddress.getLoopbackAddress(), members.peer(leader).port())) {
                    again.getOutputStream().write(tape.said());
                    Members.await(() -> members.refused(leader, "caller") > before);
                }
            }
            assertThat(members.refused(leader, "caller", "handshake")).isPositive();
            assertThat(members.ledger(leader).entries()).containsExactly("once");
        }
    }

    @Test
    void aPeerOfAnotherSecretDoesNotComeInAndBothSidesSayWhy() throws Exception {
        try (Members members = Members.three(folder, Members.TIMES, SECRET)) {
            members.submit(members.leader(), "ours");
            for (String secret : new String[] {"another secret", null}) {
                RatisPeer stranger = members.peer("delta", false);
                members.access = new LogAccess(Members.NO_TLS, secret);
                members.open(stranger, List.of());
                String leader = members.leader();
                RatisLog log = members.log(leader);
                List<RatisPeer> now = new ArrayList<>(log.voters());
                now.add(stranger);
                assertThat(catchThrowable(() -> Members.get(log.change(log.voters(), now))))
                        .isNotNull();
                assertThat(members.ledger("delta").entries()).isEmpty();
                assertThat(log.voters()).hasSize(3);
                if (secret != null) {
                    assertThat(members.refused(leader, "called", "wrong-secret"))
                            .isPositive();
                    assertThat(said(members, leader, ClusterMessages.LOG_PEER_REFUSED))
                            .contains(stranger.address(), "another cluster.secret");
                    Members.await(() -> members.refused("delta", "caller") > 0);
                    assertThat(said(members, "delta", ClusterMessages.LOG_CALLER_REFUSED))
                            .contains("127.0.0.1");
                }
                members.stop("delta");
                members.peers.remove("delta");
            }
        }
    }

    private static String said(Members members, String name, ClusterMessages message) {
        return Objects.requireNonNull(members.said.get(name)).entries().stream()
                .filter(e -> e.message().equals(message))
                .map(e -> String.valueOf(e.arguments()))
                .collect(Collectors.joining("\n"));
    }

    private static void oneIsRefused(Members members, @Nullable GrpcTlsConfig shown, String reason) {
        String leader = members.leader();
        long before = members.refused(leader, "caller");
        long ofReason = members.refused(leader, "caller", reason);
        Throwable thrown = catchThrowable(() -> new Outsider(members, shown, leader).append("a stranger's"));
        assertThat(thrown).as(reason).isNotNull();
        Members.await(() -> members.refused(leader, "caller") > before);
        assertThat(members.refused(leader, "caller", reason))
                .as(reason + " in %s", members.refusals(leader))
                .isGreaterThan(ofReason);
        assertThat(members.ledger(leader).entries()).doesNotContain("a stranger's");
    }

    /** Tries all at the leader; each is refused at the port and counted, and the cluster is as before. */
    private static void nothingIsHeard(Members members, @Nullable GrpcTlsConfig tls, String reason) throws Exception {
        String leader = members.leader();
        long term = members.log(leader).status().term();
        List<RatisPeer> voters = members.log(leader).voters();
        for (Map.Entry<String, Outsider.Attempt> attempt :
                new Outsider(members, tls, leader).attempts().entrySet()) {
            long before = members.refused(leader, "caller", reason);
            Throwable thrown = catchThrowable(attempt.getValue()::run);
            assertThat(thrown).as(attempt.getKey()).isNotNull();
            assertThat(Outsider.atThePort(thrown))
                    .as(attempt.getKey() + ": %s", thrown)
                    .isTrue();
            Members.await(() -> members.refused(leader, "caller", reason) > before);
        }
        assertThat(members.leader()).isEqualTo(leader);
        assertThat(members.log(leader).status().term()).isEqualTo(term);
        assertThat(members.log(leader).voters()).isEqualTo(voters);
        members.submit(leader, "still ours");
        for (String name : members.names()) {
            Members.get(members.log(name).barrier());
            assertThat(members.ledger(name).entries()).containsExactly("ours", "still ours");
            assertThat(members.ledger(name).snapshots).hasValue(0);
        }
        assertThat(Objects.requireNonNull(members.said.get(leader)).count(ClusterMessages.LOG_CALLER_REFUSED))
                .isPositive();
    }
}
