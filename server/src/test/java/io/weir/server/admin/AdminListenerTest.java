package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ByteSize;
import io.weir.base.ConfigBinder;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.BindFailure;
import io.weir.server.admin.AdminRouter.Where;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The admin listener over real sockets: protocol, limits, access rules. */
class AdminListenerTest {
    private static final String TOKEN = "Authorization: Bearer secret-token";

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final AdminRouter router = new AdminRouter();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch hanging = new CountDownLatch(1);
    private AdminConfig config = local(Duration.ofSeconds(10));
    private AdminUsers users = AdminUsers.NONE;
    private AdminListener listener = opened();

    @AfterEach
    void close() {
        hanging.countDown();
        listener.close();
    }

    @Test
    void viewIsAnsweredAndTheConnectionStays() throws Exception {
        try (RawClient client = client()) {
            RawClient.Answer first = client.ask("GET", "/echo?a=1&b=x%20y+z", "");
            RawClient.Answer second = client.ask("GET", "/echo", "");

            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("GET /echo {a=1, b=x y z} [] anonymous");
            assertThat(second.status()).isEqualTo(200);
        }
    }

    @Test
    void everyAnswerCarriesTheSecurityFields() throws Exception {
        for (String target : List.of("/echo", "/nothing", "/fails")) {
            RawClient.Answer answer = RawClient.get(listener.address(), target);

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
    void headHasTheLengthButNotTheBody() throws Exception {
        try (RawClient client = client()) {
            RawClient.Answer head = client.ask("HEAD", "/echo", "");
            RawClient.Answer get = client.ask("GET", "/echo", "");

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("content-length")).isEqualTo(get.field("content-length"));
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (RawClient client = client()) {
            client.send(
                    "GET /slow?n=1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /echo?n=2 HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(client.read(false).body()).contains("/slow {n=1}");
            assertThat(client.read(false).body()).contains("/echo {n=2}");
        }
    }

    @Test
    void unknownPathIsAProblemThatSaysSo() throws Exception {
        RawClient.Answer answer = RawClient.get(listener.address(), "/nothing");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.field("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains("\"status\":404", "There is nothing at /nothing");
    }

    @Test
    void knownPathWithAnotherMethodNamesTheAllowedOnes() throws Exception {
        try (RawClient client = client()) {
            RawClient.Answer answer = client.ask("DELETE", "/echo", "", TOKEN);

            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.field("allow")).isEqualTo("GET, HEAD, PATCH");
        }
    }

    @Test
    void failingHandlerIsLoggedAndTellsNoDetails() throws Exception {
        RawClient.Answer answer = RawClient.get(listener.address(), "/fails");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("confidential");
        assertThat(log.count(AdminMessages.HANDLER_FAILED)).isEqualTo(1);
        assertThat(stats.value(AdminStats.FAILED)).isEqualTo(1);
    }

    @Test
    void foreignHostIsRefusedSoThatNoNameCanBeRebound() throws Exception {
        try (RawClient client = client()) {
            client.send("GET /echo HTTP/1.1\r\nHost: evil.example\r\n\r\n");

            assertThat(client.read(false).status()).isEqualTo(421);
            assertThat(stats.value(AdminStats.REFUSED, "host")).isEqualTo(1);
        }
    }

    @Test
    void ownNamesAndAddressesAreAccepted() throws Exception {
        for (String host :
                List.of("localhost", "LocalHost:8888", "127.0.0.1", "127.0.0.1:1", "[::1]", "admin.example")) {
            try (RawClient client = client()) {
                client.send("GET /echo HTTP/1.1\r\nHost: " + host + "\r\n\r\n");

                assertThat(client.read(false).status()).as(host).isEqualTo(200);
            }
        }
    }

    @Test
    void requestWithoutHostIsRefused() throws Exception {
        try (RawClient client = client()) {
            client.send("GET /echo HTTP/1.0\r\n\r\n");

            assertThat(client.read(false).status()).isEqualTo(421);
        }
    }

    @Test
    void changeNeedsTheToken() throws Exception {
        try (RawClient client = client()) {
            RawClient.Answer without = client.ask("PATCH", "/echo", "");
            RawClient.Answer wrong = client.ask("PATCH", "/echo", "", "Authorization: Bearer secret-tokem");
            RawClient.Answer empty = client.ask("PATCH", "/echo", "", "Authorization: Bearer");
            RawClient.Answer right = client.ask("PATCH", "/echo", "", TOKEN);

            assertThat(without.status()).isEqualTo(401);
            assertThat(without.field("www-authenticate")).startsWith("Bearer");
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(empty.status()).isEqualTo(401);
            assertThat(right.status()).isEqualTo(200);
            assertThat(right.body()).endsWith("token");
        }
        assertThat(stats.value(AdminStats.REFUSED, "credentials")).isEqualTo(3);
    }

    @Test
    void administratorsPasswordIsAsGoodAsTheToken() throws Exception {
        users = (user, password) -> user.equals("ann") && password.equals("pass:word");
        reopen();
        try (RawClient client = client()) {
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
        try (RawClient client = client()) {
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
            try (RawClient client = client()) {
                assertThat(client.ask("PATCH", "/echo", "", TOKEN, field).status())
                        .as(field)
                        .isEqualTo(403);
            }
        }
        assertThat(stats.value(AdminStats.REFUSED, "origin")).isEqualTo(4);
    }

    @Test
    void changeFromAnOwnPageIsAccepted() throws Exception {
        String origin = "Origin: http://localhost:" + listener.address().getPort();
        try (RawClient client = client()) {
            assertThat(client.ask("PATCH", "/echo", "", TOKEN, origin, "Sec-Fetch-Site: same-origin")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void beyondLoopbackEvenReadsNeedTheToken() throws Exception {
        config = new AdminConfig(
                true,
                "0.0.0.0",
                0,
                List.of(),
                64,
                new ByteSize(4096),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                1,
                1,
                false);
        reopen();
        try (RawClient client = new RawClient(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), listener.address().getPort()))) {
            assertThat(client.ask("GET", "/echo", "").status()).isEqualTo(401);
            assertThat(client.ask("GET", "/echo", "", TOKEN).status()).isEqualTo(200);
        }
        assertThat(log.count(AdminMessages.BEYOND_LOOPBACK)).isEqualTo(1);
    }

    @Test
    void bodyUpToTheLimitArrivesWhole() throws Exception {
        String body = "b".repeat(4096);
        try (RawClient client = client()) {
            assertThat(client.ask("PATCH", "/echo", body, TOKEN).body()).contains("[" + body + "]");
        }
    }

    @Test
    void bodyOverTheLimitIsRefusedAndTheConnectionClosed() throws Exception {
        try (RawClient client = client()) {
            RawClient.Answer answer = client.ask("PATCH", "/echo", "b".repeat(4097), TOKEN);

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
        assertThat(stats.value(AdminStats.REFUSED, "body")).isEqualTo(1);
    }

    @Test
    void chunkedBodyIsBoundedTheSameWay() throws Exception {
        String head = "PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (RawClient client = client()) {
            client.send(head + "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n");
            assertThat(client.read(false).body()).contains("[abcdefgh]");
            client.send(head + "1001\r\n" + "x".repeat(4097) + "\r\n0\r\n\r\n");
            assertThat(client.read(false).status()).isEqualTo(413);
        }
    }

    @Test
    void clientThatExpectsContinueIsToldToGoOn() throws Exception {
        try (RawClient client = client()) {
            client.send("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TOKEN
                    + "\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.read(true).status()).isEqualTo(100);
            client.send("ok");
            assertThat(client.read(false).body()).contains("[ok]");
        }
    }

    @Test
    void malformedRequestsAreRefusedByTheStrictCodec() throws Exception {
        for (String request : List.of(
                "GET  /echo HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "PATCH /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /a/%2e%2e/echo HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            try (RawClient client = client()) {
                client.send(request);
                RawClient.Answer answer = client.read(false);

                assertThat(answer.status()).as(request).isEqualTo(400);
                assertThat(answer.field("connection")).isEqualTo("close");
            }
        }
    }

    @Test
    void bodyThatIsNoTextIsRefused() throws Exception {
        try (RawClient client = client()) {
            client.send("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\nContent-Length: 1\r\n\r\n");
            client.send(new byte[] {(byte) 0xC3});

            assertThat(client.read(false).status()).isEqualTo(400);
        }
    }

    @Test
    void requestThatNeverEndsIsTimedOut() throws Exception {
        config = local(Duration.ofMillis(200));
        reopen();
        try (RawClient client = client()) {
            client.send("GET /echo HTTP/1.1\r\nHost: loc");

            assertThat(client.read(false).status()).isEqualTo(408);
            assertThat(client.ended()).isTrue();
        }
        assertThat(stats.value(AdminStats.TIMED_OUT)).isEqualTo(1);
    }

    @Test
    void idleConnectionIsClosedAfterItsTime() throws Exception {
        AdminConfig c = config;
        config = new AdminConfig(
                true,
                c.address(),
                0,
                c.hosts(),
                c.maxConnections(),
                c.maxBody(),
                c.requestTimeOut(),
                Duration.ofMillis(200),
                1,
                1,
                false);
        reopen();
        try (RawClient used = client();
                RawClient silent = client()) {
            assertThat(used.ask("GET", "/echo", "").status()).isEqualTo(200);

            assertThat(used.ended()).isTrue();
            assertThat(silent.ended()).isTrue();
        }
    }

    @Test
    void oldClientsConnectionIsClosedAfterItsAnswer() throws Exception {
        try (RawClient client = client()) {
            client.send("GET /echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");

            assertThat(client.read(false).field("connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void absoluteFormIsAViewToo() throws Exception {
        try (RawClient client = client()) {
            client.send("GET http://localhost/echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.read(false).body()).startsWith("GET /echo");
            client.send("GET http://evil.example/echo HTTP/1.1\r\nHost: evil.example\r\n\r\n");
            assertThat(client.read(false).status()).isEqualTo(421);
        }
    }

    @Test
    void answerThatIsNeverReadEndsTheConnection() throws Exception {
        router.get("/large", _ -> AdminAnswer.text("x".repeat(32 << 20)));
        config = local(Duration.ofMillis(200));
        reopen();
        try (RawClient client = client()) {
            client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Await.until(() -> stats.value(AdminStats.TIMED_OUT) == 1);

            assertThat(RawClient.get(listener.address(), "/echo").status()).isEqualTo(200);
        }
    }

    @Test
    void requestThatArrivesByteByByteIsUnderstood() throws Exception {
        try (RawClient client = client()) {
            for (char c : ("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + "\r\nContent-Length: 3\r\n\r\nabc")
                    .toCharArray()) {
                client.send(String.valueOf(c));
            }

            assertThat(client.read(false).body()).contains("[abc]");
        }
    }

    @Test
    void requestsBeyondThreadsAndQueueAreAnsweredBusyWhileViewsGoOn() throws Exception {
        try (RawClient a = client();
                RawClient b = client();
                RawClient c = client()) {
            a.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            started.await();
            b.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            RawClient.Answer busy = untilBusy(c);

            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.field("retry-after")).isEqualTo("1");
            assertThat(RawClient.get(listener.address(), "/echo").status()).isEqualTo(200);
            hanging.countDown();
            assertThat(a.read(false).status()).isEqualTo(200);
        }
        assertThat(stats.value(AdminStats.BUSY)).isPositive();
    }

    /** The queue holds one: of a second and a third request one is refused, whichever comes later. */
    private RawClient.Answer untilBusy(RawClient client) throws Exception {
        client.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
        try (RawClient last = client()) {
            return last.ask("GET", "/hangs", "");
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        config = new AdminConfig(
                true,
                "127.0.0.1",
                0,
                List.of(),
                1,
                new ByteSize(4096),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                1,
                1,
                false);
        reopen();
        try (RawClient first = client()) {
            first.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            started.await();
            try (RawClient second = client()) {
                assertThat(second.ended()).isTrue();
            }
            assertThat(stats.value(AdminStats.CONNECTIONS_REFUSED)).isEqualTo(1);
        }
    }

    private AdminListener opened() {
        return open(router());
    }

    private AdminRouter router() {
        AdminRouter routes = router;
        AdminHandler echo = r ->
                AdminAnswer.text(r.method() + " " + r.path() + " " + r.query() + " [" + r.body() + "] " + r.author());
        routes.get("/echo", echo);
        routes.on("PATCH", "/echo", Where.THREAD, echo);
        routes.on("GET", "/slow", Where.THREAD, echo);
        routes.get("/fails", _ -> {
            throw new IllegalStateException("confidential");
        });
        routes.on("GET", "/hangs", Where.THREAD, _ -> {
            started.countDown();
            hanging.await();
            return AdminAnswer.text("late");
        });
        return routes;
    }

    private AdminListener open(AdminRouter routes) {
        try {
            AdminListener.Credentials credentials = new AdminListener.Credentials("secret-token"::equals, users);
            return AdminListener.open(config, routes, credentials, SystemClock.INSTANCE, stats, log);
        } catch (BindFailure e) {
            throw new IllegalStateException(e);
        }
    }

    private void reopen() {
        listener.close();
        listener = open(router);
    }

    private RawClient client() throws Exception {
        return new RawClient(listener.address());
    }

    private static String basic(String pair) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static AdminConfig local(Duration requestTimeOut) {
        AdminConfig d = ConfigBinder.defaults(AdminConfig.class);
        return new AdminConfig(
                true,
                "127.0.0.1",
                0,
                List.of("admin.example"),
                d.maxConnections(),
                new ByteSize(4096),
                requestTimeOut,
                d.keepAliveTimeOut(),
                1,
                1,
                false);
    }
}
