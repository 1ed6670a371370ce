package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.config.FailBack;
import io.weir.cluster.config.SingletonConfig;
import io.weir.cluster.state.singletons.FailBackMode;
import io.weir.cluster.state.singletons.SingletonSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a configuration makes of deployed singletons. */
final class ConfiguredSingletonsTest {
    private static final SingletonSpec DEPLOYED =
            SingletonSpec.of("s", "p.C").deployedBy("app").attempting(7, 50);

    private static SingletonConfig entry(String className, int attempts, Duration pause) {
        return new SingletonConfig(
                className,
                "b",
                List.of("a", "b"),
                attempts,
                pause,
                FailBack.AFTER,
                Duration.ofSeconds(5),
                false,
                "app/s",
                "users",
                Map.of("k", "v"));
    }

    private static SingletonSpec configured(SingletonConfig entry) {
        return ConfiguredSingletons.configured(Map.of("s", entry), DEPLOYED);
    }

    @Test
    void anEntryWithoutAClassOrOfTheSameConfiguresAllOfIt() {
        SingletonSpec all = DEPLOYED.preferring("b")
                .among(List.of("a", "b"))
                .attempting(3, 1000)
                .failingBack(FailBackMode.AFTER, 5000)
                .enabled(false)
                .with(Map.of("k", "v", "exposed-as", "app/s", "call-role", "users"));
        assertThat(configured(entry("", 3, Duration.ofSeconds(1)))).isEqualTo(all);
        assertThat(configured(entry("p.C", 3, Duration.ofSeconds(1)))).isEqualTo(all);
    }

    @Test
    void theDeploymentsAttemptsStandWhereTheEntryLeavesTheDefaults() {
        SingletonSpec s = configured(entry("", 2, Duration.ofMinutes(5)));
        assertThat(s.additionalAttempts()).isEqualTo(7);
        assertThat(s.pauseMillis()).isEqualTo(50);
        assertThat(configured(entry("", 2, Duration.ofSeconds(1))).additionalAttempts())
                .isEqualTo(7);
    }

    @Test
    void anEntryOfAnotherClassOrAnotherNameConfiguresNothing() {
        assertThat(configured(entry("p.Other", 3, Duration.ofSeconds(1)))).isEqualTo(DEPLOYED);
        assertThat(ConfiguredSingletons.configured(Map.of("t", entry("", 3, Duration.ofSeconds(1))), DEPLOYED))
                .isEqualTo(DEPLOYED);
    }
}
