package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Stats;
import io.weir.kernel.connection.SessionStatus;
import io.weir.kernel.work.WorkStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.upstream.AddressShares;
import io.weir.proxy.upstream.PoolBounds;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients whose answers do not end take an origin's connections: they keep no slot from those who ask other origins, and one
 * address does not get all connections.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AddressSharesTest {
    private static final String EVENTS =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ndata\n\n\r\n";

    private final List<RawClient> clients = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    private TestOrigin origin() throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (head.contains("/events")) {
                TestOrigin.write(out, EVENTS);
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return false;
            }
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 5\r\n\r\nquick");
            return true;
        });
    }

    @AfterEach
    void close() throws IOException {
        end.countDown();
        for (RawClient client : clients) {
            client.close();
        }
    }

    private RawClient from(TestProxy proxy, String address) throws IOException {
        RawClient client = new RawClient(proxy.port());
        clients.add(client);
        client.send("PROXY TCP4 " + address + " 127.0.0.1 40000 80\r\n");
        return client;
    }

    private RawClient ask(TestProxy proxy, String path) throws IOException {
        RawClient client = new RawClient(proxy.port());
        clients.add(client);
        return client.get(path);
    }

    private static long sessions(TestProxy proxy, SessionStatus status) {
        return proxy.kernel.sessions().active().stream()
                .filter(s -> s.status() == status)
                .count();
    }

    @Test
    void whoWaitsForAFullOriginHoldsNoSlot() throws Exception {
        try (TestOrigin full = origin();
                TestOrigin other = origin();
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.path=/full/",
                                "routes.0.origins.0=http://127.0.0.1:" + full.port(),
                                "routes.1.path=/",
                                "routes.1.origins.0=http://127.0.0.1:" + other.port(),
                                "origin-pool.max-connections-per-origin=4")
                        .kernel("socket-readers=1", "request-throttle=8")
                        .start()) {
            for (int i = 0; i < 4; i++) {
                assertThat(ask(proxy, "/full/events").head()).startsWith("HTTP/1.1 200 ");
            }
            // both ways that a request can go: past the store, and as the leader of a fill
            for (int i = 0; i < 16; i++) {
                RawClient client = new RawClient(proxy.port());
                clients.add(client);
                client.send((i % 2 == 0 ? "POST" : "GET") + " /full/" + i
                        + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            }
            Await.until("all wait", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 16);
            assertThat(proxy.kernel.connectionQueue().active()).isZero();
            assertThat(sessions(proxy, SessionStatus.AWAITING_CONNECTION)).isEqualTo(16);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(proxy, "/" + i).answer()).endsWith("quick");
            }
            end.countDown();
            for (int i = 4; i < 20; i++) {
                assertThat(clients.get(i).answer()).endsWith("quick");
            }
            assertThat(sessions(proxy, SessionStatus.AWAITING_CONNECTION)).isZero();
            Await.until("no slot is held", () -> proxy.kernel.connectionQueue().active() == 0);
            assertThat(proxy.value(WorkStats.SHARED_USED)).isZero();
        }
    }

    @Test
    void oneAddressDoesNotGetAllConnections() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.max-connections-per-address=4")
                        .listener("port=0", "proxy-protocol.enabled=on")
                        .kernel("socket-readers=1")
                        .start()) {
            for (int i = 0; i < 4; i++) {
                assertThat(from(proxy, "203.0.113.1").get("/events/" + i).head())
                        .startsWith("HTTP/1.1 200 ");
            }
            RawClient greedy = from(proxy, "203.0.113.1");
            assertThat(greedy.get("/5").answer()).startsWith("HTTP/1.1 503 ");
            assertThat(proxy.stats.sum(EngineStats.ORIGIN_REFUSED)).isEqualTo(1);
            assertThat(from(proxy, "203.0.113.2").get("/6").answer()).endsWith("quick");
            // one that ends makes room
            clients.getFirst().reset();
            Await.until("its fetch is over", () -> proxy.stats.sum(EngineStats.ORIGIN_CONNECTIONS) <= 4);
            assertThat(greedy.get("/7").answer()).endsWith("quick");
        }
    }

    @Test
    void autoIsHalfOfWhatAnOriginMayHaveAndLeavesThisMachineOut() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            assertThat(proxy.proxy.origins().maxFetchesPerAddress())
                    .isEqualTo(proxy.proxy.origins().bounds().perOrigin() / 2);
            assertThat(proxy.proxy.origins().bounds().ownToo()).isFalse();
        }
        try (TestOrigin origin = origin();
                TestProxy proxy = TestProxy.reversing(origin.port(), "origin-pool.max-connections-per-origin=8")
                        .start()) {
            assertThat(proxy.proxy.origins().maxFetchesPerAddress()).isZero();
        }
    }

    private static AddressShares one(boolean ownToo) {
        var bounds = new PoolBounds(1, 1, ownToo, 0, 1, 1, 0, 1);
        return new AddressShares(() -> bounds, new Stats().counter(EngineStats.ORIGIN_REFUSED));
    }

    @Test
    void thisMachinesOwnAreCountedWhereTheBoundIsAskedFor() {
        InetAddress own = InetAddress.ofLiteral("127.0.0.9");
        for (boolean ownToo : List.of(true, false)) {
            AddressShares shares = one(ownToo);
            assertThat(shares.take(own)).isNotSameAs(AddressShares.REFUSED);
            assertThat(shares.take(own) == AddressShares.REFUSED).isEqualTo(ownToo);
            InetAddress other = InetAddress.ofLiteral("203.0.113.1");
            assertThat(shares.take(other)).isNotSameAs(AddressShares.REFUSED);
            assertThat(shares.take(other)).isSameAs(AddressShares.REFUSED);
        }
    }

    @Test
    void addressesThatHaveGoneAreForgotten() {
        AddressShares shares = one(false);
        for (int i = 0; i < 10_000; i++) {
            AddressShares.Share one = shares.take(InetAddress.ofLiteral("10.0." + i / 256 + "." + i % 256));
            assertThat(one).isNotSameAs(AddressShares.REFUSED);
            one.leave();
        }
        assertThat(shares.remembered()).isLessThan(2_000);
    }
}
