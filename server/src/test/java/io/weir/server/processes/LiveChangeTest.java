package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.server.admin.AdminAnswer;
import io.weir.server.admin.AdminRequest;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.KnobService;
import io.weir.server.config.LoadedConfig;
import io.weir.server.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change is made by all processes or by none, also by none that hung meanwhile and goes on later. */
@Timeout(300)
class LiveChangeTest {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration NEVER = Duration.ofMinutes(10);
    /** Much less than what any of these waits for where nobody notices anything. */
    private static final int BOUND_SECONDS = 20;

    private final RecordingLog log = new RecordingLog();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Staff staff = new Staff();

    @TempDir
    private Path folder = Path.of("");

    private KnobService own;

    /** A process that does what it is asked for, but for the time in which it hangs. */
    private final class Fake implements AutoCloseable {
        final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        /** What it did, in words. */
        final Queue<String> done = new ConcurrentLinkedQueue<>();

        final CountDownLatch goOn = new CountDownLatch(1);
        /** Falls when it is asked for something for which it hangs. */
        final CountDownLatch hangs = new CountDownLatch(1);
        /** Requests that it hangs for, with all that comes after them. */
        volatile Predicate<String> hangsFor = _ -> false;

        volatile boolean hanging;
        /** The keys that it changes. */
        volatile List<String> changed = List.of("server.history-limit");

        Fake() throws IOException {
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        }

        private void answer(HttpExchange exchange) throws IOException {
            String asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            if (hanging || hangsFor.test(asked)) {
                hanging = true;
                hangs.countDown();
                await(goOn);
            }
            done.add(asked);
            byte[] body = Json.object(j ->
                            j.add("configuration", 2).add("changed", changed).add("next", next()))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }

        String admin() {
            return "127.0.0.1:" + server.getAddress().getPort();
        }

        /** What it did but for saying that it is there. */
        List<String> changes() {
            return done.stream().filter(LiveChangeTest::isChange).toList();
        }

        @Override
        public void close() {
            goOn.countDown();
            server.stop(0);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Staff implements LiveChange.Staff {
        final List<Fake> all = new ArrayList<>();
        final Queue<Integer> killed = new ConcurrentLinkedQueue<>();

        @Override
        public boolean upgrading() {
            return false;
        }

        @Override
        public boolean upgrade(Launch by, Runnable then) {
            return false;
        }

        @Override
        public Launch launch() {
            return new Launch(new WorkerWords(List.of(), List.of(), null), null, folder, folder, List.of(), "1");
        }

        @Override
        public Map<Integer, String> admins() {
            Map<Integer, String> admins = new LinkedHashMap<>();
            for (int i = 0; i < all.size(); i++) {
                admins.put(i + 1, all.get(i).admin());
            }
            return admins;
        }

        @Override
        public void recorded() {}

        @Override
        public List<Roll.Place> inForce() {
            return List.of(new Roll.Place(2, all.get(1).admin()));
        }

        @Override
        public void kill(Roll.Place place, String reason) {
            assertThat(place.admin()).isEqualTo(all.get(place.process() - 1).admin());
            killed.add(place.process());
        }
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("weir.yaml"), "listeners:\n  http: {port: 0}\n");
        LoadedConfig loaded = new ConfigLoader(folder.resolve("weir.yaml"), List.of(), folder).load();
        own = new KnobService(loaded, new Live<>(loaded.value()), folder, false, new SteppedClock(0), new Stats(), log);
        staff.all.add(new Fake());
        staff.all.add(new Fake());
    }

    @AfterEach
    void stop() {
        staff.all.forEach(Fake::close);
        threads.shutdown();
    }

    private static String next() {
        return "listeners:\n  http: {port: 0}\nkernel:\n  keep-alive: {timeout: 7s}\n";
    }

    private static boolean isChange(String asked) {
        return !asked.startsWith("GET ");
    }

    private static AdminRequest patch() {
        InetSocketAddress remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        return new AdminRequest("PATCH", "/knobs", Map.of(), Map.of(), "{}", remote, "operator");
    }

    /** Who hangs is one that the system has stopped: then no process of a busy machine looks as if it hung. */
    private LiveChange changes(Duration doubt, Duration patience) {
        WorkerQueries queries = new WorkerQueries(
                new WorkerClient(), doubt, NEVER, NEVER, process -> staff.all.get((int) process - 1).hanging);
        queries.keep(Map.of(staff.all.get(0).admin(), 1L, staff.all.get(1).admin(), 2L));
        return new LiveChange(staff, queries, own, patience, log);
    }

