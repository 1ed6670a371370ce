package io.weir.proxy.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Stats;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientTableTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Stats stats = new Stats();

    private ClientTable table(int size) {
        return new ClientTable(
                size,
                Chance.seeded(1),
                stats.counter(QosStats.CLIENT_OVERFLOWS),
                stats.counter(QosStats.PAUSES, "client"));
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void addressesOfANetworkOf64BitsAreOneClientAndOthersAreNot() {
        ClientTable table = table(1024);
        ClientUsage one = table.of(address("2001:db8:1:2::1"), 0);
        assertThat(table.of(address("2001:db8:1:2:ffff:ffff:ffff:ffff"), 0)).isSameAs(one);
        assertThat(table.of(address("2001:db8:1:3::1"), 0)).isNotSameAs(one);
        ClientUsage four = table.of(address("192.0.2.1"), 0);
        assertThat(table.of(address("::ffff:192.0.2.1"), 0)).isSameAs(four);
        assertThat(table.of(address("192.0.2.2"), 0)).isNotSameAs(four);
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void clientThatIsLimitedIsNotForgottenHoweverManyOthersCome() {
        ClientTable table = table(64);
        ClientUsage greedy = table.of(address("192.0.2.1"), 0);
        while (greedy.requests().take(0, 1, 5) == 0) {
            // uses up its burst
        }
        greedy.closed();
        for (int i = 0; i < 100_000; i++) {
            ClientUsage other = table.of(address("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)), 0);
            other.requests().take(0, 1, 5);
            other.closed();
        }
        ClientUsage again = table.of(address("192.0.2.1"), 0);
        assertThat(again).isSameAs(greedy);
        assertThat(again.requests().take(0, 1, 5)).isPositive();
        assertThat(table.size()).isLessThanOrEqualTo(table.capacity());
        assertThat(stats.value(QosStats.CLIENT_OVERFLOWS)).isGreaterThan(99_000);
    }

    @Test
    void clientsWithoutAPlaceShareOneAllowance() {
        ClientTable table = table(8);
        int passed = 0;
        for (int i = 0; i < 1000; i++) {
            ClientUsage c = table.of(address("10.0." + (i >> 8) + "." + (i & 255)), 0);
            passed += c.requests().take(0, 1, 1) == 0 ? 1 : 0;
        }
        // eight that have a place, and the crowd
        assertThat(passed).isEqualTo(9);
    }

    @Test
    void placeOfAClientThatRestsIsGivenToAnother() {
        ClientTable table = table(8);
        for (int i = 0; i < 8; i++) {
            ClientUsage c = table.of(address("10.0.0." + i), 0);
            c.requests().take(0, 1, 1);
            c.closed();
        }
        ClientUsage connected = table.of(address("10.0.0.0"), 0);
        assertThat(table.of(address("10.0.1.1"), 2 * SECOND)).isNotSameAs(connected);
        assertThat(stats.value(QosStats.CLIENT_OVERFLOWS)).isZero();
        assertThat(table.of(address("10.0.0.0"), 2 * SECOND)).isSameAs(connected);
        assertThat(table.size()).isEqualTo(8);
    }
}
