package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.weir.base.SteppedClock;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that hangs is waited for once, and by nobody after that. */
@Timeout(300)
class WorkerQueriesTest {
    private static final Duration NO_DOUBT = Duration.ofMinutes(10);

    private final AtomicInteger asked = new AtomicInteger();
    /** Falls when it said that it is there. */
    private final CountDownLatch there = new CountDownLatch(1);

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile boolean hangs;
    private volatile boolean slow;
    private HttpServer worker;
    private String admin = "";

    @BeforeEach
    void start() throws IOException {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.setExecutor(threads);
        worker.createContext("/", exchange -> {
            boolean live = exchange.getRequestURI().getPath().equals("/health/live");
            asked.addAndGet(live ? 0 : 1);
            if (hangs || (slow && !live)) {
                await(goOn);
            }
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write(new byte[] {'o', 'k'});
            exchange.close();
            if (live) {
                there.countDown();
            }
        });
        worker.start();
        admin = "127.0.0.1:" + worker.getAddress().getPort();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        worker.stop(0);
        threads.shutdown();
    }

    private static <T> T told(CompletableFuture<T> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    private static WorkerQueries queries(Duration doubt) {
        return new WorkerQueries(new WorkerClient(), doubt, doubt, NO_DOUBT, _ -> false);
    }

    /** Nobody needs to be patient with it. */
    @Test
    void workerThatTheSystemHasStoppedIsSilentAtOnce() throws Exception {
        WorkerQueries queries = new WorkerQueries(
                new WorkerClient(), Duration.ofMillis(50), NO_DOUBT, NO_DOUBT, pid -> pid == 4711 && hangs);
        queries.keep(Map.of(admin, 4711L));
        hangs = true;
        assertThat(told(queries.view(admin, "/.perf"))).isEmpty();
        assertThat(queries.isResponsive(admin)).isFalse();
        hangs = false;
        goOn.countDown();
        waitFor(queries);
        assertThat(queries.isResponsive(admin)).isTrue();
    }

    @Test
    void workerThatHangsIsAskedNoMoreUntilItIsThereAgain() throws Exception {
        WorkerQueries queries = queries(Duration.ofMillis(50));
        waitFor(queries);
        hangs = true;
        assertThat(told(queries.view(admin, "/.perf"))).isEmpty();
        assertThat(queries.isResponsive(admin)).isFalse();
        int before = asked.get();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<Optional<AdminAnswer>> answer = queries.look(admin, "/health");
            assertThat(answer).as("nobody waits for it").isDone();
            assertThat(answer.join()).isEmpty();
        }
        assertThat(asked).hasValue(before);
        hangs = false;
        goOn.countDown();
        waitFor(queries);
        assertThat(queries.isResponsive(admin)).isTrue();
    }

    /** On a busy machine it may look as if it hung. */
    private void waitFor(WorkerQueries queries) throws Exception {
        while (told(queries.view(admin, "/.perf")).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void workerThatIsThereMayTakeItsTime() throws Exception {
        WorkerQueries queries = queries(Duration.ofSeconds(3));
        slow = true;
        CompletableFuture<Optional<String>> answer = queries.view(admin, "/.perf");
        there.await();
        goOn.countDown();
        assertThat(told(answer)).contains("ok");
    }

    @Test
    void clientsHaveSoManyRequestsAtOneWorkerAtMost() throws Exception {
        WorkerQueries queries = queries(NO_DOUBT);
        slow = true;
        List<CompletableFuture<Optional<AdminAnswer>>> all = new ArrayList<>();
        for (int i = 0; i < WorkerQueries.MAX_REQUESTS; i++) {
            all.add(queries.pass(admin, request()));
        }
        assertThat(queries.pass(admin, request())).isNull();
        CompletableFuture<Optional<AdminAnswer>> known = queries.pass(admin, request("token"));
        assertThat(known).as("places of their own").isNotNull();
        all.add(known);
        goOn.countDown();
        for (CompletableFuture<Optional<AdminAnswer>> one : all) {
            assertThat(told(one).orElseThrow().body()).isEqualTo("ok");
        }
        assertThat(told(Objects.requireNonNull(queries.pass(admin, request())))).isPresent();
    }

    @Test
    void whoAsksASilentWorkerIsToldThatAndNotThatItIsBusy() throws Exception {
        WorkerQueries queries = queries(Duration.ofMillis(50));
        hangs = true;
        List<CompletableFuture<Optional<AdminAnswer>>> all = new ArrayList<>();
        for (int i = 0; i < WorkerQueries.MAX_REQUESTS; i++) {
            all.add(queries.pass(admin, request()));
        }
        for (CompletableFuture<Optional<AdminAnswer>> one : all) {
            assertThat(told(one)).isEmpty();
        }
        assertThat(queries.pass(admin, request())).isCompletedWithValue(Optional.empty());
    }

    private static AdminRequest request() {
        return request(AdminRequest.ANONYMOUS);
    }

    private static AdminRequest request(String author) {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        return new AdminRequest("GET", "/knobs", Map.of(), Map.of(), "", remote, author);
    }

    @Test
    void whoAsksDuringARoundSharesTheNext() {
        List<CompletableFuture<Integer>> begun = new ArrayList<>();
        SteppedClock clock = new SteppedClock(0);
        Rounds<Integer> rounds = new Rounds<>(
                () -> {
                    begun.add(new CompletableFuture<>());
                    return begun.getLast();
                },
                clock);
        assertThat(rounds.recent(Duration.ofSeconds(1))).isNull();
        CompletableFuture<Integer> first = rounds.nextResult();
        List<CompletableFuture<Integer>> later = List.of(rounds.nextResult(), rounds.nextResult(), rounds.nextResult());
        assertThat(begun).hasSize(1);
        begun.get(0).complete(1);
        assertThat(first.join()).isEqualTo(1);
        assertThat(begun).as("one for all of them").hasSize(2);
        assertThat(later).noneMatch(CompletableFuture::isDone);
        begun.get(1).completeExceptionally(new IllegalStateException("no"));
        assertThat(later).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(rounds.idle()).isTrue();
        clock.step(Duration.ofSeconds(1));
        assertThat(rounds.recent(Duration.ofSeconds(1))).as("what was found").isEqualTo(1);
        clock.step(Duration.ofNanos(1));
        assertThat(rounds.recent(Duration.ofSeconds(1))).as("and is old now").isNull();
    }
}
