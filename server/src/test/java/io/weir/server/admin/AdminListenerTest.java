package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.admin.AdminRouter.Where;
import io.weir.server.files.NotWritten;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The protocol of the admin listener and its limits, over real sockets. */
@Tag("slow")
class AdminListenerTest {
    private final TestAdmin admin = new TestAdmin();

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void viewIsAnsweredAndTheConnectionStays() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer first = client.ask("GET", "/echo?a=1&b=x%20y+z", "");
            RawClient.Answer second = client.ask("GET", "/echo", "");

            assertThat(first.status()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("GET /echo {a=1, b=x y z} [] anonymous");
            assertThat(second.status()).isEqualTo(200);
        }
    }

    @Test
    void headHasTheLengthButNotTheBody() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer head = client.ask("HEAD", "/echo", "");
            RawClient.Answer get = client.ask("GET", "/echo", "");

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("content-length")).isEqualTo(get.field("content-length"));
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws Exception {
        try (RawClient client = admin.client()) {
            client.send(
                    "GET /slow?n=1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /echo?n=2 HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(client.read(false).body()).contains("/slow {n=1}");
            assertThat(client.read(false).body()).contains("/echo {n=2}");
        }
    }

    @Test
    void unknownPathIsAProblemThatSaysSo() throws Exception {
        RawClient.Answer answer = RawClient.get(admin.address(), "/nothing");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.field("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains("\"status\":404", "There is nothing at /nothing");
    }

    @Test
    void knownPathWithAnotherMethodNamesTheAllowedOnes() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer answer = client.ask("DELETE", "/echo", "", TestAdmin.TOKEN);

            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.field("allow")).isEqualTo("GET, HEAD, PATCH");
        }
    }

    @Test
    void oneProcessHasNoViewOfAnother() throws Exception {
        admin.router.oneProcess().get("/stats-xml", _ -> AdminAnswer.text("without the element"));
        for (String other : List.of("99", "x", "0", "")) {
            RawClient.Answer answer = RawClient.get(admin.address(), "/echo?process=" + other);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("process is 1, because the server has one process");
        }
        assertThat(RawClient.get(admin.address(), "/echo?process=1").status()).isEqualTo(200);
        assertThat(RawClient.get(admin.address(), "/stats-xml?process=0").status())
                .isEqualTo(200);
    }

    @Test
    void failingHandlerIsLoggedAndTellsNoDetails() throws Exception {
        RawClient.Answer answer = RawClient.get(admin.address(), "/fails");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("confidential");
        assertThat(admin.log.count(AdminMessages.HANDLER_FAILED)).isEqualTo(1);
        assertThat(admin.stats.value(AdminStats.FAILED)).isEqualTo(1);
    }

    @Test
    void bodyUpToTheLimitArrivesWhole() throws Exception {
        String body = "b".repeat(4096);
        try (RawClient client = admin.client()) {
            assertThat(client.ask("PATCH", "/echo", body, TestAdmin.TOKEN).body())
                    .contains("[" + body + "]");
        }
    }

    @Test
    void bodyOverTheLimitIsRefusedAndTheConnectionClosed() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer answer = client.ask("PATCH", "/echo", "b".repeat(4097), TestAdmin.TOKEN);

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.field("connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
        assertThat(admin.stats.value(AdminStats.REFUSED, "body")).isEqualTo(1);
    }

    @Test
    void chunkedBodyIsBoundedTheSameWay() throws Exception {
        String head = "PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        try (RawClient client = admin.client()) {
            client.send(head + "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n");
            assertThat(client.read(false).body()).contains("[abcdefgh]");
            client.send(head + "1001\r\n" + "x".repeat(4097) + "\r\n0\r\n\r\n");
            assertThat(client.read(false).status()).isEqualTo(413);
        }
    }

    @Test
    void clientThatExpectsContinueIsToldToGoOn() throws Exception {
        try (RawClient client = admin.client()) {
            client.send("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN
                    + "\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.read(true).status()).isEqualTo(100);
            client.send("ok");
            assertThat(client.read(false).body()).contains("[ok]");
        }
    }

    @Test
    void aChangeThatSaysAParameterTwiceIsRefused() throws Exception {
        try (RawClient client = admin.client()) {
            RawClient.Answer twice = client.ask("PATCH", "/echo?from=a&from=b", "", TestAdmin.TOKEN);
            assertThat(twice.status()).isEqualTo(400);
            assertThat(twice.body()).contains("the query has 'from' twice");
        }
        try (RawClient client = admin.client()) {
            assertThat(client.ask("GET", "/echo?from=a&from=b", "").body()).contains("{from=a}");
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
            try (RawClient client = admin.client()) {
                client.send(request);
                RawClient.Answer answer = client.read(false);

                assertThat(answer.status()).as(request).isEqualTo(400);
                assertThat(answer.field("connection")).isEqualTo("close");
            }
        }
    }

    @Test
    void bodyThatIsNoTextIsRefused() throws Exception {
        try (RawClient client = admin.client()) {
            client.send(
                    "PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN + "\r\nContent-Length: 1\r\n\r\n");
            client.send(new byte[] {(byte) 0xC3});

            assertThat(client.read(false).status()).isEqualTo(400);
        }
    }

    @Test
    void requestThatNeverEndsIsTimedOut() throws Exception {
        admin.reopen(TestAdmin.local(Duration.ofMillis(200)));
        try (RawClient client = admin.client()) {
            client.send("GET /echo HTTP/1.1\r\nHost: loc");

            assertThat(client.read(false).status()).isEqualTo(408);
            assertThat(client.ended()).isTrue();
        }
        assertThat(admin.stats.value(AdminStats.TIMED_OUT)).isEqualTo(1);
    }

    @Test
    void idleConnectionIsClosedAfterItsTime() throws Exception {
        admin.reopen(TestAdmin.config("127.0.0.1", 64, Duration.ofSeconds(10), Duration.ofMillis(200)));
        try (RawClient used = admin.client();
                RawClient silent = admin.client()) {
            assertThat(used.ask("GET", "/echo", "").status()).isEqualTo(200);

            assertThat(used.ended()).isTrue();
            assertThat(silent.ended()).isTrue();
        }
    }

    @Test
    void oldClientsConnectionIsClosedAfterItsAnswer() throws Exception {
        try (RawClient client = admin.client()) {
            client.send("GET /echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");

            assertThat(client.read(false).field("connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void answerThatIsNeverReadEndsTheConnection() throws Exception {
        admin.router.get("/large", _ -> AdminAnswer.text("x".repeat(32 << 20)));
        admin.reopen(TestAdmin.local(Duration.ofMillis(200)));
        try (RawClient client = admin.client()) {
            client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Await.until(() -> admin.stats.value(AdminStats.TIMED_OUT) == 1);

            assertThat(RawClient.get(admin.address(), "/echo").status()).isEqualTo(200);
        }
    }

    @Test
    void requestThatArrivesByteByByteIsUnderstood() throws Exception {
        try (RawClient client = admin.client()) {
            for (char c : ("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN
                            + "\r\nContent-Length: 3\r\n\r\nabc")
                    .toCharArray()) {
                client.send(String.valueOf(c));
            }

            assertThat(client.read(false).body()).contains("[abc]");
        }
    }

    @Test
    void requestsBeyondThreadsAndQueueAreAnsweredBusyWhileViewsGoOn() throws Exception {
        try (RawClient a = admin.client();
                RawClient b = admin.client();
                RawClient c = admin.client()) {
            a.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            admin.started.await();
            b.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            RawClient.Answer busy = untilBusy(c);

            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.field("retry-after")).isEqualTo("1");
            assertThat(RawClient.get(admin.address(), "/echo").status()).isEqualTo(200);
            admin.hanging.countDown();
            assertThat(a.read(false).status()).isEqualTo(200);
        }
        assertThat(admin.stats.value(AdminStats.BUSY)).isPositive();
    }

    /** The queue holds one: of a second and a third request one is refused, whichever comes later. */
    private RawClient.Answer untilBusy(RawClient client) throws Exception {
        client.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
        try (RawClient last = admin.client()) {
            return last.ask("GET", "/hangs", "");
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        admin.reopen(TestAdmin.config("127.0.0.1", 1, Duration.ofSeconds(10), Duration.ofSeconds(10)));
        try (RawClient first = admin.client()) {
            // a stranger would give it up for the second
            first.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN + "\r\n\r\n");
            admin.started.await();
            try (RawClient second = admin.client()) {
                assertThat(second.ended()).isTrue();
            }
            assertThat(admin.stats.value(AdminStats.CONNECTIONS_REFUSED)).isEqualTo(1);
        }
    }

    /** A place for each connection that there may be, at the default time-outs. */
    @Test
    void whoSendsHalfARequestKeepsNobodyOut() throws Exception {
        List<RawClient> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * 64; i++) {
                RawClient stranger = admin.client();
                strangers.add(stranger);
                half(stranger);
            }
            for (int i = 0; i < 20; i++) {
                try (RawClient client = admin.client()) {
                    assertThat(client.ask("GET", "/echo", "", "").status()).isEqualTo(200);
                }
            }
        } finally {
            for (RawClient stranger : strangers) {
                stranger.close();
            }
        }
    }

    private static void half(RawClient stranger) {
        try {
            stranger.send("GET /echo HTTP/1.1\r\nHost: loc");
        } catch (IOException e) {
            // given up already for those that came after it
        }
    }

    /** Who was refused, and does not close his end, keeps his place for no longer than others leave it to him. */
    @Test
    void whoHasHadHisLastAnswerGoesForThoseWhoCome() throws Exception {
        List<RawClient> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                for (int each = 0; each < 64; each++) {
                    RawClient stranger = admin.client();
                    strangers.add(stranger);
                    refused(stranger);
                }
                try (RawClient client = admin.client()) {
                    assertThat(client.ask("GET", "/echo", "", "").status()).isEqualTo(200);
                }
            }
        } finally {
            for (RawClient stranger : strangers) {
                stranger.close();
            }
        }
    }

    private static void refused(RawClient stranger) {
        try {
            stranger.send("no request\r\n\r\n");
        } catch (IOException e) {
            // given up already for those that came after it
        }
    }

    /** While a view is built for each of many that wait, what is cheap is answered between two. */
    @Test
    void whatIsCheapIsAnsweredBetweenTwoViews() throws Exception {
        List<RawClient> strangers = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger built = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        admin.router.get("/heavy", _ -> {
            go.await();
            built.incrementAndGet();
            return AdminAnswer.text("heavy");
        });
        admin.router.first("/cheap", _ -> {
            before.set(built.get());
            return AdminAnswer.text("cheap");
        });
        try {
            for (int i = 0; i < 40; i++) {
                RawClient stranger = admin.client();
                strangers.add(stranger);
                stranger.send("GET /heavy HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
            }
            try (RawClient client = admin.client()) {
                client.send("GET /cheap HTTP/1.1\r\nHost: localhost\r\n\r\n");
                go.countDown();
                assertThat(client.read(false).body()).isEqualTo("cheap");
                assertThat(before.get())
                        .as("of 2000 views that were asked for before")
                        .isLessThan(200);
            }
        } finally {
            for (RawClient stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void fullDiskIsSaidWithThePathAndIsNoDefect() throws IOException {
        Path file = Path.of("/somewhere/overrides.yaml");
        admin.router.on("GET", "/full", Where.THREAD, _ -> {
            throw new NotWritten(file, new IOException("No space left on device"));
        });
        admin.router.on("GET", "/elsewhere", Where.THREAD, _ -> {
            throw new IOException("/somewhere/archive: No space left on device");
        });
        admin.router.on("GET", "/forbidden", Where.THREAD, _ -> {
            throw new NotWritten(file, new AccessDeniedException(file.toString()));
        });
        try (RawClient c = admin.client()) {
            RawClient.Answer full = c.ask("GET", "/full", "");
            assertThat(full.status()).isEqualTo(507);
            assertThat(full.body())
                    .contains(
                            "Nothing was changed: /somewhere/overrides.yaml cannot be written: No space left on device");
            RawClient.Answer elsewhere = c.ask("GET", "/elsewhere", "");
            assertThat(elsewhere.status()).isEqualTo(507);
            assertThat(elsewhere.body()).contains("/somewhere/archive: No space left on device");
            RawClient.Answer forbidden = c.ask("GET", "/forbidden", "");
            assertThat(forbidden.status()).isEqualTo(500);
            assertThat(forbidden.body()).contains("/somewhere/overrides.yaml cannot be written");
        }
        assertThat(admin.log.count(AdminMessages.NOT_WRITTEN)).isEqualTo(3);
        assertThat(admin.log.count(AdminMessages.HANDLER_FAILED)).isZero();
    }
}
