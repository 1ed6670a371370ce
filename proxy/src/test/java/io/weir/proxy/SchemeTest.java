package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fault;
import io.weir.proxy.cache.CachedObject;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the scheme of a request comes from: its connection, a trusted peer, or a target that is forwarded (RFC 9110 7.4). */
@ExtendWith(LeakCheck.class)
class SchemeTest {
    private static final String FRESH =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";
    private static final String FORWARDING_ALL = "routes.0.forward=on";

    @TempDir
    static Path folder;

    private static TestTls tls;

    @BeforeAll
    static void authority() throws Exception {
        tls = TestTls.in(folder);
    }

    private static TestOrigin encryptedOrigin(String answer) throws Exception {
        char[] secret = "secret".toCharArray();
        KeyStore keys = tls.leaf().toKeyStore("JKS", secret);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return new TestOrigin(
                context.getServerSocketFactory().createServerSocket(0, 128, InetAddress.getLoopbackAddress()),
                (head, in, out) -> {
                    TestOrigin.write(out, answer);
                    return true;
                });
    }

    private static String absolute(String method, String scheme, String host, String path) {
        return method + ' ' + scheme + "://" + host + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    private static String[] frames(String scheme, String host, String path) {
        return new String[] {":method: GET", ":scheme: " + scheme, ":authority: " + host, ":path: " + path};
    }

    private static List<String> keys(TestProxy proxy) {
        return proxy.proxy.cache().inspection().objects(10).stream()
                .map(CachedObject::uri)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
    void aTargetOfHttpsOnAPlainConnectionIsMisdirected(String method) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send(absolute(method, "https", "v.test", "/p"));
            assertThat(client.head()).startsWith("HTTP/1.1 421 Misdirected Request\r\n");
            assertThat(origin.heads).isEmpty();
            assertThat(proxy.value(ProxyStats.FAULTS, ProxyFault.MISDIRECTED.code()))
                    .isOne();
        }
    }

