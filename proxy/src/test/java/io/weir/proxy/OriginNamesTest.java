package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.pool.OriginStats;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that are the addresses of a name, which change. */
@ExtendWith(LeakCheck.class)
class OriginNamesTest {
    private static TestOrigin origin(ServerSocket socket, String says) {
        return new TestOrigin(socket, (head, in, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + says).getBytes(StandardCharsets.US_ASCII));
            return true;
        });
    }

    /** A socket on another loopback address and the same port. */
    private static ServerSocket beside(ServerSocket first, String address) throws IOException {
        return new ServerSocket(first.getLocalPort(), 50, InetAddress.getAllByName(address)[0]);
    }

    private static ServerSocket[] two() throws IOException {
        for (int i = 0; ; i++) {
            ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            try {
                return new ServerSocket[] {first, beside(first, "127.0.0.2")};
            } catch (BindException e) {
                first.close();
                if (i > 20) {
                    throw e;
                }
            }
        }
    }

    private static String body(RawClient client) throws IOException {
        String answer = client.get("/").answer();
        return answer.substring(answer.length() - 3);
    }

    @Test
    void aChangeOfAddressesIsFollowedAndStaleOnesStayWhileNameServersFail() throws Exception {
        ServerSocket[] sockets = two();
        try (TestDns dns = new TestDns();
                TestOrigin one = origin(sockets[0], "one");
                TestOrigin other = origin(sockets[1], "two")) {
            dns.set("app.test", 1, "127.0.0.1");
            try (TestProxy proxy = TestProxy.Made.of(
                                    "routes.0.origins.0=http://app.test:" + sockets[0].getLocalPort(),
                                    "dns.negative=1s",
                                    "dns.servers.0=" + dns.server())
                            .start();
                    RawClient client = new RawClient(proxy.port())) {
                Await.until("first answer", () -> proxy.value(OriginStats.RESOLUTIONS, "changed") == 1);
                assertThat(body(client)).isEqualTo("one");
                assertThat(body(client)).isEqualTo("one");

                dns.set("app.test", 1, "127.0.0.2");
                Await.until("the change", () -> proxy.value(OriginStats.RESOLUTIONS, "changed") == 2);
                assertThat(body(client)).isEqualTo("two");
                assertThat(one.connections).hasValue(1);
                assertThat(other.connections).hasValue(1);
                Await.until(
                        "connections to the old address",
                        () -> one.peers().isEmpty() || proxy.value(EngineStats.ORIGIN_RETIRED, "origin-left") == 1);

                dns.failing = true;
                Await.until("failures", () -> proxy.value(OriginStats.RESOLUTIONS, "failed") >= 1);
                assertThat(body(client)).isEqualTo("two");

                dns.set("app.test", 600, "127.0.0.1", "127.0.0.2");
                dns.failing = false;
                Await.until("both", () -> proxy.value(OriginStats.RESOLUTIONS, "changed") == 3);
                TreeSet<String> bodies = new TreeSet<>();
                bodies.add(body(client));
                bodies.add(body(client));
                assertThat(bodies).containsExactly("one", "two");
                assertThat(proxy.value(
                                OriginStats.REQUESTS,
                                "http://app.test:" + sockets[0].getLocalPort(),
                                "http://app.test:" + sockets[0].getLocalPort() + " (127.0.0.2)"))
                        .as("the server that stayed kept its figures")
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void offAsksForEachConnection() throws Exception {
        ServerSocket[] sockets = two();
        sockets[1].close();
        try (TestDns dns = new TestDns();
                TestOrigin one = origin(sockets[0], "one")) {
            dns.set("app.test", 600, "127.0.0.1");
            try (TestProxy proxy = TestProxy.Made.of(
                                    "routes.0.pool=shop",
                                    "origins.shop.servers.0.url=http://app.test:" + one.port(),
                                    "origins.shop.resolve=off",
                                    "dns.servers.0=" + dns.server())
                            .start();
                    RawClient client = new RawClient(proxy.port())) {
                assertThat(dns.queries).hasValue(0);
                assertThat(body(client)).isEqualTo("one");
                assertThat(dns.queries).hasPositiveValue();
                assertThat(proxy.stats.sum(OriginStats.RESOLUTIONS)).isZero();
            }
        }
    }

    @Test
    void theLastAddressesAreUsedWhileNameServersFailButNotOfANameThatIsGone() throws Exception {
        try (TestDns dns = new TestDns();
                TestOrigin origin =
                        TestOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\none")) {
            dns.set("app.test", 1, "127.0.0.1");
            try (TestProxy proxy = TestProxy.Made.of(
                                    "routes.0.pool=shop",
                                    "origins.shop.servers.0.url=http://app.test:" + origin.port(),
                                    "origins.shop.resolve=off",
                                    "dns.cache=off",
                                    "dns.servers.0=" + dns.server())
                            .start();
                    RawClient client = new RawClient(proxy.port())) {
                assertThat(body(client)).isEqualTo("one");
                dns.failing = true;
                assertThat(body(client)).isEqualTo("one");
                assertThat(proxy.value(EngineStats.DNS_STALE)).isEqualTo(1);
                dns.failing = false;
                dns.remove("app.test");
                assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ");
                dns.failing = true;
                assertThat(client.get("/").answer()).startsWith("HTTP/1.1 502 ");
            }
        }
    }
}
