package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.cluster.state.bytes.StateLimits;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.singletons.Checkpoint;
import io.weir.cluster.state.singletons.CheckpointCommand;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What singletons remember, and its fences. */
class CheckpointTest {
    private StateBench b = StateBench.of("a", "b");
    private Fence fence = Fence.NONE;

    @BeforeEach
    void run() {
        b = StateBench.of("a", "b");
        b.define(SingletonSpec.of("poller", "X"));
        fence = b.runs("poller");
    }

    @Test
    void aTextIsRememberedUnderTheFenceUntilItIsForgotten() {
        b.ok(new CheckpointCommand.Put("poller", "last", "one", fence));
        b.ok(new CheckpointCommand.Put("poller", "last", "two", fence));
        assertThat(b.state.checkpoint("poller", "last")).isEqualTo("two");
        assertThat(b.state.checkpointsOf("poller"))
                .containsExactly(new Checkpoint("poller", "last", "two", fence, b.state.applied()));
        b.ok(new CheckpointCommand.Remove("poller", "last", fence));
        b.ok(new CheckpointCommand.Remove("poller", "last", fence));
        assertThat(b.state.checkpoints()).isEmpty();
    }

    @Test
    void whatAFormerActivationWritesIsRefusedAndCountedAndWhatItWroteStays() {
        b.ok(new CheckpointCommand.Put("poller", "last", "one", fence));
        b.releases("poller");
        b.refused(new CheckpointCommand.Put("poller", "last", "late", fence), Refusal.STALE_FENCE);
        Fence next = b.runs("poller");
        assertThat(next).isGreaterThan(fence);
        b.refused(new CheckpointCommand.Put("poller", "last", "late", fence), Refusal.STALE_FENCE);
        b.refused(new CheckpointCommand.Remove("poller", "last", fence), Refusal.STALE_FENCE);
        b.refused(new CheckpointCommand.Put("poller", "last", "early", new Fence(9, 9)), Refusal.STALE_FENCE);
        assertThat(b.state.checkpoint("poller", "last")).isEqualTo("one");
        assertThat(b.state.fenceRefusals()).isEqualTo(4);
        b.ok(new CheckpointCommand.Put("poller", "last", "two", next));
    }

    @Test
    void anotherSingletonsFenceIsOfNoUse() {
        b.define(SingletonSpec.of("other", "X"));
        Fence other = b.runs("other");
        b.refused(new CheckpointCommand.Put("poller", "last", "one", other), Refusal.STALE_FENCE);
        b.refused(new CheckpointCommand.Put("nobody", "last", "one", fence), Refusal.UNKNOWN_NAME);
    }

    @Test
    void itIsGoneWithTheSingletonAndNotWithItsLease() {
        b.define(SingletonSpec.of("poller2", "X"));
        Fence second = b.runs("poller2");
        b.ok(new CheckpointCommand.Put("poller", "k", "one", fence));
        b.ok(new CheckpointCommand.Put("poller2", "k", "two", second));
        b.expire("singleton/poller");
        assertThat(b.state.checkpoint("poller", "k")).isEqualTo("one");
        b.ok(new SingletonCommand.Undefine("poller"));
        assertThat(b.state.checkpoint("poller", "k")).isNull();
        assertThat(b.state.checkpoint("poller2", "k")).isEqualTo("two");
    }

    @Test
    void keysAreBounded() {
        for (int i = 0; i < StateLimits.CHECKPOINTS_OF_ONE; i++) {
            b.ok(new CheckpointCommand.Put("poller", "k" + i, "x", fence));
        }
        b.refused(new CheckpointCommand.Put("poller", "more", "x", fence), Refusal.LIMIT);
        b.ok(new CheckpointCommand.Put("poller", "k1", "again", fence));
        b.ok(new CheckpointCommand.Remove("poller", "k7", fence));
        b.ok(new CheckpointCommand.Put("poller", "more", "x", fence));
    }

    @Test
    void aSnapshotKeepsThem() {
        b.ok(new CheckpointCommand.Put("poller", "last", "grün", fence));
        ClusterState again = SnapshotCodec.decode(SnapshotCodec.encode(b.state));
        assertThat(again).isEqualTo(b.state);
        assertThat(again.checkpoint("poller", "last")).isEqualTo("grün");
    }
}
