package io.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers that wait for what takes long, on every connection that there may be, keep nobody out. */
@Timeout(300)
class AdminCrowdTest {
    private static final int CONNECTIONS = 8;

    private final Queue<CompletableFuture<AdminAnswer>> asked = new ConcurrentLinkedQueue<>();
    private final TestAdmin admin = new TestAdmin();
    private final List<RawClient> crowd = new ArrayList<>();

    AdminCrowdTest() {
        admin.router
                .vital("/vital")
                .later("GET", "/vital", _ -> later())
                .later("GET", "/elsewhere", _ -> later())
                .first("/cheap", _ -> AdminAnswer.text("cheap"));
        admin.reopen(TestAdmin.config("127.0.0.1", CONNECTIONS, Duration.ofMinutes(1), Duration.ofMinutes(1)));
    }

    private CompletableFuture<AdminAnswer> later() {
        CompletableFuture<AdminAnswer> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    @AfterEach
    void close() throws IOException {
        for (RawClient c : crowd) {
            c.close();
        }
        admin.close();
    }

    private void crowd(int size, String path, String... fields) throws Exception {
        int before = asked.size();
        for (int i = 0; i < size; i++) {
            RawClient client = admin.client();
            crowd.add(client);
            client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + String.join("\r\n", fields)
                    + (fields.length == 0 ? "" : "\r\n") + "\r\n");
            asked(before + i + 1);
        }
    }

    /** One after the other: the next may take the place of one whose request was not read yet, and is never asked for. */
    private void asked(int requests) {
        Await.until(() -> asked.size() == requests);
    }

    private void newcomerIsAnswered() throws Exception {
        try (RawClient client = admin.client()) {
            assertThat(client.ask("GET", "/cheap", "").body()).isEqualTo("cheap");
        }
    }

    @Test
    void strangersWaitForAnotherProcessOnEveryConnection() throws Exception {
        crowd(CONNECTIONS, "/elsewhere");
        newcomerIsAnswered();
        asked.forEach(a -> a.complete(AdminAnswer.text("done")));
        assertThat(crowd.getLast().read(false).body())
                .as("the oldest gave their places")
                .isEqualTo("done");
    }

    @Test
    void strangersWaitForVitalViewsOnEveryConnection() throws Exception {
        crowd(CONNECTIONS, "/vital");
        newcomerIsAnswered();
        asked.forEach(a -> a.complete(AdminAnswer.text("done")));
        for (int i = 0; i < CONNECTIONS / 2 - 1; i++) {
            assertThat(crowd.get(i).read(false).body())
                    .as("almost half of them keep theirs")
                    .isEqualTo("done");
        }
        crowd(CONNECTIONS / 2 - 1, "/vital");
        asked.forEach(a -> a.complete(AdminAnswer.text("again")));
        assertThat(crowd.getLast().read(false).body()).as("places come back").isEqualTo("again");
    }

    @Test
    void whoFindsNoPlaceIsToldWhatWasJustFound() throws Exception {
        admin.router.vital("/rounds").later("GET", "/rounds", new LaterHandler() {
            @Override
            public CompletableFuture<AdminAnswer> answer(AdminRequest request) {
                return later();
            }

            @Override
            public AdminAnswer recent(AdminRequest request) {
                return AdminAnswer.text("just found");
            }
        });
        crowd(CONNECTIONS / 2 - 1, "/rounds");
        try (RawClient next = admin.client()) {
            assertThat(next.ask("GET", "/rounds", "").body()).isEqualTo("just found");
            assertThat(next.ask("GET", "/rounds", "").body()).isEqualTo("just found");
        }
        crowd(1, "/rounds", TestAdmin.TOKEN);
        asked.forEach(a -> a.complete(AdminAnswer.text("found for him")));
        for (RawClient waited : crowd) {
            assertThat(waited.read(false).body()).isEqualTo("found for him");
        }
    }

    /** Pipelines so many requests for a path; the first of each is asked for. */
    private void pipelining(int size, String path) throws Exception {
        int before = asked.size();
        for (int i = 0; i < size; i++) {
            RawClient client = admin.client();
            crowd.add(client);
            client.send(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(2));
            asked(before + i + 1);
        }
        asked.forEach(a -> a.complete(AdminAnswer.text("first")));
        Await.until(() -> asked.size() == before + 2 * size);
    }

