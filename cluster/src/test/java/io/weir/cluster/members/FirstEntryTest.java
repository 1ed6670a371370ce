package io.weir.cluster.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.log.LogStatus;
import io.weir.cluster.log.LogStatus.Peer;
import io.weir.cluster.log.LogStatus.Role;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a cluster that was just formed may begin. */
final class FirstEntryTest {
    private static LogStatus status(Role role, long applied, long committed, long... lags) {
        List<Peer> peers = new ArrayList<>();
        for (long lag : lags) {
            peers.add(new Peer("m" + peers.size(), "", false, lag));
        }
        return new LogStatus(role, null, 1, applied, committed, peers);
    }

    @Test
    void theLeaderWaitsForEachVotersFirstEntry() {
        assertThat(FirstEntry.everywhere(status(Role.LEADER, 4, 4, 0, 2, 4))).isTrue();
        assertThat(FirstEntry.everywhere(status(Role.LEADER, 4, 4, 0, 0, 5)))
                .as("the third has none")
                .isFalse();
        assertThat(FirstEntry.everywhere(status(Role.LEADER, 4, 4, 0, 0, -1)))
                .as("the third was not heard")
                .isFalse();
        assertThat(FirstEntry.everywhere(status(Role.LEADER, -1, -1, 0, 0, 0)))
                .as("nothing is committed")
                .isFalse();
    }

    @Test
    void whoFollowsWaitsForItsOwn() {
        assertThat(FirstEntry.everywhere(status(Role.FOLLOWER, 0, 0, -1, 0, -1)))
                .isTrue();
        assertThat(FirstEntry.everywhere(status(Role.FOLLOWER, -1, 3, -1, 0, -1)))
                .isFalse();
        assertThat(FirstEntry.everywhere(status(Role.CANDIDATE, 3, 3, 0, 0, 0))).isFalse();
        assertThat(FirstEntry.everywhere(status(Role.NONE, 3, 3))).isFalse();
    }
}
