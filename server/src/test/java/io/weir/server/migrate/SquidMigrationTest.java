package io.weir.server.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.config.WeirConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code squid.conf} translated, loaded and run. */
final class SquidMigrationTest extends MigrateFixture {
    /** What Squid is delivered with, its comments left out. */
    private static final String DELIVERED = """
            acl localnet src 0.0.0.1-0.255.255.255\t# RFC 1122 "this" network (LAN)
            acl localnet src 10.0.0.0/8
            acl localnet src 172.16.0.0/12
            acl localnet src fc00::/7
            acl SSL_ports port 443
            acl Safe_ports port 80\t\t# http
            acl Safe_ports port 443 1025-65535
            http_access deny !Safe_ports
            http_access deny CONNECT !SSL_ports
            http_access allow localhost manager
            http_access deny manager
            http_access allow localhost
            http_access deny to_localhost
            http_access deny to_linklocal
            http_access allow localnet
            http_access deny all
            http_port 127.0.0.1:3128
            refresh_pattern ^ftp:\t\t1440\t20%\t10080
            refresh_pattern -i (/cgi-bin/|\\?) 0\t0%\t0
            refresh_pattern .\t\t0\t20%\t4320
            """;

    private Migration migrate(String text) throws IOException {
        return migrate(Language.SQUID, "squid.conf", text);
    }

    /** A forward proxy for this machine; the rules come first. */
    private int forward(String rules) throws Exception {
        return port(
                start(migrate(rules + "\nhttp_port 127.0.0.1:3128\n"), "proxy.destinations.allow=[\"127.0.0.0/8\"]"));
    }

    private static int status(int port, String method, String target) throws IOException {
        String authority = target.replaceFirst("^[a-z]+://", "").replaceFirst("[/?].*", "");
        return ask(port, method, target, "Host: " + authority, "Content-Length: 0")
                .status();
    }

    @Test
    void whatSquidIsDeliveredWithIsTranslatedWhole() throws Exception {
        Migration made = migrate(DELIVERED);
        WeirConfig config = load(made).value();

        assertThat(made.left()).isEmpty();
        assertThat(config.proxy().destinations().clients())
                .containsExactly(
                        "0.0.0.1/32",
                        "0.0.0.2/31",
                        "0.0.0.4/30",
                        "0.0.0.8/29",
                        "0.0.0.16/28",
                        "0.0.0.32/27",
                        "0.0.0.64/26",
                        "0.0.0.128/25",
                        "0.0.1.0/24",
                        "0.0.2.0/23",
                        "0.0.4.0/22",
                        "0.0.8.0/21",
                        "0.0.16.0/20",
                        "0.0.32.0/19",
                        "0.0.64.0/18",
                        "0.0.128.0/17",
                        "0.1.0.0/16",
                        "0.2.0.0/15",
                        "0.4.0.0/14",
                        "0.8.0.0/13",
                        "0.16.0.0/12",
                        "0.32.0.0/11",
                        "0.64.0.0/10",
                        "0.128.0.0/9",
                        "10.0.0.0/8",
                        "127.0.0.1/32",
                        "172.16.0.0/12",
                        "::1/128",
                        "fc00::/7");
        assertThat(config.proxy().destinations().ports()).containsExactly("80", "443", "1025-65535");
        assertThat(config.proxy().destinations().deny()).contains("169.254.0.0/16", "fe80::/10");
        assertThat(config.proxy().routes().get(1).connect().ports()).containsExactly("443");
        assertThat(config.cache().lmFactor()).isEqualTo(0.2);
        int port = port(start(made));
        int origin = origin();
        assertThat(status(port, "GET", "http://127.0.0.1:" + origin + "/x")).isEqualTo(200);
        assertThat(status(port, "GET", "http://127.0.0.1:1/x")).isEqualTo(403);
        assertThat(status(port, "CONNECT", "127.0.0.1:" + origin)).isEqualTo(403);
        assertThat(status(port, "GET", "http://127.0.0.1:" + origin + "/%73quid-internal-mgr/info"))
                .isEqualTo(403);
    }

