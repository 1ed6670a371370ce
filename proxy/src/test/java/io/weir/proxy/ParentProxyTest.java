package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.run.ProxyStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Proxies behind this one: {@code set-proxy-server} (RFC 9112 sections 3.2.2 and 3.2.3). */
@ExtendWith(LeakCheck.class)
class ParentProxyTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\nhello";

    @TempDir
    private Path folder;

    private TestProxy.Made through(String route, String... more) throws IOException {
        return objects("""
                <Object name="default">
                PathCheck fn="check-destination" port="1-65535"
                ObjectType fn="cache-enable"
                %s
                Service fn="proxy-retrieve" method="*"
                </Object>
                """.formatted(route), more);
    }

    private TestProxy.Made objects(String text, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("obj.conf"), text);
        String[] all = new String[more.length + 1];
        all[0] = "objects=" + file;
        System.arraycopy(more, 0, all, 1, more.length);
        return TestProxy.Made.of(all);
    }

    private static String parent(int port) {
        return "Route fn=\"set-proxy-server\" hostname=\"127.0.0.1\" port=\"" + port + "\"";
    }

    private static String get(String url) {
        String host = url.substring(7, url.indexOf('/', 7));
        return "GET " + url + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }

    /** A proxy of a few lines, which passes on what follows the head of a CONNECT. */
    private static TestOrigin tunnels() throws IOException {
        return new TestOrigin((_, in, out) -> {
            TestOrigin.write(out, "HTTP/1.1 200 Fine\r\nX-Own: 1\r\n\r\n");
            in.transferTo(out);
            TestOrigin.write(out, "bye");
            return false;
        });
    }

    @Test
    void aForwardedRequestGoesToTheParentWithItsWholeUrl() throws Exception {
        try (TestOrigin parent = TestOrigin.always(OK);
                TestProxy proxy = through(parent(parent.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            String url = "http://nowhere.invalid:8081/a?b=c";
            assertThat(client.send(get(url)).answer())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("hello");
            assertThat(parent.heads.getFirst())
                    .startsWith("GET " + url + " HTTP/1.1\r\nHost: nowhere.invalid:8081\r\n")
                    .contains("\r\nVia: 1.1 ");
            // its answers are stored, and given to the next client without the parent
            assertThat(client.send(get(url)).answer()).endsWith("hello").contains("Cache-Status: weir; hit");
            assertThat(parent.heads).hasSize(1);
            client.send("OPTIONS http://nowhere.invalid HTTP/1.1\r\nHost: nowhere.invalid\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(parent.heads.get(1)).startsWith("OPTIONS http://nowhere.invalid HTTP/1.1\r\n");
        }
    }

    @Test
    void parentsShareTheLoadAndStandInForEachOther() throws Exception {
        int down;
        try (TestOrigin gone = TestOrigin.always(OK)) {
            down = gone.port();
        }
        try (TestOrigin one = TestOrigin.always(OK);
                TestOrigin two = TestOrigin.always(OK)) {
            String route = "Route fn=set-proxy-server server=http://127.0.0.1:" + one.port()
                    + " server=http://127.0.0.1:" + two.port() + " server=http://127.0.0.1:" + down;
            try (TestProxy proxy = through(route).start();
                    RawClient client = new RawClient(proxy.port())) {
                for (int i = 0; i < 12; i++) {
                    assertThat(client.send(get("http://nowhere.invalid/" + i)).answer())
                            .endsWith("hello");
                }
                assertThat(one.heads.size() + two.heads.size()).isEqualTo(12);
                assertThat(one.heads).hasSizeBetween(4, 8);
            }
        }
    }

    /** What a parent says of its origins is no reason to leave it: it is up. */
    @Test
    void aParentThatCannotReachOriginsStaysInUse() throws Exception {
        try (TestOrigin parent = TestOrigin.always("HTTP/1.1 504 No\r\nContent-Length: 2\r\n\r\nno");
                TestProxy proxy = through(parent(parent.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(get("http://nowhere.invalid/" + i)).answer())
                        .startsWith("HTTP/1.1 504 ")
                        .endsWith("no");
            }
            assertThat(parent.heads).hasSize(20);
        }
    }

    @Test
    void aTunnelIsOpenedByTheParent() throws Exception {
        try (TestOrigin parent = tunnels();
                TestProxy proxy = through(parent(parent.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ").doesNotContain("X-Own");
            assertThat(parent.heads.getFirst())
                    .startsWith("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n");
            assertThat(client.send("ping").bytes(4)).isEqualTo("ping");
            // a further tunnel gets a connection of its own
            try (RawClient other = new RawClient(proxy.port())) {
                other.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n\r\n");
                assertThat(other.head()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(parent.connections).hasValue(2);
        }
    }

    /** Bytes behind the parent's head are the tunnel's. */
    @Test
    void whatComesWithTheParentsAnswerIsPassedOn() throws Exception {
        try (TestOrigin parent = new TestOrigin((_, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\n\r\n220 ready");
                    in.transferTo(out);
                    return false;
                });
                TestProxy proxy = through(parent(parent.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("CONNECT nowhere.invalid:25 HTTP/1.1\r\nHost: nowhere.invalid:25\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.bytes(9)).isEqualTo("220 ready");
        }
    }

    @Test
    void aParentThatRefusesATunnelIsQuotedAndNoBytePasses() throws Exception {
        String refusal = "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 2\r\n\r\nno";
        try (TestOrigin parent = TestOrigin.always(refusal);
                TestProxy proxy = through("ObjectType fn=forward-proxy-auth\n" + parent(parent.port()))
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            String credentials = "Proxy-Authorization: Basic YTpi\r\n\r\n";
            client.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n" + credentials);
            assertThat(client.answer())
                    .startsWith("HTTP/1.1 407 ")
                    .contains("Proxy-Authenticate: Basic realm=x")
                    .endsWith("no");
            assertThat(parent.heads.getFirst()).contains("\r\nProxy-Authorization: Basic YTpi\r\n");
        }
        for (String odd :
                new String[] {"HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "nonsense\r\n\r\n"}) {
            try (TestOrigin parent = TestOrigin.always(odd);
                    TestProxy proxy = through(parent(parent.port())).start();
                    RawClient client = new RawClient(proxy.port())) {
                client.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n\r\n");
                assertThat(client.answer()).startsWith("HTTP/1.1 502 ");
            }
        }
    }

    @Test
    void tunnelsThroughParentsAreBounded() throws Exception {
        try (TestOrigin parent = tunnels();
                TestProxy proxy =
                        through(parent(parent.port()), "limits.tunnels=1").start();
                RawClient one = new RawClient(proxy.port());
                RawClient two = new RawClient(proxy.port())) {
            String connect = "CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid:443\r\n\r\n";
            assertThat(one.send(connect).head()).startsWith("HTTP/1.1 200 ");
            assertThat(two.send(connect).answer()).startsWith("HTTP/1.1 503 ");
        }
    }

    /** The parent resolves names; what is written as an address, in whatever form, is refused here. */
    @Test
    void addressesThatMayNotBeReachedAreNotAskedFor() throws Exception {
        try (TestOrigin parent = TestOrigin.always(OK);
                TestProxy proxy = through(parent(parent.port()), "destinations.loopback-for-loopback=off")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            for (String host : new String[] {
                "127.0.0.1",
                "10.1.2.3",
                "169.254.169.254",
                "[::1]",
                "[::ffff:10.0.0.1]",
                "localhost",
                "a.localhost.",
                "127.1",
                "2130706433",
                "0x7f000001",
                "0177.0.0.1",
                "012.0.0.1",
                "012.1.2.3",
                "012.0.0.1.",
                "172.037.0.1",
                "00012.0.0.1"
            }) {
                assertThat(client.send(get("http://" + host + "/")).answer())
                        .as(host)
                        .matches("(?s)HTTP/1.1 40[03] .*");
                client.send("CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + ":443\r\n\r\n");
                assertThat(client.answer()).as(host).matches("(?s)HTTP/1.1 40[03] .*");
            }
            assertThat(parent.heads).isEmpty();
            assertThat(proxy.value(ProxyStats.DESTINATIONS_REFUSED, DestinationRefusal.METADATA.code()))
                    .isEqualTo(2);
            assertThat(client.send(get("http://93.184.216.34/")).answer()).endsWith("hello");
        }
    }

    @Test
    void anHttpsUrlWithoutATunnelIsRefused() throws Exception {
        try (TestOrigin parent = TestOrigin.always(OK);
                TestProxy proxy = through(parent(parent.port())).start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("GET https://nowhere.invalid/ HTTP/1.1\r\nHost: nowhere.invalid\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 501 ");
            assertThat(parent.heads).isEmpty();
        }
    }

    /** The most specific object decides, also that there is no parent. */
    @Test
    void unsetProxyServerGoesStraightToTheHost() throws Exception {
        try (TestOrigin parent = TestOrigin.always(OK);
                TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = objects("""
                        <Object name="default">
                        NameTrans fn="assign-name" from="/direct/*" name="direct"
                        %s
                        Service fn="proxy-retrieve"
                        </Object>
                        <Object name="direct">
                        Route fn="unset-proxy-server"
                        </Object>
                        """.formatted(parent(parent.port()))).start();
                RawClient client = new RawClient(proxy.port())) {
            String host = "127.0.0.1:" + origin.port();
            assertThat(client.send(get("http://" + host + "/direct/x")).answer())
                    .endsWith("hello");
            assertThat(origin.heads.getFirst()).startsWith("GET /direct/x HTTP/1.1\r\n");
            assertThat(client.send(get("http://" + host + "/x")).answer()).endsWith("hello");
            assertThat(parent.heads.getFirst()).startsWith("GET http://" + host + "/x HTTP/1.1\r\n");
        }
    }

    /** Weir behind Weir, to a real origin at the end: requests, a body, and a tunnel. */
    @Test
    void weirIsItsOwnParent() throws Exception {
        try (TestOrigin origin = TestOrigin.whole(OK);
                TestProxy far = through("", "via-pseudonym=far").start();
                TestProxy near = through(parent(far.port())).start();
                RawClient client = new RawClient(near.port())) {
            String host = "127.0.0.1:" + origin.port();
            client.send("POST http://" + host + "/p HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(client.answer()).endsWith("hello");
            assertThat(origin.heads.getFirst()).startsWith("POST /p HTTP/1.1\r\nHost: " + host + "\r\n");
            client.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.send("GET /t HTTP/1.1\r\nHost: o\r\n\r\n").answer())
                    .endsWith("hello");
            assertThat(origin.heads.get(1)).startsWith("GET /t HTTP/1.1\r\n");
        }
    }
}
