package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The forward proxy and CONNECT: destinations, loops, tunnels (RFC 9110 sections 7 and 9.3.6). */
@ExtendWith(LeakCheck.class)
class ForwardTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private static TestProxy.Made forward(String... more) {
        String[] all = new String[more.length + 1];
        all[0] = "routes.0.forward=on";
        System.arraycopy(more, 0, all, 1, more.length);
        return TestProxy.Made.of(all);
    }

    private static TestProxy.Made tunnels(int port, String... more) {
        String[] all = new String[more.length + 2];
        all[0] = "routes.0.connect.enabled=on";
        all[1] = "routes.0.connect.ports.0=" + port;
        System.arraycopy(more, 0, all, 2, more.length);
        return TestProxy.Made.of(all);
    }

    private static TestOrigin echo() throws IOException {
        return new TestOrigin((head, in, out) -> {
            out.write(head.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            out.flush();
            in.transferTo(out);
            TestOrigin.write(out, "bye");
            return false;
        });
    }

    private static String connect(int port) {
        return "CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
    }

    @Test
    void anAbsoluteTargetGoesToTheHostThatItNames() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = forward().start();
                RawClient client = new RawClient(proxy.port())) {
            String there = "127.0.0.1:" + origin.port();
            client.send("GET http://" + there + "/a?b=c HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.getFirst()).startsWith("GET /a?b=c HTTP/1.1\r\nHost: " + there + "\r\n");
            client.send("GET http://" + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.get(1)).startsWith("GET / HTTP/1.1\r\n");
        }
    }

    /** RFC 9112 section 3.2.4. */
    @Test
    void optionsOfAHostIsSentToItAsAnAsterisk() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = forward().start();
                RawClient client = new RawClient(proxy.port())) {
            String there = "127.0.0.1:" + origin.port();
            client.send("OPTIONS http://" + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            client.send("OPTIONS http://" + there + "/ HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.get(0)).startsWith("OPTIONS * HTTP/1.1\r\nHost: " + there + "\r\n");
            assertThat(origin.heads.get(1)).startsWith("OPTIONS / HTTP/1.1\r\n");
        }
    }

    @Test
    void aDestinationIsRefusedByItsResolvedAddress() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy =
                        forward("destinations.loopback-for-loopback=off").start();
                RawClient client = new RawClient(proxy.port())) {
            for (String name : new String[] {"localhost", "127.0.0.1"}) {
                String there = name + ":" + origin.port();
                client.send("GET http://" + there + "/ HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
                assertThat(client.answer()).startsWith("HTTP/1.1 403 ");
            }
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(ProxyStats.DESTINATIONS_REFUSED, DestinationRefusal.LOOPBACK.code()))
                    .isEqualTo(2);
        }
    }

    @Test
    void aForbiddenPortIsRefused() throws Exception {
        try (TestProxy proxy = forward().start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET http://127.0.0.1:25/ HTTP/1.1\r\nHost: 127.0.0.1:25\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void aRequestThatCameThroughHereBeforeIsRefused() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "Via: 1.1 other, 1.1 weir").answer()).startsWith("HTTP/1.1 502 ");
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.LOOP.code())).isOne();
            assertThat(client.get("/a", "Via: 1.1 weird").answer()).endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void aProxyThatIsItsOwnOriginStopsTheLoop() throws Exception {
        try (TestProxy proxy = forward().start();
                RawClient client = new RawClient(proxy.port())) {
            String self = "127.0.0.1:" + proxy.port();
            client.send("POST http://" + self + "/ HTTP/1.1\r\nHost: " + self + "\r\n\r\n");
            assertThat(client.answer()).containsPattern("HTTP/1.1 (502|404) ");
            assertThat(proxy.stats.sum(EngineStats.REQUESTS)).isLessThan(4);
        }
    }

    @Test
    void aTunnelPassesBytesAndBothEnds() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(connect(origin.port()));
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").doesNotContain("Content-Length", "Transfer");
            client.send("early\r\n\r\n");
            assertThat(client.bytes(9)).isEqualTo("early\r\n\r\n");
            assertThat(client.send("ping").bytes(4)).isEqualTo("ping");
            assertThat(proxy.value(EngineStats.TUNNELS_OPEN)).isOne();
            client.socket.shutdownOutput();
            assertThat(client.rest()).isEqualTo("bye");
            Await.until("it is closed", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
            assertThat(proxy.value(EngineStats.TUNNELS, "connect")).isOne();
        }
    }

    @Test
    void whatIsSentRightBehindConnectReachesTheOrigin() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(connect(origin.port()) + "early\r\n\r\n");
            client.socket.shutdownOutput();
            client.head();
            assertThat(client.rest()).isEqualTo("early\r\n\r\nbye");
        }
    }

    @Test
    void tunnelsToOtherPortsAreForbidden() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(443).start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(connect(origin.port())).answer()).startsWith("HTTP/1.1 403 ");
            assertThat(origin.connections).hasValue(0);
        }
    }

    @Test
    void tunnelsToForbiddenAddressesAreRefusedWhateverTheName() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(origin.port(), "destinations.loopback-for-loopback=off")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            String there = "localhost:" + origin.port();
            client.send("CONNECT " + there + " HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 403 ");
            assertThat(origin.connections).hasValue(0);
        }
    }

    @Test
    void tunnelsBeyondTheBoundAreBusy() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(origin.port(), "limits.tunnels=1").start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            assertThat(one.send(connect(origin.port())).head()).startsWith("HTTP/1.1 200 ");
            assertThat(two.send(connect(origin.port())).answer())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After");
        }
    }

    @Test
    void anIdleTunnelIsClosed() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy =
                        tunnels(origin.port(), "time-outs.tunnel-idle=1s").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(connect(origin.port())).head();
            assertThat(client.ended()).isTrue();
            assertThat(proxy.value(EngineStats.TUNNEL_TIMEOUTS)).isOne();
            Await.until("its place is free", () -> proxy.value(EngineStats.TUNNELS_OPEN) == 0);
        }
    }

    @Test
    void anOriginThatLeavesEndsTheTunnel() throws Exception {
        try (TestOrigin origin = echo();
                TestProxy proxy = tunnels(origin.port()).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(connect(origin.port())).head();
            Await.until("it is accepted", () -> origin.connections.get() == 1);
            origin.drop();
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void aTunnelThatCannotBeOpenedIs502AndTheConnectionLivesOn() throws Exception {
        try (ClosedPort nobody = new ClosedPort();
                TestProxy proxy = tunnels(nobody.number()).start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(connect(nobody.number())).answer()).startsWith("HTTP/1.1 502 ");
            }
        }
    }
}
