package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.members.MemberCommand;
import io.weir.cluster.state.purges.Purge;
import io.weir.cluster.state.purges.PurgeCommand;
import io.weir.cluster.state.purges.PurgeLog;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Purges of the members' caches: what who was away has missed. */
class PurgeTest {
    private static final long ID = 77;

    private final StateBench b = StateBench.of("a", "b");

    private long purge(String url) {
        Answer answer = b.ok(new PurgeCommand.Add(ID, url));
        return ((Answer.Done) answer).index();
    }

    private PurgeLog log() {
        return b.state.purges();
    }

    private void applied(String member, long upTo) {
        b.ok(new PurgeCommand.Applied(member, ID, upTo));
    }

    @Test
    void whoWasAwayLearnsInOrderWhatItMissed() {
        long one = purge("http://a/1");
        long two = purge("http://a/2");
        long three = purge("http://a/3");
        assertThat(log().missed(ID, one)).containsExactly(new Purge(two, "http://a/2"), new Purge(three, "http://a/3"));
        assertThat(log().missed(ID, three)).isEmpty();
    }

    @Test
    void aPurgeOfTheSameUrlReplacesTheEarlierOne() {
        long one = purge("http://a/1");
        long two = purge("http://a/2");
        long again = purge("http://a/1");
        assertThat(log().kept()).extracting(Purge::number).containsExactly(two, again);
        assertThat(log().missed(ID, one)).extracting(Purge::number).containsExactly(two, again);
        assertThat(log().missed(ID, two)).extracting(Purge::number).containsExactly(again);
    }

    @Test
    void aPurgeOfEverythingIncludesAllBefore() {
        IntStream.range(0, 10).forEach(i -> purge("http://a/" + i));
        long all = purge("");
        long after = purge("http://a/after");
        assertThat(log().missed(ID, 1)).containsExactly(new Purge(all, ""), new Purge(after, "http://a/after"));
        assertThat(log().missed(ID, all)).containsExactly(new Purge(after, "http://a/after"));
    }

    @Test
    void whoMissedMoreThanIsKeptMustEmptyItsCache() {
        long first = purge("http://a/first");
        long second = purge("http://a/second");
        for (int i = 0; i < StateLimits.PURGES; i++) {
            purge("http://a/" + i);
        }
        assertThat(log().kept()).hasSize(StateLimits.PURGES);
        assertThat(log().missed(ID, first)).isNull();
        assertThat(log().missed(0, 0)).isNull();
        assertThat(log().missed(ID, second)).hasSize(StateLimits.PURGES);
        purge("http://a/more");
        assertThat(log().missed(ID, second)).isNull();
        purge("");
        assertThat(log().missed(ID, first)).as("which includes them").hasSize(1);
    }

    @Test
    void longUrlsAreBoundedTogether() {
        int most = StateLimits.PURGE_CHARS / StateLimits.URL;
        for (int i = 0; i < 2 * most; i++) {
            purge("http://a/" + "x".repeat(StateLimits.URL - 12) + (100 + i));
        }
        assertThat(log().kept()).hasSize(most);
        b.refused(new PurgeCommand.Add(0, "http://a/"), Refusal.MALFORMED);
    }

    @Test
    void ofAnotherClustersPurgesNothingIsKnown() {
        assertThat(PurgeLog.EMPTY.missed(0, 0))
                .as("there were none, and it followed none")
                .isEmpty();
        assertThat(PurgeLog.EMPTY.missed(ID, 5))
                .as("it followed a former cluster")
                .isNull();
        long one = purge("http://a/1");
        assertThat(log().missed(0, 0)).as("all that there ever were").hasSize(1);
        assertThat(log().missed(ID + 1, one)).isNull();
        assertThat(log().missed(ID, one + 1)).as("the log has lost its end").isNull();
    }

    @Test
    void membersReportHowFarTheyAre() {
        assertThat(log().upToDate("a")).isTrue();
        long one = purge("http://a/1");
        long two = purge("http://a/2");
        assertThat(log().upToDate("a")).isFalse();
        applied("a", two);
        applied("a", one);
        assertThat(log().upToDate("a")).as("a late report changes nothing").isTrue();
        assertThat(log().upToDate("b")).isFalse();
        b.refused(new PurgeCommand.Applied("nobody", ID, one), Refusal.UNKNOWN_NAME);
        b.refused(new PurgeCommand.Applied("b", ID, two + 1), Refusal.CHANGED);
        b.refused(new PurgeCommand.Applied("b", ID + 1, one), Refusal.CHANGED);
    }

    @Test
    void aRemovedMemberIsForgotten() {
        applied("a", purge("http://a/1"));
        assertThat(log().applied()).containsOnlyKeys("a");
        b.expire("member/a");
        b.ok(new MemberCommand.Remove("a"));
        assertThat(log().applied()).isEmpty();
    }

    @Test
    void aSnapshotKeepsThem() {
        purge("");
        applied("a", purge("http://a/grün"));
        ClusterState again = SnapshotCodec.decode(SnapshotCodec.encode(b.state));
        assertThat(again).isEqualTo(b.state);
        assertThat(again.purges().missed(ID, 0))
                .isEqualTo(List.copyOf(b.state.purges().kept()));
    }

    @Test
    void theClusterKnowsWhereCachesAreUntilTheirMembersAreRemoved() {
        b.ok(new PurgeCommand.Serves("a", "10.0.0.1:7811"));
        b.ok(new PurgeCommand.Serves("b", "10.0.0.2:7811"));
        b.ok(new PurgeCommand.Serves("a", "10.0.0.9:7811"));
        assertThat(log().addresses())
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "10.0.0.9:7811", "b", "10.0.0.2:7811"));
        b.ok(new PurgeCommand.Serves("a", ""));
        assertThat(log().addresses()).containsOnlyKeys("b");
        b.refused(new PurgeCommand.Serves("nobody", "10.0.0.3:7811"), Refusal.UNKNOWN_NAME);
        purge("");
        assertThat(log().addresses()).as("a purge changes none").containsOnlyKeys("b");
    }
}
