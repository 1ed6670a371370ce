package io.weir.proxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Limits, retries, sessions, and members that come and go. */
class AttemptsTest {
    private static Attempts begun(PoolBench bench) {
        Attempts a = bench.request();
        a.first(0);
        return a;
    }

    @Test
    void aFullServerIsPassedOverAndWhenAllAreTheRequestIsRefused() {
        PoolBench bench = PoolBench.of(2, "max-outstanding=2");
        List<Attempts> open = List.of(begun(bench), begun(bench), begun(bench), begun(bench));
        assertThat(open).allMatch(a -> a.server() != null);
        Attempts fifth = begun(bench);
        assertThat(fifth.server()).isNull();
        assertThat(fifth.refusal()).isEqualTo(PoolRefusal.BUSY);
        assertThat(bench.pool.counts().refusedBusy()).isEqualTo(1);
        assertThat(bench.server("a").busy()).isEqualTo(1);
        open.getFirst().over();
        assertThat(bench.ok()).isEqualTo("a");
    }

    /** A bound that is taken away while a request asks for a place: it may have gone by the old one or by none. */
    @Test
    void noRequestIsRefusedWhileABoundComesAndGoes() throws Exception {
        PoolBench bench = PoolBench.of(1, "max-outstanding=1000");
        List<PoolRules> shapes = List.of(bench.rules("max-outstanding=1000"), bench.rules());
        AtomicBoolean over = new AtomicBoolean();
        Thread changes = Thread.ofPlatform().start(() -> {
            for (int i = 0; !over.get(); i++) {
                bench.weights(shapes.get(i & 1), 1);
            }
        });
        try {
            for (int i = 0; i < 200_000; i++) {
                Attempts a = begun(bench);
                assertThat(a.server() == null).as("refused").isFalse();
                a.over();
            }
        } finally {
            over.set(true);
            changes.join();
        }
    }

    @Test
    void placesAreGivenBackHoweverARequestEnds() {
        PoolBench bench = PoolBench.of(1, "max-outstanding=1", "health.failures=0");
        for (int i = 0; i < 10; i++) {
            assertThat(bench.ok()).isEqualTo("a");
            assertThat(bench.fails()).isEqualTo("a");
            Attempts resent = begun(bench);
            assertThat(resent.resend(0)).isNotNull();
            resent.over();
        }
        assertThat(bench.server("a").active()).isZero();
    }

    @Test
    void aRetryGoesToAnotherServerAndNeverTwiceToOne() {
        PoolBench bench = PoolBench.of(3, "tries=10");
        Attempts a = begun(bench);
        a.failed("refused");
        assertThat(PoolBench.host(a.elsewhere(0))).isEqualTo("b");
        a.failed("refused");
        assertThat(PoolBench.host(a.elsewhere(0))).isEqualTo("c");
        a.failed("refused");
        assertThat(a.elsewhere(0)).isNull();
        a.over();
        assertThat(bench.server("a").active()
                        + bench.server("b").active()
                        + bench.server("c").active())
                .isZero();
    }

    @Test
    void triesAreBounded() {
        PoolBench bench = PoolBench.of(3, "tries=2");
        Attempts a = begun(bench);
        assertThat(a.elsewhere(0)).isNotNull();
        assertThat(a.elsewhere(0)).isNull();
    }

    @Test
    void aDeadConnectionIsNoFaultOfTheServer() {
        PoolBench bench = PoolBench.of(2);
        Attempts a = begun(bench);
        assertThat(PoolBench.host(a.resend(0))).isEqualTo("b");
        a.over();
        assertThat(bench.server("a").failures()).isZero();

        PoolBench alone = PoolBench.of(1);
        Attempts same = begun(alone);
        assertThat(PoolBench.host(same.resend(0))).isEqualTo("a");
    }

    @Test
    void theBudgetBoundsTheRetriesOfAnOutage() {
        PoolBench bench = PoolBench.of(2, "retry-budget=20", "retry-reserve=10", "health.failures=0");
        for (int i = 0; i < 1000; i++) {
            Attempts a = begun(bench);
            a.failed("refused");
            a.elsewhere(0);
            a.failed("refused");
            a.over();
        }
        assertThat(bench.pool.counts().retries()).isEqualTo(10 + 200);
        assertThat(bench.pool.counts().retriesRefused()).isEqualTo(790);
        assertThat(bench.server("a").requests() + bench.server("b").requests()).isEqualTo(1210);
    }

