package io.weir.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Which server gets how much. */
class BalanceTest {
    private static final String HASH = "balance=hash";

    private static RequestKey keyed(int i) {
        return new RequestKey(Hashing.of("/path/" + i), true, null);
    }

    @Test
    void serversOfOneWeightAreTakenInTurn() {
        PoolBench bench = PoolBench.of(3);
        assertThat(List.of(bench.ok(), bench.ok(), bench.ok(), bench.ok())).containsExactly("a", "b", "c", "a");
    }

    @Test
    void weightsAreKeptToTheRequestAndSpreadOut() {
        PoolBench bench = PoolBench.of(3);
        bench.weights(bench.rules(), 5, 1, 1);
        List<String> round = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            round.add(bench.ok());
        }
        assertThat(round).containsExactly("a", "a", "b", "a", "c", "a", "a");
        assertThat(bench.spread(700))
                .containsEntry("a", 500)
                .containsEntry("b", 100)
                .containsEntry("c", 100);
    }

    @Test
    void muxersDoNotBeginWithTheSameServer() {
        PoolBench bench = new PoolBench(2);
        bench.servers(2);
        assertThat(PoolBench.host(bench.pool.attempts(0, RequestKey.NONE).first(0)))
                .isEqualTo("a");
        assertThat(PoolBench.host(bench.pool.attempts(1, RequestKey.NONE).first(0)))
                .isEqualTo("b");
    }

    @Test
    void theFewestOutstandingCountOverAllMuxers() {
        PoolBench bench = new PoolBench(2, "balance=least-outstanding");
        bench.servers(2, "balance=least-outstanding");
        Attempts other = bench.pool.attempts(1, RequestKey.NONE);
        String held = PoolBench.host(other.first(0));
        for (int i = 0; i < 5; i++) {
            assertThat(bench.ok()).as("while another muxer has one at " + held).isNotEqualTo(held);
        }
        other.over();
        assertThat(bench.spread(10)).containsEntry("a", 5).containsEntry("b", 5);
    }

    @Test
    void theFewestOutstandingAreForTheWeight() {
        PoolBench bench = PoolBench.of(2, "balance=least-outstanding");
        bench.weights(bench.rules("balance=least-outstanding"), 3, 1);
        Map<String, Integer> open = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            open.merge(PoolBench.host(bench.request().first(0)), 1, Integer::sum);
        }
        assertThat(open).containsEntry("a", 6).containsEntry("b", 2);
    }

    @Test
    void aKeyStaysWithItsServerAndKeysSpread() {
        PoolBench bench = PoolBench.of(4, HASH);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            String first = bench.ok(keyed(i));
            assertThat(bench.ok(keyed(i))).isEqualTo(first);
            counts.merge(first, 1, Integer::sum);
        }
        assertThat(counts).hasSize(4);
        assertThat(counts.values()).allSatisfy(n -> assertThat(n).isCloseTo(2500, Percentage.withPercentage(6)));
    }

    @Test
    void hashedKeysFollowTheWeights() {
        PoolBench bench = PoolBench.of(2, HASH);
        bench.weights(bench.rules(HASH), 3, 1);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            counts.merge(bench.ok(keyed(i)), 1, Integer::sum);
        }
        assertThat(counts.get("a")).isCloseTo(7500, Percentage.withPercentage(3));
    }

    @Test
    void aServerThatGoesMovesItsOwnKeysOnly() {
        PoolBench bench = PoolBench.of(4, HASH);
        Map<Integer, String> before = new HashMap<>();
        for (int i = 0; i < 4000; i++) {
            before.put(i, bench.ok(keyed(i)));
        }
        bench.weights(bench.rules(HASH), 1, 1, 0, 1);
        before.forEach((i, server) -> {
            String now = bench.ok(keyed(i));
            if (server.equals("c")) {
                assertThat(now).isNotEqualTo("c");
            } else {
                assertThat(now).isEqualTo(server);
            }
        });
    }

    @Test
    void aServerThatComesTakesItsShareAndNothingElseMoves() {
        PoolBench bench = PoolBench.of(4, HASH);
        Map<Integer, String> before = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            before.put(i, bench.ok(keyed(i)));
        }
        bench.servers(5, HASH);
        int moved = 0;
        for (Map.Entry<Integer, String> e : before.entrySet()) {
            String now = bench.ok(keyed(e.getKey()));
            if (!now.equals(e.getValue())) {
                assertThat(now).isEqualTo("e");
                moved++;
            }
        }
        assertThat(moved).isCloseTo(2000, Percentage.withPercentage(8));
    }

    @Test
    void aKeyWhoseServerIsDownMovesAndComesBack() {
        PoolBench bench = PoolBench.of(3, HASH, "health.failures=1", "health.down-time=10s");
        String home = bench.ok(keyed(7));
        Attempts a = bench.request(keyed(7));
        a.first(bench.clock.nanos());
        a.failed("refused");
        a.over();
        String away = bench.ok(keyed(7));
        assertThat(away).isNotEqualTo(home);
        assertThat(bench.ok(keyed(7))).isEqualTo(away);
        bench.clock.step(java.time.Duration.ofSeconds(10));
        String trial = bench.ok(keyed(7));
        assertThat(List.of(home, away)).contains(trial);
        bench.server(home).health().admit();
        bench.server(home).health().succeeded(true);
        assertThat(bench.ok(keyed(7))).isEqualTo(home);
    }

    @Test
    void requestsWithoutAKeyAreTakenInTurn() {
        PoolBench bench = PoolBench.of(2, HASH);
        assertThat(bench.spread(10)).containsEntry("a", 5).containsEntry("b", 5);
    }

    @Test
    void theOnlyServerIsTakenAndItsFiguresAreKept() {
        PoolBench bench = PoolBench.of(1);
        Attempts a = bench.request();
        PoolServer only = a.first(0);
        assertThat(only).isSameAs(bench.server("a"));
        a.answered(200, 5);
        a.over();
        assertThat(bench.server("a").requests()).isEqualTo(1);
        assertThat(bench.server("a").active()).isZero();
        assertThat(bench.server("a").answerNanos()).isEqualTo(5);
    }
}
