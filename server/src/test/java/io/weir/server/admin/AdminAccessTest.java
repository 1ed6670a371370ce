package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom the admin listener answers, over real sockets: hosts, tokens, passwords, foreign pages. */
class AdminAccessTest {
    private final TestAdmin admin = new TestAdmin();

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void everyAnswerCarriesTheSecurityFields() throws Exception {
        for (String target : List.of("/echo", "/nothing", "/fails")) {
            RawClient.Answer answer = RawClient.get(admin.address(), target);

            assertThat(answer.fields())
                    .containsEntry("cache-control", "no-store")
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("x-frame-options", "DENY")
                    .containsEntry("referrer-policy", "no-referrer")
                    .containsEntry("cross-origin-resource-policy", "same-origin")
                    .containsKey("date");
            assertThat(answer.field("content-security-policy"))
                    .contains("default-src 'none'", "frame-ancestors 'none'");
            assertThat(answer.fields()).doesNotContainKeys("set-cookie", "access-control-allow-origin", "server");
        }
    }

    @Test
    void foreignHostIsRefusedSoThatNoNameCanBeRebound() throws Exception {
        try (RawClient client = admin.client()) {
            client.send("GET /echo HTTP/1.1\r\nHost: evil.example\r\n\r\n");

            assertThat(client.read(false).status()).isEqualTo(421);
            assertThat(admin.stats.value(AdminStats.REFUSED, "host")).isEqualTo(1);
        }
    }

    @Test
    void ownNamesAndAddressesAreAccepted() throws Exception {
        for (String host :
                List.of("localhost", "LocalHost:8888", "127.0.0.1", "127.0.0.1:1", "[::1]", "admin.example")) {
            try (RawClient client = admin.client()) {
                client.send("GET /echo HTTP/1.1\r\nHost: " + host + "\r\n\r\n");

                assertThat(client.read(false).status()).as(host).isEqualTo(200);
            }
        }
    }

    @Test
    void requestWithoutHostIsRefused() throws Exception {
        try (RawClient client = admin.client()) {
            client.send("GET /echo HTTP/1.0\r\n\r\n");

            assertThat(client.read(false).status()).isEqualTo(421);
        }
    }

    @Test
    void changeNeedsTheToken() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer without = client.ask("PATCH", "/echo", "");
            RawClient.Answer wrong = client.ask("PATCH", "/echo", "", "Authorization: Bearer secret-tokem");
            RawClient.Answer empty = client.ask("PATCH", "/echo", "", "Authorization: Bearer");
            RawClient.Answer right = client.ask("PATCH", "/echo", "", TestAdmin.TOKEN);

            assertThat(without.status()).isEqualTo(401);
            assertThat(without.field("www-authenticate")).startsWith("Bearer");
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(empty.status()).isEqualTo(401);
            assertThat(right.status()).isEqualTo(200);
            assertThat(right.body()).endsWith("token");
        }
        assertThat(admin.stats.value(AdminStats.REFUSED, "credentials")).isEqualTo(3);
    }

    @Test
    void administratorsPasswordIsAsGoodAsTheToken() throws Exception {
        admin.reopen((user, password) -> user.equals("ann") && password.equals("pass:word"));
        try (RawClient client = admin.client()) {
            assertThat(client.ask("PATCH", "/echo", "", basic("ann:pass:word")).body())
                    .endsWith("ann");
            assertThat(client.ask("PATCH", "/echo", "", basic("ann:guess")).status())
                    .isEqualTo(401);
            assertThat(client.ask("PATCH", "/echo", "", "Authorization: Basic ???")
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void basicIsRefusedWhereThereIsNoRealm() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer answer = client.ask("PATCH", "/echo", "", basic("ann:password"));

            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.field("www-authenticate")).doesNotContain("Basic");
        }
    }

    @Test
    void changeFromAForeignPageIsRefusedEvenWithTheToken() throws Exception {
        for (String field : List.of(
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Origin: http://evil.example",
                "Origin: null")) {
            try (RawClient client = admin.client()) {
                assertThat(client.ask("PATCH", "/echo", "", TestAdmin.TOKEN, field)
                                .status())
                        .as(field)
                        .isEqualTo(403);
            }
        }
        assertThat(admin.stats.value(AdminStats.REFUSED, "origin")).isEqualTo(4);
    }

    @Test
    void changeFromAnOwnPageIsAccepted() throws Exception {
        String origin = "Origin: http://localhost:" + admin.address().getPort();
        try (RawClient client = admin.client()) {
            assertThat(client.ask("PATCH", "/echo", "", TestAdmin.TOKEN, origin, "Sec-Fetch-Site: same-origin")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void beyondLoopbackEvenReadsNeedTheToken() throws Exception {
        admin.reopen(TestAdmin.config("0.0.0.0", 64, Duration.ofSeconds(10), Duration.ofSeconds(10)));
        try (RawClient client = new RawClient(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), admin.address().getPort()))) {
            assertThat(client.ask("GET", "/echo", "").status()).isEqualTo(401);
            assertThat(client.ask("GET", "/echo", "", TestAdmin.TOKEN).status()).isEqualTo(200);
        }
        assertThat(admin.log.count(AdminMessages.BEYOND_LOOPBACK)).isEqualTo(1);
    }

    @Test
    void absoluteFormIsAViewToo() throws Exception {
        try (RawClient client = admin.client()) {
            client.send("GET http://localhost/echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.read(false).body()).startsWith("GET /echo");
            client.send("GET http://evil.example/echo HTTP/1.1\r\nHost: evil.example\r\n\r\n");
            assertThat(client.read(false).status()).isEqualTo(421);
        }
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