    @Test
    void calmSavesUpRetriesToABoundOnly() {
        PoolBench bench = PoolBench.of(2, "retry-budget=100", "retry-reserve=0", "health.failures=0");
        bench.spread(10_000);
        int retried = 0;
        for (int i = 0; i < 500; i++) {
            // what pays in now pays for itself: only what was saved is left to be measured
            Attempts a = begun(bench);
            retried += a.elsewhere(0) == null ? 0 : 1;
            a.over();
            Attempts b = begun(bench);
            retried += b.elsewhere(0) == null ? 0 : 1;
            b.over();
        }
        assertThat(retried).as("never more than the requests").isLessThanOrEqualTo(1000);
        PoolBench none = PoolBench.of(2, "retry-budget=0", "retry-reserve=0");
        assertThat(begun(none).elsewhere(0)).isNull();
    }

    @Test
    void aRouteLeadsToItsServerWhileThatIsUp() {
        PoolBench bench = PoolBench.of(3, "health.failures=1");
        RequestKey session = new RequestKey(0, false, bench.server("b").route());
        for (int i = 0; i < 5; i++) {
            assertThat(bench.ok(session)).isEqualTo("b");
        }
        Attempts a = bench.request(session);
        a.first(0);
        a.failed("refused");
        a.over();
        assertThat(bench.ok(session)).isNotEqualTo("b");
        assertThat(bench.ok(new RequestKey(0, false, "ABCDEFGHIJKLMNOP"))).isNotEqualTo("-");
        assertThat(bench.pool.counts().stickyFollowed()).isEqualTo(6);
        assertThat(bench.pool.counts().stickyStrayed()).isEqualTo(1);
        assertThat(bench.pool.counts().stickyUnknown()).isEqualTo(1);
    }

    @Test
    void routesAreTheSameAfterARestart() {
        PoolBench one = PoolBench.of(2);
        PoolBench two = PoolBench.of(2);
        assertThat(one.server("a").route()).isEqualTo(two.server("a").route()).hasSize(16);
        assertThat(one.server("a").route()).isNotEqualTo(one.server("b").route());
    }

    @Test
    void aServerThatStaysKeepsItsHealthAndOneThatGoesFinishes() {
        PoolBench bench = PoolBench.of(3, "health.failures=1");
        bench.fails();
        Attempts open = begun(bench);
        PoolServer b = bench.server("b");
        assertThat(open.server()).isSameAs(b);
        bench.weights(bench.rules("health.failures=1"), 7, 0, 1);
        assertThat(bench.server("a").health().standing().state()).isEqualTo(HealthState.DOWN);
        assertThat(bench.server("a").weight()).isEqualTo(7);
        assertThat(b.leaving()).isTrue();
        assertThat(bench.pool.leaving()).containsExactly(b);
        assertThat(bench.spread(10)).isEqualTo(Map.of("c", 10));
        open.answered(200, 0);
        open.over();
        assertThat(bench.pool.leaving()).isEmpty();
        assertThat(bench.events).contains("-b").doesNotContain("-a");
    }

    @Test
    void everyAddressOfANameIsAServerAndAFailureToResolveChangesNothing() throws Exception {
        PoolBench bench = PoolBench.of(1);
        InetAddress one = InetAddress.getByName("192.0.2.1");
        InetAddress two = InetAddress.getByName("192.0.2.2");
        bench.pool.resolved("a", List.of(one, two));
        assertThat(bench.pool.servers().stream().map(s -> s.key().address())).containsExactly(one, two);
        PoolServer kept = bench.pool.servers().get(1);
        bench.pool.resolved("a", List.of());
        assertThat(bench.pool.servers()).hasSize(2);
        bench.pool.resolved("a", List.of(two));
        assertThat(bench.pool.servers()).containsExactly(kept);
        bench.servers(1, "resolve=off");
        assertThat(bench.pool.servers().getFirst().key().address()).isNull();
    }

    @Test
    void membersAreBounded() {
        PoolBench bench = PoolBench.of(1);
        List<ServerPool.Seat> many = java.util.stream.IntStream.range(0, ServerPool.MAX_MEMBERS + 5)
                .mapToObj(i -> new ServerPool.Seat(PoolBench.key("s" + i), 1))
                .toList();
        bench.pool.configure(bench.rules(), many);
        assertThat(bench.pool.servers()).hasSize(ServerPool.MAX_MEMBERS);
    }
}
