package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.members.MembersView.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How members find each other over their weir listeners, come and go. */
@Tag("slow")
@Timeout(300)
final class MembershipTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aClusterFormsOnlyWhenAllWereHeardAndThenOnce() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = List.of(town.house("alpha"), town.house("beta"), town.house("gamma"));
            List<String> addresses = Town.addresses(three);
            three.get(0).start(addresses);
            three.get(1).start(addresses);
            Town.await(() -> three.getFirst().member().view().heard().size() == 2);
            assertThat(three.getFirst().member().view().phase()).isEqualTo(Phase.SEEKING);
            assertThatThrownBy(() -> three.getFirst().submit("early"))
                    .hasCauseInstanceOf(LogFault.class)
                    .hasMessageContaining("has not joined a cluster yet");
            three.get(2).start(addresses);
            for (Town.House h : three) {
                Town.formed(h);
                h.submit("from " + h.name);
            }
            assertThat(three.stream().map(h -> h.member().view().cluster()).distinct())
                    .hasSize(1)
                    .doesNotContainNull();
            assertThat(three.getFirst().member().addressOf("gamma"))
                    .isEqualTo(three.get(2).address());
            assertThat(Town.voters(three.getFirst())).containsExactly("alpha", "beta", "gamma");
        }
    }

    @Test
    void whoFormedItMayBeGoneBeforeAllHeardOfIt() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = town.three();
            UUID cluster = three.get(1).member().view().cluster();
            three.getFirst().vanishes();
            three.get(1).stop();
            three.get(2).stop();
            three.get(1).forgetsItsEntries();
            three.get(2).forgetsItsCluster();
            three.get(1).start(Town.addresses(three), "log.election-time-out=150ms");
            three.get(2).start(Town.addresses(three), "log.election-time-out=150ms");
            Town.formed(three.get(2));
            Town.leader(three.subList(1, 3));
            three.get(2).submit("without alpha");
            assertThat(three.get(2).member().view().cluster()).isEqualTo(cluster);
            assertThat(Town.voters(three.get(2))).containsExactly("alpha", "beta", "gamma");
        }
    }

    @Test
    void whoFindsItsLogsPortTakenComesInWhenThatIsFree() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = town.three();
            Town.House away = three.getFirst();
            away.stop();
            String at = Identity.of(away.disk()).address();
            int port = Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                away.start(Town.addresses(three));
                Town.awaitWaiting(away, "its log cannot be opened");
                assertThat(away.member().view().phase()).isEqualTo(Phase.JOINING);
            }
            Town.formed(away);
            away.submit("back");
        }
    }

    @Test
    void evenTheFounderIsTheSameWithItsDiskAndANewVoterWithoutIt() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = town.three();
            List<String> addresses = Town.addresses(three);
            Town.House away = three.getFirst();
            UUID cluster = away.member().view().cluster();
            UUID storage = away.member().view().storage();
            away.stop();
            three.get(1).submit("one");
            away.start(addresses);
            Town.formed(away);
            away.submit("two");
            assertThat(away.member().view().storage()).isEqualTo(storage);

            away.stop();
            away.wipe();
            away.start(addresses);
            Town.formed(away);
            away.submit("three");
            assertThat(away.notes().entries()).containsExactly("one", "two", "three");
            assertThat(away.member().view().storage()).isNotEqualTo(storage);
            assertThat(away.member().view().cluster()).isEqualTo(cluster);
            assertThat(Town.voters(away)).containsExactly("alpha", "beta", "gamma");
        }
    }

    @Test
    void membersAreAddedReplacedAndRemovedByAPersonsWord() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = town.three();
            List<String> addresses = Town.addresses(three);
            Town.House delta = town.house("delta");
            delta.start(addresses);
            Town.awaitWaiting(delta, "./weir cluster add");
            Town.House other = Town.follower(three);
            assertThat(Town.get(other.member().add(delta.address()))).isEqualTo("delta was added");
            Town.formed(delta);
            delta.submit("one");
            assertThat(Town.voters(delta)).containsExactly("alpha", "beta", "delta", "gamma");

            other.stop();
            assertThat(Town.get(delta.member().remove(other.name))).isEqualTo(other.name + " was removed");
            other.start(addresses);
            Town.await(() -> other.member().view().phase() == Phase.ENDED);
            assertThat(Town.voters(delta)).doesNotContain(other.name).hasSize(3);

            assertThatThrownBy(() -> Town.get(delta.member().remove("delta")))
                    .hasMessageContaining("too few to tolerate a failure")
                    .hasCauseInstanceOf(MembershipFault.class);
            assertThatThrownBy(() -> Town.get(delta.member().remove("nobody")))
                    .hasMessageContaining("no member is called nobody")
                    .satisfies(MembershipTest::isRefused);
            for (String nowhere : new String[] {"foo", "127.0.0.1:99999", "127.0.0.1:port"}) {
                assertThatThrownBy(() -> Town.get(delta.member().add(nowhere)))
                        .hasMessageContaining(nowhere)
                        .satisfies(MembershipTest::isRefused);
            }

            Town.House epsilon = town.house("epsilon");
            epsilon.start(addresses);
            assertThat(Town.get(delta.member().replace("delta", epsilon.address())))
                    .isEqualTo("epsilon was replaced, in the place of delta");
            Town.formed(epsilon);
            epsilon.submit("two");
            assertThat(epsilon.notes().entries()).containsExactly("one", "two");
        }
    }

    @Test
    void aRemovalWhoseAnswerWasLostIsReportedAsDone() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> four = new ArrayList<>(town.three());
            Town.House delta = town.house("delta");
            delta.start(Town.addresses(four));
            Town.awaitWaiting(delta, "./weir cluster add");
            assertThat(Town.get(four.getFirst().member().add(delta.address()))).isEqualTo("delta was added");
            Town.formed(delta);
            four.add(delta);
            Town.House leader = Town.leader(four);
            four.remove(leader);
            Town.House gone = four.removeFirst();
            gone.stop();
            leader.losesItsNextAnswer();
            assertThat(Town.get(four.getFirst().member().remove(gone.name))).startsWith(gone.name + " was removed");
            assertThatThrownBy(() -> Town.get(four.getFirst().member().remove(gone.name)))
                    .as("what was no member before was not removed")
                    .hasMessageContaining("no member is called " + gone.name);
        }
    }

    @Test
    void strangersAreNotHeard() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three =
                    List.of(town.house("alpha"), town.house("beta"), town.house("gamma", "another secret"));
            for (Town.House h : three) {
                h.start(Town.addresses(three));
            }
            Town.awaitWaiting(
                    three.getFirst(),
                    three.get(2).address() + ": the proof is wrong: the two ends have different secrets");
            three.get(1).stop();
            three.get(1).start(Town.addresses(three), "name=another");
            Town.awaitWaiting(three.get(1), "beta belongs to the cluster another, this is weir");
            three.get(1).stop();
            three.get(1).start(Town.addresses(three), "member=alpha");
            Town.awaitWaiting(three.get(1), "each member needs a unique name");
            assertThat(three.getFirst().member().view().phase()).isEqualTo(Phase.SEEKING);
        }
    }

    @Test
    void aWitnessVotesAndLeadsOnlyWhileNoOtherCan() throws Exception {
        try (Town town = new Town(folder)) {
            List<Town.House> three = List.of(town.house("alpha"), town.house("beta"), town.house("vote"));
            three.get(0).start(Town.addresses(three));
            three.get(1).start(Town.addresses(three));
            three.get(2).start(Town.addresses(three), "role=witness");
            for (Town.House h : three) {
                Town.formed(h);
            }
            Town.await(
                    () -> three.get(0).notes().leading() || three.get(1).notes().leading());
            Town.House leader = three.get(0).notes().leading() ? three.get(0) : three.get(1);
            Town.House rest = leader == three.get(0) ? three.get(1) : three.get(0);
            leader.stop();
            rest.submit("one");
            assertThat(three.get(2).member().log().status().peers())
                    .filteredOn(p -> p.witness())
                    .hasSize(1);
            Town.await(() -> rest.notes().leading());
        }
    }

    @Test
    void whatCannotBeSafeIsRefusedWithTheRemedies() {
        try (Town town = new Town(folder)) {
            Town.House alpha = town.house("alpha", null);
            assertThatThrownBy(() -> alpha.start(List.of(alpha.address(), "127.0.0.1:1")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cluster.role: witness")
                    .hasMessageContaining("cluster.leasing: database");
            assertThatThrownBy(() -> alpha.start(List.of(alpha.address(), "127.0.0.1:1", "192.0.2.1:7001")))
                    .hasMessageContaining("cluster.secret");
        }
    }

    /** It is not the cluster that cannot do it now. */
    private static void isRefused(Throwable failure) {
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        MembershipFault.class, f -> assertThat(f.refused()).isTrue());
    }
}
