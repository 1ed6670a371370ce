package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.resolver.dns.DnsCacheEntry;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.upstream.HostDnsCache;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostDnsCacheTest {
    private final SteppedClock clock = new SteppedClock(0);
    private final Stats stats = new Stats();
    private final EventLoop loop = new DefaultEventLoop();
    private HostDnsCache.Limits limits = new HostDnsCache.Limits(true, 3, 60, 5);
    private final HostDnsCache cache = new HostDnsCache(
            () -> limits, clock, stats.counter(EngineStats.DNS_HITS), stats.counter(EngineStats.DNS_MISSES));

    @AfterEach
    void end() {
        var _ = loop.shutdownGracefully(0, 0, java.util.concurrent.TimeUnit.SECONDS);
    }

    private void put(String name, String address, long ttl) throws UnknownHostException {
        cache.cache(name, null, InetAddress.getByName(address), ttl, loop);
    }

    private @Nullable List<? extends DnsCacheEntry> get(String name) {
        return cache.get(name, null);
    }

    @Test
    void aNameIsFoundInAnyCaseUntilItsTimeIsOver() throws Exception {
        put("A.example", "10.0.0.1", 30);
        assertThat(get("a.EXAMPLE.")).hasSize(1);
        clock.step(Duration.ofSeconds(29));
        assertThat(get("a.example")).hasSize(1);
        clock.step(Duration.ofSeconds(1));
        assertThat(get("a.example")).isNull();
        assertThat(stats.value(EngineStats.DNS_HITS)).isEqualTo(2);
        assertThat(stats.value(EngineStats.DNS_MISSES)).isOne();
    }

    @Test
    void theConfiguredTimeBoundsTheRecords() throws Exception {
        put("a.example", "10.0.0.1", 100_000);
        clock.step(Duration.ofSeconds(60));
        assertThat(get("a.example")).isNull();
    }

    @Test
    void severalAddressesOfANameAreKeptTogetherAndTheShortestTimeCounts() throws Exception {
        put("a.example", "10.0.0.1", 30);
        put("a.example", "10.0.0.2", 10);
        put("a.example", "10.0.0.2", 10);
        assertThat(get("a.example"))
                .extracting(e -> e.address().getHostAddress())
                .containsExactly("10.0.0.1", "10.0.0.2");
        clock.step(Duration.ofSeconds(10));
        assertThat(get("a.example")).isNull();
    }

    @Test
    void thatANameDoesNotExistIsRememberedShortly() throws Exception {
        cache.cache("no.example", null, new UnknownHostException("no.example"), loop);
        assertThat(get("no.example"))
                .singleElement()
                .extracting(DnsCacheEntry::cause)
                .isNotNull();
        put("no.example", "10.0.0.1", 30);
        assertThat(get("no.example"))
                .singleElement()
                .extracting(DnsCacheEntry::cause)
                .isNull();
        cache.cache("no.example", null, new UnknownHostException("no.example"), loop);
        clock.step(Duration.ofSeconds(5));
        assertThat(get("no.example")).isNull();
    }

    @Test
    void theLongestUnusedNameGoesAtTheBound() throws Exception {
        for (String name : new String[] {"a", "b", "c"}) {
            put(name, "10.0.0.1", 30);
        }
        get("a");
        put("d", "10.0.0.1", 30);
        assertThat(cache.size()).isEqualTo(3);
        assertThat(get("b")).isNull();
        assertThat(get("a")).isNotNull();
    }

    @Test
    void nothingIsRememberedWhenItIsOff() throws Exception {
        limits = new HostDnsCache.Limits(false, 3, 60, 5);
        put("a.example", "10.0.0.1", 30);
        cache.cache("b.example", null, new UnknownHostException("b.example"), loop);
        assertThat(cache.size()).isZero();
    }

    @Test
    void aTimeOfZeroIsNotRemembered() throws Exception {
        put("a.example", "10.0.0.1", 0);
        limits = new HostDnsCache.Limits(true, 3, 60, 0);
        cache.cache("b.example", null, new UnknownHostException("b.example"), loop);
        assertThat(cache.size()).isZero();
    }
}
