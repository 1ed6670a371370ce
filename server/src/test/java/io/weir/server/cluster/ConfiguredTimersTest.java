package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.cluster.config.MisfirePolicy;
import io.weir.cluster.config.TimerConfig;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.state.timers.TimerSpec;
import io.weir.cluster.timer.FenceRefused;
import io.weir.cluster.timer.Firing;
import io.weir.cluster.timer.TimerListener;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a firing does on a member whose configuration does not fit it. */
final class ConfiguredTimersTest {
    private static final TimerConfig NIGHT =
            new TimerConfig("0 3 * * *", "UTC", MisfirePolicy.FIRE_ONCE, "queue/demo", "wake", "", true);
    private static final TimerSpec SPEC = ConfiguredTimers.spec("night", NIGHT);
    private static final Firing FIRING = new Firing("night", Instant.EPOCH, new Fence(1, 2), false);

    private static void fire(Map<String, TimerConfig> config) throws Exception {
        new ConfiguredTimers(() -> config, null, _ -> true, new LibClasses(Path.of("none")))
                .listener(SPEC)
                .timerExpired(FIRING);
    }

    @Test
    void aTimerThatThisMembersFileLacksFailsInsteadOfSendingAnEmptyMessage() {
        assertThatThrownBy(() -> fire(Map.of()))
                .isInstanceOf(ServiceFault.class)
                .hasMessageContaining("this member's configuration has no timers.night");
    }

    @Test
    void withoutMessagingAFiringFails() {
        assertThatThrownBy(() -> fire(Map.of("night", NIGHT)))
                .isInstanceOf(ServiceFault.class)
                .hasMessageContaining("messaging does not run on this member");
    }

    /** The lease moves while the message is on its way to the journal. */
    @Test
    void aMessageIsAppendedOnlyWithTheFenceThatIsCurrentThen() throws Exception {
        AtomicReference<Fence> current = new AtomicReference<>(FIRING.fence());
        List<String> appended = new ArrayList<>();
        ConfiguredTimers.Sender journal = (destination, text, _, permitted) -> {
            CompletableFuture<Void> sent = new CompletableFuture<>();
            if (permitted.getAsBoolean()) {
                appended.add(destination + " " + text);
                sent.complete(null);
            } else {
                sent.cancel(false);
            }
            return sent;
        };
        TimerListener listener = new ConfiguredTimers(
                        () -> Map.of("night", NIGHT),
                        journal,
                        fence -> fence.equals(current.get()),
                        new LibClasses(Path.of("none")))
                .listener(SPEC);
        listener.timerExpired(FIRING);
        assertThat(appended).containsExactly("queue/demo wake");
        current.set(new Fence(1, 3));
        assertThatThrownBy(() -> listener.timerExpired(FIRING))
                .isInstanceOf(FenceRefused.class)
                .hasMessageContaining("1.2");
        assertThat(appended).hasSize(1);
    }
}
