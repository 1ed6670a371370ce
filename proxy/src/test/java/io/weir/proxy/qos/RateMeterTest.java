package io.weir.proxy.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Stats;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Current and maximum rates: by the second, and none of it made up. */
class RateMeterTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {0, -SECOND * 7, Long.MIN_VALUE + SECOND})
    void rateIsThatOfTheLatestWholeSecondAndTheMostStays(long start) {
        long zero = Math.floorDiv(start, SECOND) * SECOND;
        RateMeter meter = new RateMeter();
        meter.add(100, zero);
        meter.add(200, zero + SECOND - 1);
        assertThat(meter.rate(zero + SECOND - 1)).as("the second is not over").isZero();
        assertThat(meter.most(zero + SECOND - 1)).isEqualTo(300);
        assertThat(meter.rate(zero + SECOND)).isEqualTo(300);
        meter.add(50, zero + SECOND);
        assertThat(meter.rate(zero + 2 * SECOND - 1)).isEqualTo(300);
        assertThat(meter.rate(zero + 2 * SECOND)).isEqualTo(50);
        assertThat(meter.rate(zero + 3 * SECOND)).isZero();
        assertThat(meter.most(zero + 3 * SECOND)).isEqualTo(300);
        assertThat(meter.total()).isEqualTo(350);
    }

    @Test
    void whatIsSentInAPauseBetweenReadingsIsNoRateOfNow() {
        RateMeter meter = new RateMeter();
        meter.add(1000, 0);
        assertThat(meter.rate(5 * SECOND)).isZero();
        assertThat(meter.most(5 * SECOND)).isEqualTo(1000);
        // steady traffic is no peak however long nobody reads
        RateMeter steady = new RateMeter();
        for (int i = 0; i < 100; i++) {
            steady.add(10, i * SECOND / 10);
        }
        assertThat(steady.rate(10 * SECOND)).isEqualTo(100);
        assertThat(steady.most(10 * SECOND)).isEqualTo(100);
        assertThat(steady.total()).isEqualTo(1000);
    }

    @Test
    void threadsWhoseClocksDifferLoseNothingAndCountNothingTwice() throws Exception {
        RateMeter meter = new RateMeter();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long late = i * 1000L;
            all.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 20_000; n++) {
                    meter.add(1, n * (SECOND / 1000) - late);
                }
            }));
        }
        for (Thread t : all) {
            t.join();
        }
        assertThat(meter.total()).isEqualTo(80_000);
        assertThat(meter.most(20 * SECOND)).isBetween(4000L, 80_000L);
    }

    @Test
    void busiestClientsAreThoseThatAreSentMost() throws UnknownHostException {
        Stats stats = new Stats();
        ClientTable table = new ClientTable(
                1024,
                Chance.seeded(1),
                stats.counter(QosStats.CLIENT_OVERFLOWS),
                stats.counter(QosStats.PAUSES, "client"));
        for (int i = 1; i <= 20; i++) {
            table.of(InetAddress.getByName("192.0.2." + i), 0).usage().sent(i * 10L, 0);
        }
        ClientUsage net = table.of(InetAddress.getByName("2001:db8:1:2:3::4"), 0);
        net.usage().sent(5000, 0);
        net.usage().requested(0);
        net.opened();
        net.closed();
        // once much, and nothing now
        table.of(InetAddress.getByName("198.51.100.9"), 0).usage().sent(1, SECOND);
        List<UsageFigures> now = table.busiest(3, SECOND);
        assertThat(now).extracting(UsageFigures::name).containsExactly("2001:db8:1:2::/64", "192.0.2.20", "192.0.2.19");
        assertThat(now.getFirst()).isEqualTo(new UsageFigures("2001:db8:1:2::/64", 1, 2, 1, 1, 1, 5000, 5000, 5000));
        assertThat(table.busiest(1, 2 * SECOND)).extracting(UsageFigures::name).containsExactly("198.51.100.9");
        assertThat(table.busiest(0, SECOND)).isEmpty();
        assertThat(table.busiest(100, SECOND)).hasSize(22);
    }

    @Test
    void placesAreCountedAndTheMostAtOnceIsKept() {
        Usage usage = new Usage();
        assertThat(usage.admit(2)).isTrue();
        assertThat(usage.admit(2)).isTrue();
        assertThat(usage.admit(2)).isFalse();
        usage.released();
        assertThat(usage.figures("a", 0).connections()).isEqualTo(1);
        assertThat(usage.figures("a", 0).mostConnections()).isEqualTo(2);
        assertThat(usage.admit(0)).isTrue();
        assertThat(usage.admit(0)).isTrue();
        assertThat(usage.figures("a", 0).mostConnections()).isEqualTo(3);
    }
}