    @Test
    void nobodyPutsARedirectToHttpsUnderAKeyOfHttps() throws Exception {
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    boolean plain = head.contains("X-Forwarded-Proto: http\r\n");
                    TestOrigin.write(
                            out,
                            plain
                                    ? "HTTP/1.1 301 M\r\nLocation: /x\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n"
                                    : FRESH);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient attacker = new RawClient(proxy.port());
                RawClient victim = new RawClient(tls.connect(tls.listener(proxy), "http/1.1"))) {
            attacker.send(absolute("GET", "https", "v.test", "/p")).answer();
            victim.send("GET /p HTTP/1.1\r\nHost: v.test\r\n\r\n");
            assertThat(victim.answer()).startsWith("HTTP/1.1 200 ").endsWith("hello");
            attacker.send("GET /p HTTP/1.1\r\nHost: v.test\r\n\r\n");
            assertThat(attacker.answer()).startsWith("HTTP/1.1 301 ");
            assertThat(keys(proxy)).containsExactlyInAnyOrder("https://v.test:443/p", "http://v.test:80/p");
        }
    }

    @Test
    void theSchemeOfFramesIsThatOfTheirConnection() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient plain = new FrameClient(proxy.port());
                FrameClient secure =
                        new FrameClient(tls.connect(tls.listener(proxy), "h2")).preface(FrameClient.NOTHING)) {
            assertThat(plain.request(1, true, frames("https", "v.test", "/p"))
                            .answer(1)
                            .status())
                    .isEqualTo("421");
            assertThat(secure.request(1, true, frames("http", "v.test", "/p"))
                            .answer(1)
                            .status())
                    .isEqualTo("421");
            assertThat(origin.heads).isEmpty();
            assertThat(plain.request(3, true, frames("http", "v.test", "/p"))
                            .answer(3)
                            .status())
                    .isEqualTo("200");
            assertThat(secure.request(3, true, frames("https", "v.test", "/p"))
                            .answer(3)
                            .status())
                    .isEqualTo("200");
            assertThat(origin.heads).hasSize(2);
            assertThat(origin.heads.get(0)).contains("X-Forwarded-Proto: http\r\n");
            assertThat(origin.heads.get(1)).contains("X-Forwarded-Proto: https\r\n");
        }
    }

    @Test
    void aWebSocketOfAnotherSchemeIsMisdirected() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port());
                FrameClient client = new FrameClient(proxy.port())) {
            client.request(
                    1,
                    true,
                    ":method: CONNECT",
                    ":protocol: websocket",
                    ":scheme: https",
                    ":authority: v.test",
                    ":path: /p",
                    "sec-websocket-version: 13");
            assertThat(client.answer(1).status()).isEqualTo("421");
            assertThat(origin.heads).isEmpty();
        }
    }

    @Test
    void whatIsAnsweredHereIsNotForAnotherScheme() throws Exception {
        try (TestProxy proxy = TestProxy.Made.of(
                                "routes.0.path=/r",
                                "routes.0.redirect.url=http://v.test/",
                                "routes.1.path=/t",
                                "routes.1.respond.status=200")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (String path : List.of("/r", "/t")) {
                client.send(absolute("GET", "https", "v.test", path));
                assertThat(client.answer()).startsWith("HTTP/1.1 421 ");
                client.send(absolute("GET", "http", "v.test", path));
                assertThat(client.answer()).doesNotStartWith("HTTP/1.1 421 ");
            }
        }
    }

    @Test
    void aTrustedPeerSaysWhatItsClientSpoke() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reversing(origin.port(), "trusted-proxies.0=127.0.0.0/8")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /1 HTTP/1.1\r\nHost: v.test:443\r\nX-Forwarded-Proto: https\r\n\r\n")
                    .answer();
            client.send("GET /2 HTTP/1.1\r\nHost: v.test\r\nForwarded: for=9.9.9.9;proto=HTTPS\r\n\r\n")
                    .answer();
            client.send(absolute("GET", "https", "v.test", "/3")).answer();
            client.send("GET /4 HTTP/1.1\r\nHost: v.test\r\nX-Forwarded-Proto: gopher\r\n\r\n")
                    .answer();
            assertThat(keys(proxy))
                    .containsExactlyInAnyOrder(
                            "https://v.test:443/1",
                            "https://v.test:443/2",
                            "https://v.test:443/3",
                            "http://v.test:80/4");
            assertThat(origin.heads.get(0))
                    .contains("\r\nHost: v.test\r\n", "X-Forwarded-Proto: https\r\n", "X-Forwarded-Host: v.test\r\n");
            assertThat(origin.heads.get(3)).contains("X-Forwarded-Proto: http\r\n");
        }
    }

    /** Version 2: from 1.2.3.4:5 to 5.6.7.8:9, with what PP2_TYPE_SSL says of the client. */
    private static String header(int ssl) {
        return "\r\n\r\n\0\r\nQUIT\n" + "!\u0011\0\u0014" + "\1\2\3\4\5\6\7\10\0\5\0\11" + " \0\5" + (char) ssl
                + "\0\0\0\0";
    }

    @Test
    void aLoadBalancerSaysWhatItsClientSpeaks() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .listener("port=0", "proxy-protocol.enabled=on", "proxy-protocol.trusted.0=127.0.0.0/8")
                        .start();
                RawClient tls = new RawClient(proxy.port());
                RawClient plain = new RawClient(proxy.port())) {
            tls.send(header(1)).send("GET /a HTTP/1.1\r\nHost: v.test:443\r\n\r\n");
            assertThat(tls.answer()).endsWith("hello");
            plain.send(header(0)).send("GET /b HTTP/1.1\r\nHost: v.test\r\n\r\n");
            assertThat(plain.answer()).endsWith("hello");
            assertThat(keys(proxy)).containsExactlyInAnyOrder("https://v.test:443/a", "http://v.test:80/b");
            assertThat(origin.heads.get(0)).contains("Host: v.test\r\n", "X-Forwarded-Proto: https\r\n");
            assertThat(origin.heads.get(1)).contains("X-Forwarded-Proto: http\r\n");
            assertThat(plain.send(absolute("GET", "https", "v.test", "/c")).answer())
                    .startsWith("HTTP/1.1 421 ");
        }
    }

    @Test
    void aForwardedTargetHasItsOwnScheme() throws Exception {
        try (TestOrigin secure = encryptedOrigin(FRESH);
                TestOrigin plain = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.Made.of(FORWARDING_ALL, "origin-tls.trust-file=" + folder.resolve("ca.pem"))
                        .start();
                RawClient client = new RawClient(proxy.port());
                RawClient throughTls = new RawClient(tls.connect(tls.listener(proxy), "http/1.1"))) {
            String https = "localhost:" + secure.port();
            String http = "localhost:" + plain.port();
            assertThat(client.send(absolute("GET", "https", https, "/")).answer())
                    .endsWith("hello");
            assertThat(throughTls.send(absolute("GET", "http", http, "/")).answer())
                    .endsWith("hello");
            assertThat(secure.heads.getFirst()).contains("X-Forwarded-Proto: https\r\n");
            assertThat(plain.heads.getFirst()).contains("X-Forwarded-Proto: http\r\n");
            assertThat(keys(proxy)).containsExactlyInAnyOrder("https://" + https + "/", "http://" + http + "/");
            assertThat(client.send(absolute("GET", "http", http, "/")).answer()).contains("; hit");
        }
    }

    @Test
    void aHostThatIsMappedToHttpsIsFetchedOverTls() throws Exception {
        try (TestOrigin secure = encryptedOrigin(FRESH);
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.functions.0.name=host-map",
                                "routes.0.functions.0.parameters.url-prefix=https://",
                                "routes.0.functions.1.name=proxy-retrieve",
                                "routes.0.functions.1.stage=service",
                                "origin-tls.trust-file=" + folder.resolve("ca.pem"))
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET /a HTTP/1.1\r\nHost: LOCALHOST.:" + secure.port() + "\r\n\r\n");
            assertThat(client.answer()).endsWith("hello");
            assertThat(secure.heads.getFirst()).contains("\r\nHost: localhost:" + secure.port() + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp", "gopher", "ws", "file", "httpx"})
    void otherSchemesAreNotFetchedAsHttp(String scheme) throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.Made.of(FORWARDING_ALL).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send(absolute("GET", scheme, "127.0.0.1:" + origin.port(), "/f"));
            assertThat(client.answer()).startsWith("HTTP/1.1 400 ");
            assertThat(client.ended()).isTrue();
            assertThat(origin.connections).hasValue(0);
            assertThat(proxy.value(EngineStats.FAULTS, "request", Fault.TARGET_SCHEME.label()))
                    .isOne();
        }
    }

    @Test
    void anEmptyHostIsRefused() throws Exception {
        try (TestOrigin origin = TestOrigin.always(FRESH);
                TestProxy proxy = TestProxy.reverse(origin.port())) {
            for (String version : List.of("1.0", "1.1")) {
                try (RawClient client = new RawClient(proxy.port())) {
                    client.send("GET / HTTP/" + version + "\r\nHost:\r\n\r\n");
                    assertThat(client.answer()).startsWith("HTTP/1.1 400 ");
                }
            }
            assertThat(origin.heads).isEmpty();
        }
    }
}
