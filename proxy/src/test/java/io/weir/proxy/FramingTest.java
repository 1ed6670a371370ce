package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.context.EngineStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How bodies are framed on both sides (RFC 9112 section 6), interim answers and expectations. */
@ExtendWith(LeakCheck.class)
class FramingTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    @Test
    void interimAnswersComeBeforeTheFinalOne() throws Exception {
        String answer =
                "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" + "HTTP/1.1 102 Processing\r\n\r\n" + OK;
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a");
            assertThat(client.head()).startsWith("HTTP/1.1 103 ").contains("Link: </a>; rel=preload\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 102 ");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("hello");
        }
    }

    @Test
    void clientsOfHttp10GetNoInterimAnswers() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /a HTTP/1.0\r\nHost: a\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 200 ").endsWith("hello");
        }
    }

    @Test
    void anOriginWithInterimAnswersWithoutEndIsMalformed() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100) + OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a");
            String head = client.head();
            int interim = 0;
            while (head.startsWith("HTTP/1.1 103")) {
                interim++;
                head = client.head();
            }
            assertThat(head).startsWith("HTTP/1.1 502 ");
            assertThat(interim).isEqualTo(64);
            assertThat(proxy.value(EngineStats.ORIGIN_FAILURES, "malformed")).isOne();
        }
    }

    @Test
    void theOriginSays100AndTheBodyFollows() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 100 Continue\r\n\r\n");
                    String body = new String(in.readNBytes(4), java.nio.charset.StandardCharsets.US_ASCII);
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + body);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 100 ");
            assertThat(client.send("body").answer()).startsWith("HTTP/1.1 200 ").endsWith("body");
            assertThat(client.get("/b").head()).startsWith("HTTP/1.1 100 ");
        }
    }

    @Test
    void aFinalAnswerInsteadOf100EndsTheConnection() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 417 ").contains("Connection: close\r\n");
        }
    }

    @Test
    void aRefusalOfOurOwnToAWaitingClientEndsTheConnection() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.deny=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.rest()).startsWith("HTTP/1.1 403 ").contains("Connection: close\r\n");
        }
    }

    @Test
    void anExpectationOfAnHttp10ClientIsNotPassedOn() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    in.readNBytes(4);
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("PUT /a HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(client.rest()).startsWith("HTTP/1.1 200 ");
            assertThat(origin.heads.getFirst()).doesNotContain("Expect");
        }
    }

    @Test
    void aChunkedUploadArrivesInChunksWithItsTrailers() throws Exception {
        StringBuilder seen = new StringBuilder();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    while (!seen.toString().endsWith("\r\n\r\n")) {
                        seen.append((char) in.read());
                    }
                    TestOrigin.write(out, OK);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: Digest\r\n\r\n");
            client.send("3;ext=1\r\nabc\r\n").send("A\r\n0123456789\r\n0\r\nDigest: 9\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.getFirst()).contains("Transfer-Encoding: chunked\r\n");
            assertThat(seen.toString()).doesNotContain("ext").endsWith("0\r\nDigest: 9\r\n\r\n");
            assertThat(seen.toString().replaceAll("\r\n[0-9a-fA-F]+\r\n|^[0-9a-fA-F]+\r\n", ""))
                    .startsWith("abc0123456789");
        }
    }

    @Test
    void chunksBecomeTheConnectionsEndForAnHttp10Client() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /a HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.rest())
                    .contains("Connection: close\r\n")
                    .doesNotContain("chunked")
                    .endsWith("\r\n\r\nhello world");
        }
    }

    @Test
    void aCutAnswerToAnHttp10ClientEndsWithAReset() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                    return in.read() >= 0;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /a HTTP/1.0\r\nHost: a\r\n\r\n");
            client.head();
            assertThat(client.bytes(5)).isEqualTo("hello");
            origin.drop();
            assertThat(org.assertj.core.api.Assertions.catchThrowable(client::rest))
                    .isInstanceOf(java.net.SocketException.class);
        }
    }

    @Test
    void anAnswerUntilCloseBecomesChunks() throws Exception {
        String body = "x".repeat(300_000);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\n\r\n" + body);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                String answer = client.get("/a").answer();
                assertThat(answer).contains("Transfer-Encoding: chunked\r\n").endsWith("0\r\n\r\n");
                assertThat(answer.chars().filter(c -> c == 'x').count()).isEqualTo(300_000);
            }
            assertThat(origin.connections).hasValue(2);
        }
    }

    @Test
    void anAnswerUntilCloseReachesASlowReaderWhole() throws Exception {
        String body = "y".repeat(3_000_000);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.0 200 OK\r\n\r\n" + body);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send("GET /a HTTP/1.0\r\nHost: a\r\n\r\n");
            client.head();
            long read = 0;
            for (String piece = client.bytes(1000); !piece.isEmpty(); piece = client.bytes(1000)) {
                read += piece.length();
            }
            assertThat(read).isEqualTo(3_000_000);
        }
    }

    @Test
    void anHttp10OriginIsUsedOnceUnlessItSaysKeepAlive() throws Exception {
        String once = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        String kept = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.inTurn(once, kept);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.get("/" + i).answer())
                        .startsWith("HTTP/1.1 200 ")
                        .contains("Via: 1.0 weir");
            }
            assertThat(origin.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0\r\nConnection: keep-alive", "HTTP/1.1"})
    void aClientThatWantsToStayMay(String version) throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /" + i + " " + version + "\r\nHost: a\r\n\r\n");
                String answer = client.answer();
                assertThat(answer).doesNotContain("Connection: close").endsWith("hello");
                // a client of 1.0 is told, for it would not know (RFC 9112 section 9.3)
                assertThat(answer.contains("Connection: keep-alive\r\n")).isEqualTo(version.startsWith("HTTP/1.0"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.0",
                "HTTP/1.1\r\nConnection: close",
                "HTTP/1.0\r\nConnection: keep-alive, close",
                "HTTP/1.0\r\nConnection: Keep-Alive\r\nConnection: Close",
                "HTTP/1.0\r\nKeep-Alive: timeout=5",
                "HTTP/1.0\r\nProxy-Connection: keep-alive"
            })
    void aClientThatDoesNotStayIsClosed(String version) throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /a " + version + "\r\nHost: a\r\n\r\n");
            assertThat(client.rest()).contains("Connection: close\r\n").endsWith("hello");
        }
    }

    @Test
    void connectWithABodyIsNotATunnel() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of("routes.0.connect.enabled=on").start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
        }
    }
}