    private AdminAnswer changed(LiveChange by) throws Exception {
        Future<AdminAnswer> answer = threads.submit(() -> by.change(patch()));
        return answer.get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    private Duration timeOut() {
        return own.live().get().kernel().keepAlive().timeout();
    }

    @Test
    void allHaveItOnceItIsAnswered() throws Exception {
        assertThat(changed(changes(NEVER, NEVER)).status()).isEqualTo(200);
        assertThat(staff.all.get(0).changes()).containsExactly("PATCH /knobs?check=true", "PATCH /knobs");
        assertThat(staff.all.get(1).changes())
                .containsExactly("POST /config/follow?check=true", "POST /config/follow?check=false");
        assertThat(timeOut()).hasSeconds(7);
        assertThat(staff.killed).isEmpty();
    }

    /** Its client may be gone by then, and has been told that nothing was changed. */
    private void nothingIsChangedThenOrLater(Fake hung, AdminAnswer answer) throws Exception {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("Nothing was changed. Process ");
        hung.goOn.countDown();
        // on a busy machine the answer may come before it was asked
        while (hung.hangs.getCount() == 0 && hung.changes().isEmpty()) {
            Thread.onSpinWait();
        }
        threads.shutdown();
        staff.all.forEach(f -> f.server.stop(0));
        for (Fake each : staff.all) {
            assertThat(each.changes()).allMatch(d -> d.endsWith("?check=true"));
        }
        assertThat(timeOut()).hasSeconds(30);
        assertThat(staff.killed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whileOneHangsNothingIsChangedAndThatIsAnsweredAsSoonAsItIsKnown(int process) throws Exception {
        Fake hung = staff.all.get(process - 1);
        hung.hangsFor = LiveChangeTest::isChange;
        AdminAnswer answer = changed(changes(SOON, NEVER));
        assertThat(answer.body()).contains("Process " + process + " does not answer: it hangs, or has just ended.");
        nothingIsChangedThenOrLater(hung, answer);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatIsNotCheckedInTimeIsNotAppliedLater(int process) throws Exception {
        Fake hung = staff.all.get(process - 1);
        hung.hangsFor = LiveChangeTest::isChange;
        AdminAnswer answer = changed(changes(NEVER, Duration.ofSeconds(3)));
        assertThat(answer.body()).contains(" has not answered in time: ask again.");
        nothingIsChangedThenOrLater(hung, answer);
    }

    @Test
    void whoComesWhileAnotherIsCheckedWaitsNoLongerEither() throws Exception {
        Fake hung = staff.all.get(1);
        hung.hangsFor = LiveChangeTest::isChange;
        LiveChange change = changes(NEVER, Duration.ofSeconds(1));
        Future<AdminAnswer> first = threads.submit(() -> change.change(patch()));
        hung.hangs.await();
        assertThat(changed(change).status()).isEqualTo(503);
        assertThat(first.get().status()).isEqualTo(503);
    }

    /** As a reload of a file that is as it was. */
    @Test
    void ofAChangeOfNothingIsNotTold() throws Exception {
        staff.all.forEach(f -> f.changed = List.of());
        assertThat(changed(changes(NEVER, NEVER)).status()).isEqualTo(200);
        assertThat(log.count(ProcessMessages.CHANGED)).isZero();
        staff.all.forEach(f -> f.changed = List.of("server.history-limit"));
        assertThat(changed(changes(NEVER, NEVER)).status()).isEqualTo(200);
        assertThat(log.count(ProcessMessages.CHANGED)).isOne();
    }

    /** What it was asked for it would do later, or not: the next one of its place does as the others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoHangsWhileItIsAppliedIsKilledAndAllOthersHaveIt(int process) throws Exception {
        staff.all.get(process - 1).hangsFor = asked -> isChange(asked) && !asked.endsWith("?check=true");
        Fake other = staff.all.get(2 - process);
        AdminAnswer answer = changed(changes(SOON, NEVER));
        assertThat(staff.killed).containsExactly(process);
        assertThat(other.changes()).last().asString().doesNotContain("check=true");
        assertThat(timeOut()).hasSeconds(7);
        assertThat(Files.readString(staff.launch().inForce())).endsWith(next());
        assertThat(answer.status()).isEqualTo(process == 1 ? 500 : 200);
        assertThat(log.count(ProcessMessages.NOT_CHANGED)).isOne();
    }
}
