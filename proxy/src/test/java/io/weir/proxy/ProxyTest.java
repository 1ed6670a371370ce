package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

@org.junit.jupiter.api.extension.ExtendWith(LeakCheck.class)
class ProxyTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";
    private static final String GET = "GET /a HTTP/1.1\r\nHost: example.com\r\n\r\n";

    @Test
    void anAnswerIsRelayedWithoutHopByHopFields() throws Exception {
        String answer =
                "HTTP/1.1 200 OK\r\nConnection: x-own\r\nX-Own: 1\r\nX-Kept: 2\r\nKeep-Alive: 5\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            String got = client.send(GET).answer();
            assertThat(got)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("X-Kept: 2\r\n", "Via: 1.1 weir\r\n")
                    .endsWith("\r\n\r\nhello");
            assertThat(got).doesNotContain("X-Own", "Keep-Alive");
            assertThat(origin.heads.getFirst())
                    .contains("Host: example.com\r\n", "Via: 1.1 weir\r\n", "X-Forwarded-For: 127.0.0.1\r\n");
        }
    }

    @Test
    void aConnectionIsKeptAndTheOriginsIsReused() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(GET).answer()).endsWith("hello");
            }
            assertThat(origin.connections).hasValue(1);
        }
    }

    @Test
    void aFreshAnswerIsServedFromMemory() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.send(GET).answer())
                    .contains("Cache-Status: weir; fwd=uri-miss; stored")
                    .endsWith("hello");
            assertThat(client.send(GET).answer())
                    .contains("Cache-Status: weir; hit; ttl=", "Age: ")
                    .endsWith("hello");
            assertThat(origin.heads).hasSize(1);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String path = head.split(" ", -1)[1];
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + path.length() + "\r\n\r\n" + path)
                            .getBytes(StandardCharsets.US_ASCII));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(
                    "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer()).endsWith("/1");
            assertThat(client.answer()).endsWith("/2");
            assertThat(client.answer()).endsWith("/3");
        }
    }

    @Test
    void aBodyIsStreamedToTheOrigin() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    byte[] body = in.readNBytes(100_000);
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n" + body.length)
                            .getBytes(StandardCharsets.US_ASCII));
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000));
            assertThat(client.answer()).endsWith("100000");
            assertThat(client.send(GET.replace("GET /a", "POST /b")
                                            .replace("\r\n\r\n", "\r\nContent-Length: 100000\r\n\r\n")
                                    + "y".repeat(100_000))
                            .answer())
                    .endsWith("100000");
        }
    }

    @Test
    void chunksAndTrailersAreRelayed() throws Exception {
        String answer =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Digest\r\n\r\n5\r\nhello\r\n0\r\nDigest: 7\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(GET.replace("\r\n\r\n", "\r\nTE: trailers\r\nConnection: close, TE\r\n\r\n"));
            assertThat(client.rest()).endsWith("5\r\nhello\r\n0\r\nDigest: 7\r\n\r\n");
        }
    }

    @Test
    void anUpgradeBecomesATunnel() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    out.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    int b;
                    while ((b = in.read()) >= 0) {
                        out.write(b);
                        out.flush();
                    }
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 101 ").contains("Upgrade: echo\r\n");
            assertThat(client.send("ping").bytes(4)).isEqualTo("ping");
            client.socket.shutdownOutput();
            assertThat(client.rest()).isEmpty();
        }
    }
}