    @Test
    void whoAsksForMoreHasNotComeLaterThanWhoAsksOnce() throws Exception {
        RawClient more = admin.client();
        crowd.add(more);
        more.send("GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2));
        Await.until(() -> asked.size() == 1);
        crowd(CONNECTIONS - 1, "/elsewhere");
        asked.element().complete(AdminAnswer.text("first"));
        Await.until(() -> asked.size() == CONNECTIONS + 1);
        newcomerIsAnswered();
        asked.forEach(a -> a.complete(AdminAnswer.text("done")));
        assertThat(crowd.get(1).read(false).body())
                .as("the first of those who ask once")
                .isEqualTo("done");
    }

    @Test
    void whoAsksForMoreHasNoReservedPlace() throws Exception {
        pipelining(CONNECTIONS / 2 - 1, "/vital");
        crowd(1, "/vital");
        RawClient once = crowd.getLast();
        crowd(2 * CONNECTIONS, "/elsewhere");
        newcomerIsAnswered();
        asked.forEach(a -> a.complete(AdminAnswer.text("done")));
        assertThat(once.read(false).body()).isEqualTo("done");
    }

    @Test
    void sharedViewIsWrittenOnceForAllWhoAskMeanwhile() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger written = new AtomicInteger();
        admin.router
                .get("/blocks", _ -> {
                    blocked.countDown();
                    goOn.await();
                    return AdminAnswer.text("went on");
                })
                .shared(
                        "/shared",
                        _ -> "",
                        _ -> AdminAnswer.text("written " + written.incrementAndGet()),
                        (r, a) -> a.with("Refresh", String.valueOf(r.parameter("refresh"))));
        for (int i = 0; i < CONNECTIONS - 1; i++) {
            RawClient client = admin.client();
            crowd.add(client);
            assertThat(client.ask("GET", "/cheap", "").body()).isEqualTo("cheap");
        }
        try (RawClient blocking = admin.client()) {
            blocking.send("GET /blocks HTTP/1.1\r\nHost: localhost\r\n\r\n");
            blocked.await();
            for (int i = 0; i < crowd.size(); i++) {
                crowd.get(i).send("GET /shared?refresh=" + (i + 1) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            goOn.countDown();
            assertThat(blocking.read(false).body()).isEqualTo("went on");
            for (int i = 0; i < crowd.size(); i++) {
                RawClient.Answer answer = crowd.get(i).read(false);
                assertThat(answer.body()).startsWith("written ");
                assertThat(answer.field("refresh")).isEqualTo(Integer.toString(i + 1));
            }
            assertThat(written).as("one at once, one for all others").hasValueLessThanOrEqualTo(2);
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void whoHasShownWhoHeIsKeepsHisPlace() throws Exception {
        crowd(1, "/elsewhere", TestAdmin.TOKEN);
        crowd(CONNECTIONS - 1, "/elsewhere");
        for (int i = 0; i < CONNECTIONS; i++) {
            newcomerIsAnswered();
        }
        asked.forEach(a -> a.complete(AdminAnswer.text("done")));
        assertThat(crowd.getFirst().read(false).body()).isEqualTo("done");
    }

    @Test
    void whoHasShownWhoHeIsMayTakeHisTimeToSendHisChange() throws Exception {
        try (RawClient operator = admin.client()) {
            operator.send("PATCH /echo HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN
                    + "\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nha");
            assertThat(operator.read(true).status()).isEqualTo(100);
            crowd(2 * CONNECTIONS, "/elsewhere");
            operator.send("lf");
            assertThat(operator.read(false).body()).contains("[half]");
        }
    }

    /** Strangers on all threads and in all places that they may have; {@code admin.threads} is one, the queue holds one. */
    private void strangersOnEveryThread() throws Exception {
        for (int i = 0; admin.stats.value(AdminStats.BUSY) == 0; i++) {
            assertThat(i).as("until one finds no place").isLessThan(CONNECTIONS);
            RawClient client = admin.client();
            crowd.add(client);
            client.send("GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n");
            admin.started.await();
            newcomerIsAnswered();
        }
    }

    @Test
    void strangersOnEveryThreadStopNoChange() throws Exception {
        strangersOnEveryThread();
        try (RawClient operator = admin.client()) {
            RawClient.Answer changed = operator.ask("PATCH", "/echo", "change", TestAdmin.TOKEN);
            assertThat(changed.status()).isEqualTo(200);
            assertThat(changed.body()).contains("[change] token");
            assertThat(operator.ask("GET", "/slow", "", TestAdmin.TOKEN).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void strangersOnEveryThreadKeepNobodyFromShowingWhoHeIs() throws Exception {
        admin.reopen((user, password) -> user.equals("ann") && password.equals("secret"));
        strangersOnEveryThread();
        try (RawClient operator = admin.client()) {
            RawClient.Answer changed =
                    operator.ask("PATCH", "/echo", "change", "Authorization: Basic YW5uOnNlY3JldA==");
            assertThat(changed.body()).contains("[change] ann");
        }
    }

    @Test
    void strangersWhoWaitForAnotherProcessStopNoChangeThere() throws Exception {
        admin.reopen(TestAdmin.config("127.0.0.1", 64, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        crowd(AdminDispatcher.MAX_ELSEWHERE, "/elsewhere");
        try (RawClient next = admin.client();
                RawClient operator = admin.client()) {
            next.send("GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
            newcomerIsAnswered();
            assertThat(asked).as("a bounded number is in progress").hasSize(AdminDispatcher.MAX_ELSEWHERE);
            operator.send("GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n" + TestAdmin.TOKEN + "\r\n\r\n");
            asked(AdminDispatcher.MAX_ELSEWHERE + 1);
            asked.forEach(a -> a.complete(AdminAnswer.text("done")));
            assertThat(operator.read(false).body()).isEqualTo("done");
            asked(AdminDispatcher.MAX_ELSEWHERE + 2);
            asked.forEach(a -> a.complete(AdminAnswer.text("done")));
            assertThat(next.read(false).body()).isEqualTo("done");
        }
    }

    private static AdminAnswer view(List<String> built, String what) {
        built.add(what);
        return AdminAnswer.text("it");
    }

    @Test
    void viewsThatNobodyWaitsForAnyMoreAreLeftOut() throws Exception {
        EventLoop loop = new DefaultEventLoop();
        try {
            ViewQueue queue = new ViewQueue();
            List<String> built = new ArrayList<>();
            CountDownLatch last = new CountDownLatch(1);
            loop.submit(() -> {
                        queue.build(loop, ViewQueue.Rank.SINGLE, () -> true, () -> built.add("first"));
                        for (int i = 0; i < 10_000; i++) {
                            queue.build(loop, ViewQueue.Rank.SINGLE, () -> false, () -> built.add("gone"));
                            queue.share(loop, "view", () -> false, () -> view(built, "shared"), _ -> built.add("gone"));
                        }
                        assertThat(queue.length()).isLessThan(1000);
                        queue.build(loop, ViewQueue.Rank.SINGLE, () -> true, last::countDown);
                        for (int i = 0; i < 3; i++) {
                            queue.share(
                                    loop, "view", () -> true, () -> view(built, "shared"), a -> built.add(a.body()));
                        }
                    })
                    .get();
            last.await();
            assertThat(built).as("one for all").containsExactly("first", "shared", "it", "it", "it");
        } finally {
            var _ = loop.shutdownGracefully();
        }
    }

    /** Requests a view again and again: whenever it is built, it is awaited already. */
    private static void again(ViewQueue queue, EventLoop loop, List<String> built) {
        queue.share(loop, "view", () -> true, () -> view(built, "shared"), _ -> {
            if (built.size() < 10) {
                again(queue, loop, built);
            }
        });
    }

    @Test
    void viewThatIsAlwaysRequestedKeepsNoOtherWaiting() throws Exception {
        EventLoop loop = new DefaultEventLoop();
        try {
            ViewQueue queue = new ViewQueue();
            List<String> built = new ArrayList<>();
            CountDownLatch last = new CountDownLatch(1);
            loop.submit(() -> {
                        queue.build(loop, ViewQueue.Rank.SINGLE, () -> true, () -> built.add("first"));
                        queue.build(loop, ViewQueue.Rank.STAYING, () -> true, last::countDown);
                        again(queue, loop, built);
                        queue.build(loop, ViewQueue.Rank.SINGLE, () -> true, () -> built.add("single"));
                        queue.build(loop, ViewQueue.Rank.SINGLE, () -> true, () -> built.add("single"));
                        queue.build(loop, ViewQueue.Rank.KNOWN, () -> true, () -> built.add("known"));
                    })
                    .get();
            last.await();
            assertThat(built).startsWith("first", "known", "shared", "single", "shared", "single", "shared", "shared");
            assertThat(built).as("who stays comes after all of them").hasSizeGreaterThanOrEqualTo(10);
        } finally {
            var _ = loop.shutdownGracefully();
        }
    }
}
