package io.weir.cluster.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.cluster.kit.TestCluster;
import io.weir.cluster.node.ClusterNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Members tell each other where their caches answer. */
class CacheMembersTest {
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final TestCluster c = new TestCluster().listening(this::follow);
    private final Map<String, List<CacheMember>> told = new HashMap<>();
    private final Map<String, CacheMembers> members = new HashMap<>();
    private String suffix = ":7811";

    private void follow(String member, ClusterNode node) {
        String address = suffix.isEmpty() ? "" : member + suffix;
        CacheMembers m = new CacheMembers(member, address, all -> told.put(member, all), c.loop, new RecordingLog());
        members.put(member, m);
        node.listen(m);
    }

    private void begin(String member) {
        Objects.requireNonNull(members.get(member)).start(c.member(member).node.proposer());
        c.loop.pass(MOMENT);
    }

    private static CacheMember at(String member) {
        return new CacheMember(member, member + ":7811");
    }

    @Test
    void allLearnTheLiveOnesAndWhoGoesAndComesBack() {
        c.start("a", "b", "c");
        List.of("a", "b", "c").forEach(this::begin);
        for (String m : List.of("a", "b", "c")) {
            assertThat(told.get(m)).as(m).containsExactly(at("a"), at("b"), at("c"));
        }
        c.kill("c");
        c.loop.pass(Duration.ofSeconds(60));
        assertThat(told.get("a")).containsExactly(at("a"), at("b"));
        c.restart("c");
        begin("c");
        c.loop.pass(Duration.ofSeconds(5));
        assertThat(told.get("a")).containsExactly(at("a"), at("b"), at("c"));
        assertThat(told.get("c")).containsExactly(at("a"), at("b"), at("c"));
    }

    @Test
    void whoComesBackWithoutSuchAListenerIsNoLongerAsked() {
        c.start("a", "b", "c");
        List.of("a", "b", "c").forEach(this::begin);
        c.kill("c");
        suffix = "";
        c.restart("c");
        begin("c");
        c.loop.pass(Duration.ofSeconds(5));
        assertThat(told.get("a")).containsExactly(at("a"), at("b"));
    }

    @Test
    void whoIsClosedTellsNothing() {
        c.start("a", "b", "c");
        Objects.requireNonNull(members.get("a")).close();
        List.of("a", "b", "c").forEach(this::begin);
        assertThat(told).doesNotContainKey("a");
        assertThat(told.get("b")).containsExactly(at("b"), at("c"));
    }
}
