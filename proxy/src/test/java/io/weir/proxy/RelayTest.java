package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is passed on, what is taken out and what is added, in requests and answers (RFC 9110 section 7). */
@ExtendWith(LeakCheck.class)
class RelayTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final String NONE = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    @Test
    void hopByHopFieldsOfARequestEndHere() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.get(
                    "/a",
                    "Connection: x-mine, keep-alive",
                    "X-Mine: secret",
                    "Keep-Alive: timeout=9",
                    "Proxy-Connection: keep-alive",
                    "TE: trailers",
                    "Proxy-Authorization: Basic eDp5",
                    "Upgrade: h2c",
                    "X-End: kept");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.getFirst())
                    .startsWith("GET /a HTTP/1.1\r\n")
                    .contains("X-End: kept\r\n")
                    .doesNotContainIgnoringCase("x-mine")
                    .doesNotContainIgnoringCase("keep-alive")
                    .doesNotContainIgnoringCase("proxy-")
                    .doesNotContain("TE: ", "Upgrade", "Connection");
        }
    }

    @Test
    void viaIsAddedToWhatOthersWrote() throws Exception {
        String answer = "HTTP/1.0 200 OK\r\nVia: 1.0 far\r\nContent-Length: 5\r\n\r\nhello";
        try (TestOrigin origin = TestOrigin.always(answer);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a", "Via: 1.0 near").answer()).contains("Via: 1.0 far, 1.0 weir\r\n");
            assertThat(origin.heads.getFirst()).contains("Via: 1.0 near, 1.1 weir\r\n");
        }
    }

    @Test
    void anOriginLearnsTheClientByForwardedFields() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy =
                        TestProxy.reversing(origin.port(), "forwarded=both").start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "X-Forwarded-For: 9.9.9.9", "Forwarded: for=9.9.9.9")
                    .answer();
            assertThat(origin.heads.getFirst())
                    .contains("X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-Proto: http\r\n")
                    .contains("X-Forwarded-Host: example.com\r\n", "Forwarded: for=127.0.0.1;")
                    .doesNotContain("9.9.9.9");
        }
    }

    @Test
    void theListsOfTrustedProxiesAreExtended() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = TestProxy.reversing(origin.port(), "trusted-proxies.0=127.0.0.0/8")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "X-Forwarded-For: 9.9.9.9", "X-Forwarded-Proto: https")
                    .answer();
            assertThat(origin.heads.getFirst())
                    .contains("X-Forwarded-For: 9.9.9.9, 127.0.0.1\r\n", "X-Forwarded-Proto: https\r\n");
        }
    }

    @Test
    void forwardingFieldsAreDroppedWhenThatIsOff() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy =
                        TestProxy.reversing(origin.port(), "forwarded=off").start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "X-Forwarded-For: 9.9.9.9", "Forwarded: for=9.9.9.9")
                    .answer();
            assertThat(origin.heads.getFirst()).doesNotContain("orwarded", "9.9.9.9");
        }
    }

    @Test
    void forwardingFieldsOfATrustedProxyPassUntouchedWhenThatIsOff() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = TestProxy.reversing(origin.port(), "forwarded=off", "trusted-proxies.0=127.0.0.0/8")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a", "X-Forwarded-For: 9.9.9.9").answer();
            assertThat(origin.heads.getFirst())
                    .contains("X-Forwarded-For: 9.9.9.9\r\n")
                    .doesNotContain("127.0.0.1", "X-Forwarded-Proto");
        }
    }

    @Test
    void headHasTheFieldsButNoBody() throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nX-A: 1\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.head()).contains("Content-Length: 1000\r\n", "X-A: 1\r\n");
            }
            assertThat(origin.heads.getFirst()).startsWith("HEAD /a ");
            assertThat(origin.connections).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BREW", "PROPFIND", "M-SEARCH"})
    void unknownMethodsAreRelayed(String method) throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(method + " /pot HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.getFirst()).startsWith(method + " /pot HTTP/1.1\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"299 Odd", "418 I'm a teapot", "599 Far Away", "404 "})
    void unknownStatusesAreRelayedWithTheirReason(String status) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).startsWith("HTTP/1.1 " + status + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void statusesWithoutBodyLeaveTheConnectionUsable(String status) throws Exception {
        try (TestOrigin origin = TestOrigin.always("HTTP/1.1 " + status + "\r\nETag: \"a\"\r\n\r\n");
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                // past the store, so that the origin is asked what the client asks
                assertThat(client.get("/a", "Cache-Control: no-store", "If-None-Match: \"a\"")
                                .head())
                        .startsWith("HTTP/1.1 " + status)
                        .doesNotContain("Content-Length", "Transfer-Encoding", "Connection: close");
            }
        }
    }

    @Test
    void aMissingDateIsAddedAndAPresentOneKept() throws Exception {
        String dated = "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(NONE, dated);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).containsPattern("Date: \\w{3}, .* GMT\r\n");
            assertThat(client.get("/b").answer()).containsOnlyOnce("Date: ").contains("06 Nov 1994");
        }
    }

    @Test
    void maxForwardsIsCountedDownAndEndsHere() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("OPTIONS /a HTTP/1.1\r\nHost: a\r\nMax-Forwards: 3\r\n\r\n")
                    .answer();
            assertThat(origin.heads.getFirst()).contains("Max-Forwards: 2\r\n");
            client.send("OPTIONS /a HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").contains("Allow: ");
            client.get("/a", "Max-Forwards: 0").answer();
            assertThat(origin.heads).hasSize(2);
            assertThat(origin.heads.get(1)).startsWith("GET ").contains("Max-Forwards: 0\r\n");
        }
    }

    @Test
    void optionsForTheServerAreAnsweredHere() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").contains("Content-Length: 0\r\n");
            assertThat(origin.heads).isEmpty();
        }
    }

    @Test
    void traceThatEndsHereIsEchoedWithoutSecrets() throws Exception {
        try (TestOrigin origin = TestOrigin.always(NONE);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("TRACE /t HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\nCookie: c=1\r\nX-A: 1\r\n\r\n");
            assertThat(client.answer())
                    .contains("Content-Type: message/http\r\n", "TRACE /t HTTP/1.1\r\n", "X-A: 1\r\n")
                    .doesNotContain("c=1");
        }
    }

    @Test
    void theRoutesChangesReachCachedAndUncachedAnswers() throws Exception {
        String fresh = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nServer: old\r\nContent-Length: 0\r\n\r\n";
        try (TestOrigin origin = TestOrigin.inTurn(fresh, NONE);
                TestProxy proxy = TestProxy.reversing(
                                origin.port(),
                                "routes.0.set-response-headers.X-Set=yes",
                                "routes.0.remove-response-headers.0=Server",
                                "routes.0.set-request-headers.X-Up=1",
                                "routes.0.remove-request-headers.0=Accept")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (String path : new String[] {"/a", "/a", "/b"}) {
                assertThat(client.get(path, "Accept: x/y").answer())
                        .contains("X-Set: yes\r\n")
                        .doesNotContain("Server");
            }
            assertThat(origin.heads).hasSize(2);
            assertThat(origin.heads.getFirst()).contains("X-Up: 1\r\n").doesNotContain("Accept");
        }
    }

    @Test
    void redirectsOfTheOriginToItselfBecomeTheClients() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    String self = head.replaceAll("(?s).*Host: ([^\r]*)\r.*", "$1");
                    TestOrigin.write(
                            out, "HTTP/1.1 302 Found\r\nLocation: http://" + self + "/b\r\nContent-Length: 0\r\n\r\n");
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.rewrite-host=on")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/a").answer()).contains("Location: http://example.com/b\r\n");
            assertThat(origin.heads.getFirst()).contains("Host: 127.0.0.1:" + origin.port());
        }
    }
}
