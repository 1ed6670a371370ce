package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk tier's promise: kill -9 at any moment, and no body is served that is not, byte for byte, one of its URL. The
 * seed is printed; {@code -Dweir.kill.seed=N} repeats its choices, {@code -Dweir.kill.deaths=N} kills the nightly one's
 * server so often.
 */
@Tag("slow")
@Timeout(value = 240, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiskKillTest {
    private static final int FEWEST_ANSWERS = 100;
    private static final int MOST_ANSWERS = 400;
    private static final int CLIENTS = 4;
    private static final int PATHS = 150;
    /** The last one has a file of its own. */
    private static final int[] SIZES = {0, 100, 1000, 13_000, 13_000, 70_000, 300_000, 1_300_000};

    private static final List<String> LANGUAGES = List.of("de", "en", "fr");

    @TempDir
    Path folder = Path.of("");

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger checked = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private final AtomicInteger fetched = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer origin = create();

    private static HttpServer create() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void open() {
        origin.setExecutor(threads);
        origin.createContext("/", this::answer);
        origin.start();
    }

    @AfterEach
    void close() {
        origin.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            fetched.incrementAndGet();
            String path = exchange.getRequestURI().getPath();
            String language = exchange.getRequestHeaders().getFirst("Accept-Language");
            exchange.getResponseHeaders().set("Cache-Control", path.contains("/short/") ? "max-age=1" : "max-age=600");
            if (path.startsWith("/varies/")) {
                exchange.getResponseHeaders().set("Vary", "Accept-Language");
            }
            byte[] body = body(path, language);
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** What belongs to a path: no part of it is like a part of another. */
    private static byte[] body(String path, String language) {
        String[] parts = path.split("/", -1);
        byte[] body = new byte[Integer.parseInt(parts[parts.length - 1])];
        String of = path.startsWith("/varies/") ? path + language : path;
        Chance.seeded(of.hashCode()).random().nextBytes(body);
        return body;
    }

    @Test
    void twoSuddenDeathsServeNothingTorn() throws Exception {
        kill(2);
    }

    @Test
    @Tag("nightly")
    void twoHundredSuddenDeathsServeNothingTorn() throws Exception {
        kill(Integer.getInteger("weir.kill.deaths", 200));
    }

    private void kill(int deaths) throws Exception {
        long seed = Long.getLong("weir.kill.seed", Chance.unseeded().random().nextLong());
        RandomGenerator chance = Chance.seeded(seed).random();
        Path config = config();
        for (int life = 0; life < deaths; life++) {
            try (ProcessLauncher.Running server = Servers.launcher().start(config, folder.resolve("data"), List.of())) {
                List<Thread> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    RandomGenerator own = Chance.seeded(chance.nextLong()).random();
                    clients.add(Thread.ofPlatform().start(() -> load(server, own)));
                }
                // by what it has done, not by time: a slow machine does less
                int answers = checked.get() + chance.nextInt(FEWEST_ANSWERS, MOST_ANSWERS);
                while (checked.get() < answers && wrong.isEmpty()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                server.kill();
                for (Thread client : clients) {
                    client.join();
                }
            }
            assertThat(wrong).as("after death " + life + " of seed " + seed).isEmpty();
            assertThat(cut.getAndSet(0)).as("answers cut off by the kill").isLessThanOrEqualTo(2 * CLIENTS);
        }
        try (ProcessLauncher.Running server = Servers.launcher().start(config, folder.resolve("data"), List.of())) {
            Counters counters = new Counters(server.port("admin"), SystemClock.INSTANCE);
            int origins = fetched.get();
            for (int i = 0; i < PATHS; i++) {
                get(server, "/plain/long/" + i + "/" + SIZES[i % SIZES.length], "de");
            }
            double hits = counters.read().sum("weir_cache_disk_hits_total", "");
            assertThat(wrong).as("after the last death of seed " + seed).isEmpty();
            assertThat(hits).as("what was written is found").isPositive();
            assertThat(fetched.get() - origins).as("and not fetched").isLessThanOrEqualTo(PATHS - (int) hits);
            System.out.println("kill -9 of the disk tier: seed " + seed + ", " + deaths + " deaths, " + checked.get()
                    + " bodies checked, " + (int) hits + " of " + PATHS + " found at the end");
        }
    }

    private Path config() throws IOException {
        Path config = folder.resolve("weir.yaml");
        Files.writeString(config, """
                listeners:
                  http: {port: 0, address: 127.0.0.1}
                admin: {port: 0}
                cache:
                  memory-budget: 2MiB
                  max-object-size: 512KiB
                  disk: {path: cache, size: 64MiB, max-memory-object-size: 64KiB}
                proxy:
                  routes:
                    - path: /
                      origins: [http://127.0.0.1:%d]
                """.formatted(origin.getAddress().getPort()));
        return config;
    }

    /** Requests until the server is dead. */
    private void load(ProcessLauncher.Running server, RandomGenerator random) {
        while (server.alive()) {
            int i = Math.min(random.nextInt(PATHS), random.nextInt(PATHS));
            String kind =
                    (random.nextInt(4) == 0 ? "/varies" : "/plain") + (random.nextInt(4) == 0 ? "/short/" : "/long/");
            String path = kind + i + "/" + SIZES[i % SIZES.length];
            try {
                get(server, path, LANGUAGES.get(random.nextInt(LANGUAGES.size())));
            } catch (ConnectException _) {
                // it is dead
            } catch (IOException _) {
                cut.incrementAndGet();
            }
        }
    }

    private void get(ProcessLauncher.Running server, String path, String language) throws IOException {
        byte[] got;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port("http"))) {
            // the host is part of what is stored, and the port is another after each start
            String request = "GET " + path + " HTTP/1.1\r\nHost: cache.test\r\nAccept-Language: " + language
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            got = socket.getInputStream().readAllBytes();
        }
        String answer = new String(got, StandardCharsets.ISO_8859_1);
        int end = answer.indexOf("\r\n\r\n") + 4;
        byte[] body = body(path, language);
        boolean whole =
                answer.contains("\r\nContent-Length: " + body.length + "\r\n") && got.length >= end + body.length;
        if (end < 4 || (answer.startsWith("HTTP/1.1 200 ") && !whole)) {
            throw new IOException("cut off");
        }
        if (!answer.startsWith("HTTP/1.1 200 ") || !Arrays.equals(got, end, got.length, body, 0, body.length)) {
            wrong.add(path + " in " + language + ": not its own body: " + answer.substring(0, end));
        }
        checked.incrementAndGet();
    }
}