    /** Each refuses something that Weir cannot say: nothing, or less, is allowed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "acl t time MTWHF 18:00-23:00\nhttp_access deny t\nhttp_access allow all",
                "acl t time MTWHF 09:00-18:00\nhttp_access allow t\nhttp_access deny all",
                "acl b browser Evil\nhttp_access deny b\nhttp_access allow localhost",
                "acl r url_regex ^http://good\nhttp_access deny !r\nhttp_access allow all",
                "acl r url_regex (?!x)y[[:alpha:]]\nhttp_access deny r\nhttp_access allow all",
                "acl d dst 10.0.0.0/8\nhttp_access deny !d\nhttp_access allow all",
                "acl e external helper\nhttp_access allow e\nhttp_access deny all",
                "http_access allow all\nhttp_reply_access deny all",
                "http_access allow all\nurl_rewrite_program /usr/bin/squidGuard",
                "http_access allow all\ncache_peer parent.test parent 3128 0\nnever_direct allow all",
                "http_access allow to_localhost\nhttp_access deny all",
                "http_access deny all",
                ""
            })
    void whatCannotBeSaidIsRefused(String rules) throws Exception {
        int port = forward(rules);

        assertThat(status(port, "GET", "http://127.0.0.1:" + origin() + "/x")).isNotEqualTo(200);
        assertThat(status(port, "CONNECT", "127.0.0.1:443")).isNotEqualTo(200);
    }

    @Test
    void expressionsOverUrlsAreNotGoneAround() throws Exception {
        int origin = origin();
        String base = "http://127.0.0.1:" + origin;
        int port = forward("""
                acl bad url_regex -i ^http://127\\.0\\.0\\.1:%d/secret \\.exe$
                acl path urlpath_regex ^/hidden/ [0-9]{4}x
                http_access deny bad
                http_access deny path
                http_access allow localhost
                http_access deny all
                """.formatted(origin));

        assertThat(status(port, "GET", base + "/open")).isEqualTo(200);
        for (String target : List.of(
                "/secret",
                "/%73ecret",
                "/SECRET",
                "/secre%74/x",
                "/a.exe",
                "/a.EXE",
                "/a%2eexe",
                "/a.ex%65",
                "/hidden/x",
                "/%68idden/x",
                "/hidden%2fx",
                "/q?1234x",
                "/1%3234x")) {
            assertThat(status(port, "GET", base + target)).as(target).isEqualTo(403);
        }
        assertThat(ask(port, "GET", "http://u@127.0.0.1:" + origin + "/secret", "Host: 127.0.0.1:" + origin)
                        .status())
                .isNotEqualTo(200);
    }

    @Test
    void expressionsApplyToTunnels() throws Exception {
        int origin = origin();
        String rules = "acl ssl port " + origin + "\nhttp_access deny CONNECT !ssl\n";
        String open = rules + "http_access allow localhost";
        String narrow = rules + "acl bad url_regex ^127\\.0\\.0\\.1:" + origin + "\nhttp_access deny bad\n"
                + "http_access allow localhost";

        assertThat(tunnel(forward(open), "127.0.0.1:" + origin)).contains(" 200 ");
        assertThat(status(forward(narrow), "CONNECT", "127.0.0.1:" + origin)).isEqualTo(403);
    }

    private static String tunnel(int port, String to) throws IOException {
        try (java.net.Socket socket = new java.net.Socket(java.net.InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n\r\n")
                            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readNBytes(13), java.nio.charset.StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void hostsMethodsAndUsers() throws Exception {
        Files.writeString(dir.resolve("passwd"), "ann:x\nbob:y\n");
        Migration made = migrate("""
                http_port 3128
                auth_param basic program /usr/lib/squid/basic_ncsa_auth passwd
                auth_param basic realm the office
                acl users proxy_auth REQUIRED
                acl bad dstdomain .evil.test tracker.test
                acl post method POST PUT
                acl office src 10.0.0.0/255.0.0.0
                acl guests src 10.9.0.0/16
                http_access deny bad
                http_access deny post
                http_access deny guests
                http_access allow office users
                http_access deny all
                """);
        WeirConfig config = load(made).value();

        var route = config.proxy().routes().getFirst();
        assertThat(config.proxy().destinations().denyHosts())
                .containsExactly("evil.test", "*.evil.test", "tracker.test");
        assertThat(config.proxy().destinations().clients()).contains("10.0.0.0/13", "10.8.0.0/16", "10.10.0.0/15");
        assertThat(config.proxy().destinations().clients()).doesNotContain("10.9.0.0/16");
        assertThat(route.allowedMethods()).contains("GET", "DELETE").doesNotContain("POST", "PUT");
        assertThat(route.auth().basic()).isTrue();
        assertThat(route.auth().users()).containsExactly("ann", "bob");
        assertThat(route.auth().realm()).isEqualTo("the office");
        // an address could be that of a refused host
        assertThat(route.functions()).anyMatch(f -> f.parameters().toString().contains("[0-9.]+"));
    }

    @Test
    void aRuleOfSeveralWordsRefusesNoLess() throws Exception {
        Migration made = migrate("""
                http_port 3128
                acl guests src 10.9.0.0/16
                acl bad dstdomain .evil.test
                http_access deny guests bad
                http_access allow all
                """);

        assertThat(load(made).value().proxy().destinations().denyHosts()).contains("*.evil.test");
        assertThat(made.left()).anyMatch(l -> l.contains("squid.conf:4: http_access deny guests bad"));
    }

    @Test
    void lastRuleThatDeniesLetsTheRestPassAsInSquid() throws Exception {
        Migration made = migrate("http_port 3128\nacl bad src 10.0.0.0/8\nhttp_access deny bad\n");

        assertThat(load(made).value().proxy().destinations().clients())
                .contains("11.0.0.0/8", "128.0.0.0/1")
                .doesNotContain("10.0.0.0/8", "0.0.0.0/0");
    }

    @Test
    void serverInFrontOfOthers() throws Exception {
        int origin = origin();
        Migration made = migrate("""
                http_port 127.0.0.1:8080 accel defaultsite=www.example.com vhost
                cache_peer 127.0.0.1 parent %1$d 0 no-query originserver round-robin name=a weight=2
                cache_peer localhost parent %1$d 0 no-query originserver round-robin name=b
                acl ours dstdomain www.example.com .example.net
                acl hidden urlpath_regex ^/hidden
                cache_peer_access a allow ours
                cache_peer_access a deny all
                cache_peer_access b allow ours
                cache_peer_access b deny all
                http_access deny hidden
                http_access allow ours
                http_access deny all
                cache_mem 128 MB
                visible_hostname front
                via on
                """.formatted(origin));
        int port = port(start(made));

        assertThat(ask(port, "GET", "/x").body()).startsWith("GET /x host=www.example.com");
        assertThat(ask(port, "GET", "/x", "Host: a.example.net").status()).isEqualTo(200);
        assertThat(ask(port, "GET", "/x", "Host: other.test").status()).isEqualTo(404);
        assertThat(ask(port, "GET", "/hidden/x").status()).isEqualTo(403);
        assertThat(ask(port, "GET", "/hi%64den/x").status()).isEqualTo(403);
        assertThat(status(port, "GET", "http://127.0.0.1:" + origin + "/x")).isNotEqualTo(200);
        assertThat(load(made).value().cache().memoryBudget().bytes()).isEqualTo(128 << 20);
        assertThat(named(load(made).value().proxy().origins(), "a")
                        .servers()
                        .getFirst()
                        .weight())
                .isEqualTo(2);
    }

    @Test
    void mistakesAreReportedTogetherWithTheirPlaces() throws Exception {
        Migration made = migrate("""
                http_port 99999
                acl a src 10.0.0.0/33
                acl b port https
                http_access alow a
                http_access allow c
                cache_mem lots
                """);

        assertThat(made.problems().toString())
                .contains("squid.conf:2:1: acl a: expected an address", "found \"10.0.0.0/33\"")
                .contains("squid.conf:3:1: acl b: expected a port")
                .contains("squid.conf:4:1: http_access: expected allow or deny, found \"alow\"")
                .contains("squid.conf:5:1: http_access: there is no acl \"c\"");
    }
}
