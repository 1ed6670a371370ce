package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.upstream.StaleAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaleAddressesTest {
    private static final List<InetAddress> ONE = List.of(InetAddress.getLoopbackAddress());
    private final Throwable failure = new UnknownHostException("server failure");

    private final SteppedClock clock = new SteppedClock(0);
    private final Stats stats = new Stats();
    private final StaleAddresses stale = new StaleAddresses(
            () -> 2, () -> Duration.ofMinutes(10).toNanos(), clock, stats.counter(EngineStats.DNS_STALE));

    @Test
    void addressesAreUsedForTheirTimeOnly() {
        stale.found("a", ONE);
        clock.step(Duration.ofSeconds(599));
        assertThat(stale.instead("a", failure)).isEqualTo(ONE);
        clock.step(Duration.ofSeconds(1));
        assertThat(stale.instead("a", failure)).isEmpty();
        assertThat(stats.value(EngineStats.DNS_STALE)).isOne();
    }

    @Test
    void namesAreBoundedAndTheLongestUnusedGoes() {
        stale.found("a", ONE);
        stale.found("b", ONE);
        assertThat(stale.instead("a", failure)).isNotEmpty();
        stale.found("c", ONE);
        assertThat(stale.instead("b", failure)).isEmpty();
        assertThat(stale.instead("a", failure)).isNotEmpty();
        assertThat(stale.instead("c", failure)).isNotEmpty();
    }
}
