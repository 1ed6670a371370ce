package io.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.state.singletons.SingletonSpec;
import org.junit.jupiter.api.Test;

/** What failed somewhere is tried again when something that may have been in its way has changed. */
class RetriesTest {
    private static final SingletonSpec POLLER = SingletonSpec.of("poller", "app.Poller");

    @Test
    void membersThatComeUpUseUpNoAttempts() {
        StateBench b = StateBench.of("a", "b");
        b.define(POLLER.attempting(2, 1_000));
        b.fails("poller");
        b.fails("poller");
        assertThat(b.where("poller")).isEqualTo("waiting");
        for (int i = 0; i < 6; i++) {
            String restarted = i % 2 == 0 ? "a" : "b";
            b.dies(restarted);
            b.up(restarted);
            assertThat(b.where("poller")).as("tried where it is new").isEqualTo("placed on " + restarted);
            b.fails("poller");
            assertThat(b.where("poller")).as("restart " + i).isEqualTo("waiting");
            assertThat(b.singleton("poller").circuits()).isEqualTo(1);
        }
        b.ok(new SingletonCommand.RetryNow("poller", b.singleton("poller").version()));
        b.runs("poller");
    }
}
