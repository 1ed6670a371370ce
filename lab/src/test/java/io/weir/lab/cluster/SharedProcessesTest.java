package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.process.Await;
import io.weir.lab.process.Servers;
import io.weir.lab.process.Signals;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes of one server ask the origin for each object once: the one that owns its key fetches it for all. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedProcessesTest {
    private static final int PROCESSES = 3;
    private static final int OBJECTS = 30;
    private static final int PURGES = 20;
    private static final String REQUESTS = "weir_http_requests_total";
    private static final List<String> PATHS =
            IntStream.range(0, OBJECTS).mapToObj(i -> "/o/" + i).toList();

    @TempDir
    Path folder = Path.of("");

    /** Of the administrator. */
    private final HttpClient http = HttpClient.newHttpClient();

    /** Connections that stay open, by the number of the process that accepted them. */
    private record Held(int process, Socket socket) {}

    private ProcessLauncher.Running start(CountingOrigin origin, String cache) throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                server: {processes: %d, hang-time-out: 10m}
                listeners:
                  web: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy:
                  routes:
                    - path: /
                      origins: ["http://127.0.0.1:%d"]
                cache: {%sowner-time-out: 10m, owner-connect-time-out: 1m, disk: {path: cache, size: 64MiB}}
                """.formatted(PROCESSES, origin.port(), cache));
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }

    @Test
    void theOwnerOfAKeyFetchesItForAllProcesses() throws Exception {
        try (CountingOrigin origin = new CountingOrigin();
                ProcessLauncher.Running weir = start(origin, "")) {
            for (int p = 1; p <= PROCESSES; p++) {
                assertThat(one(weir, p, "weir_cache_owners", ""))
                        .as("process %d knows the others before it serves", p)
                        .isEqualTo(PROCESSES);
            }
            List<Held> connections = connections(weir);
            try {
                eachOnce(weir, origin, connections);
                strangersAreRefused(weir);
                fromTheDiskOfAnother(weir, origin, connections);
                aPurgeTellsWhatItRemovedFromAll(weir, connections);
                aPurgeInFlightBringsNothingBack(weir, origin, connections);
                oneHangs(weir, connections);
                oneIsKilled(weir, origin, connections);
            } finally {
                close(connections);
            }
            purgesDuringAnUpgrade(weir, origin);
        }
    }

    @Test
    void withoutSharingEachFetchesForItself() throws Exception {
        try (CountingOrigin origin = new CountingOrigin();
                ProcessLauncher.Running weir = start(origin, "share-processes: off, ")) {
            List<Held> connections = connections(weir);
            try {
                for (Held c : connections) {
                    get(c.socket(), "/o/1");
                }
                assertThat(origin.count("/o/1")).isEqualTo(PROCESSES);
                assertThat(metric(weir, "weir_cache_owners", "")).isZero();
                purge(weir, "/o/1");
                for (Held c : connections) {
                    get(c.socket(), "/o/1");
                }
                assertThat(origin.count("/o/1")).as("fetched anew by each").isEqualTo(2 * PROCESSES);
            } finally {
                close(connections);
            }
        }
    }

    private static void close(List<Held> connections) throws IOException {
        for (Held c : connections) {
            c.socket().close();
        }
    }

    private static void known(ProcessLauncher.Running weir) throws Exception {
        await(weir, "all know each other", () -> {
            boolean all = true;
            for (int p = 1; p <= PROCESSES; p++) {
                all &= one(weir, p, "weir_cache_owners", "") == PROCESSES;
            }
            return all;
        });
    }

    /** One connection to each process at least, whatever the system chooses. */
    private static List<Held> connections(ProcessLauncher.Running weir) throws Exception {
        List<Held> all = new ArrayList<>();
        while (all.stream().map(Held::process).distinct().count() < PROCESSES) {
            double[] before = accepted(weir);
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("web"));
            get(socket, "/who");
            double[] after = accepted(weir);
            for (int p = 1; p <= PROCESSES; p++) {
                if (after[p] > before[p]) {
                    all.add(new Held(p, socket));
                }
            }
        }
        return all;
    }

    private static double[] accepted(ProcessLauncher.Running weir) throws Exception {
        double[] all = new double[PROCESSES + 1];
        for (int p = 1; p <= PROCESSES; p++) {
            all[p] = one(weir, p, "weir_listener_accepted_total", "listener=\"web\"");
        }
        return all;
    }

    private static void eachOnce(ProcessLauncher.Running weir, CountingOrigin origin, List<Held> connections)
            throws Exception {
        double requests = metric(weir, REQUESTS, "virtual_server=\"default\"");
        for (String path : PATHS) {
            for (Held c : connections) {
                assertThat(get(c.socket(), path)).isEqualTo(path + " 1");
            }
        }
        assertThat(metric(weir, REQUESTS, "virtual_server=\"default\""))
                .as("a client's request is counted once")
                .isEqualTo(requests + OBJECTS * connections.size());
        assertThat(metric(weir, REQUESTS, "virtual_server=\"(processes)\"")).isGreaterThanOrEqualTo(2 * OBJECTS);
        assertThat(PATHS)
                .allSatisfy(path -> assertThat(origin.count(path)).as(path).isEqualTo(1));
        assertThat(metric(weir, "weir_cache_owner_requests_total", "result=\"answered\""))
                .as("two of three ask")
                .isGreaterThanOrEqualTo(2 * OBJECTS);
        await(weir, "it is on the owners' disks", () -> metric(weir, "weir_cache_disk_written_total", "") >= OBJECTS);
        for (int p = 1; p <= PROCESSES; p++) {
            assertThat(one(weir, p, "weir_cache_disk_written_total", ""))
                    .as("process " + p + " owns some")
                    .isBetween(2.0, 22.0);
        }
        double asked = metric(weir, "weir_cache_owner_requests_total", "");
        for (Held c : connections) {
            get(c.socket(), PATHS.getFirst());
        }
        assertThat(metric(weir, "weir_cache_owner_requests_total", ""))
                .as("it is in the memory of each")
                .isEqualTo(asked);
    }

    /** Without the secret nothing is answered. */
    private void strangersAreRefused(ProcessLauncher.Running weir) throws Exception {
        int port = privatePort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /o/1 HTTP/1.1\r\nHost: cache.test\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP/1.1 200");
        }
        await(weir, "it is counted", () -> metric(weir, "weir_cache_strangers_total", "") >= 1);
    }

    /** Only the logs name it. */
    private int privatePort() throws IOException {
        Pattern line = Pattern.compile("\\(processes\\).*?127\\.0\\.0\\.1[^0-9]+(\\d{4,5})");
        try (Stream<Path> all = Files.walk(folder.resolve("data").resolve("workers"))) {
            for (Path p : all.filter(f -> f.toString().endsWith(".log")).toList()) {
                Matcher m = line.matcher(Files.readString(p));
                if (m.find()) {
                    return Integer.parseInt(m.group(1));
                }
            }
        }
        throw new AssertionError("no log names the listener for other processes");
    }

    private void fromTheDiskOfAnother(ProcessLauncher.Running weir, CountingOrigin origin, List<Held> connections)
            throws Exception {
        assertThat(send(weir, "POST", "/nsc?restart").statusCode()).isEqualTo(200);
        for (String path : PATHS) {
            for (Held c : connections) {
                assertThat(get(c.socket(), path)).isEqualTo(path + " 1");
            }
        }
        assertThat(metric(weir, "weir_cache_disk_hits_total", "")).isGreaterThanOrEqualTo(OBJECTS);
        assertThat(PATHS).allSatisfy(path -> assertThat(origin.count(path)).isEqualTo(1));
        assertThat(send(weir, "GET", "/cache?url=http://cache.test" + PATHS.getFirst())
                        .body())
                .contains("\"owner\":\"process ");
    }

    /** What is requested after the answer to a purge was fetched after its beginning, at whichever process. */
    private void aPurgeTellsWhatItRemovedFromAll(ProcessLauncher.Running weir, List<Held> connections)
            throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        // on a busy machine a process may take longer than the answer waits for it
        await(weir, "a purge is answered", () -> {
            String path = "/counted/" + attempts.incrementAndGet();
            for (Held c : connections) {
                get(c.socket(), path);
            }
            HttpResponse<String> answer = send(weir, "DELETE", "/cache?url=http://cache.test" + path);
            if (answer.statusCode() == 200) {
                assertThat(answer.body()).startsWith("{\"forgotten\":" + PROCESSES);
            }
            return answer.statusCode() == 200;
        });
    }

    private void aPurgeInFlightBringsNothingBack(
            ProcessLauncher.Running weir, CountingOrigin origin, List<Held> connections) throws Exception {
        String path = "/purged";
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger least = new AtomicInteger();
        ConcurrentLinkedQueue<String> stale = new ConcurrentLinkedQueue<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Held c : connections) {
                clients.execute(() -> {
                    while (!over.get()) {
                        int before = least.get();
                        try {
                            String body = get(c.socket(), path);
                            if (Integer.parseInt(body.substring(body.lastIndexOf(' ') + 1)) <= before) {
                                stale.add("process " + c.process() + ": " + body + " after " + before);
                            }
                        } catch (IOException e) {
                            stale.add(e.toString());
                        }
                    }
                });
            }
            for (int i = 0; i < PURGES; i++) {
                int before = origin.count(path);
                await(weir, "it is stored", () -> origin.count(path) > before - 1 && origin.count(path) > 0);
                int fetched = origin.count(path);
                purge(weir, path);
                least.set(fetched);
                await(weir, "it is fetched again", () -> origin.count(path) > fetched);
            }
            over.set(true);
        }
        assertThat(stale).isEmpty();
        assertThat(origin.count(path)).as("not by each process").isLessThan(PROCESSES * PURGES);
    }

    /** Its keys are fetched by others; what was purged meanwhile it learns when it goes on, and nobody takes it from it. */
    private void oneHangs(ProcessLauncher.Running weir, List<Held> connections) throws Exception {
        int i = 0;
        while (!send(weir, "GET", "/cache?url=http://cache.test/hang/" + i)
                .body()
                .contains("\"owner\":\"process 3\"")) {
            i++;
        }
        String path = "/hang/" + i;
        for (Held c : connections) {
            assertThat(get(c.socket(), path)).isEqualTo(path + " 1");
        }
        String limit = "{\"cache.owner-time-out\":\"%s\"}";
        assertThat(send(weir, "PATCH", "/knobs", limit.formatted("1s")).statusCode())
                .isEqualTo(200);
        Signals.send("STOP", worker(3));
        HttpResponse<String> late = send(weir, "DELETE", "/cache?url=http://cache.test" + path);
        assertThat(late.statusCode()).isEqualTo(503);
        assertThat(late.body()).contains("Process 3 does not answer");
        for (Held c : connections) {
            if (c.process() != 3) {
                assertThat(get(c.socket(), path)).as("of the origin").isNotEqualTo(path + " 1");
            }
        }
        Signals.send("CONT", worker(3));
        for (Held c : connections) {
            await(
                    weir,
                    "process " + c.process() + " has applied it",
                    () -> !get(c.socket(), path).equals(path + " 1"));
        }
        for (Held c : connections) {
            assertThat(get(c.socket(), path)).isNotEqualTo(path + " 1");
        }
        await(
                weir,
                "all answer again",
                () -> send(weir, "PATCH", "/knobs", limit.formatted("10m")).statusCode() == 200);
    }

    /** The clients of the others see nothing of it. */
    private void oneIsKilled(ProcessLauncher.Running weir, CountingOrigin origin, List<Held> connections)
            throws Exception {
        long victim = worker(2);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
        int before = origin.total();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Held c : connections) {
                if (c.process() != 2) {
                    clients.execute(() -> {
                        for (int i = 0; !over.get(); i++) {
                            // some that are in memory, and some that nobody has
                            String path = i % 3 == 0 ? PATHS.get(i / 3 % OBJECTS) : "/new/" + c.process() + "/" + i;
                            try {
                                assertThat(get(c.socket(), path)).startsWith(path + " ");
                                answers.incrementAndGet();
                            } catch (IOException | AssertionError e) {
                                errors.add("process " + c.process() + " " + path + ": " + e);
                                return;
                            }
                        }
                    });
                }
            }
            await(weir, "load", () -> answers.get() > OBJECTS);
            ProcessHandle.of(victim).orElseThrow().destroyForcibly();
            int at = answers.get();
            await(weir, "more load", () -> answers.get() > at + 3 * OBJECTS || !errors.isEmpty());
            await(weir, "it has a successor", () -> worker(2) != victim && worker(2) != 0);
            over.set(true);
        }
        assertThat(errors).as("no client of another process sees it").isEmpty();
        assertThat(origin.total()).isGreaterThan(before);
        known(weir);
        assertThat(PATHS)
                .as("the successor has the same keys and the same folder")
                .allSatisfy(path -> assertThat(origin.count(path)).isLessThanOrEqualTo(2));
    }

    private void purgesDuringAnUpgrade(ProcessLauncher.Running weir, CountingOrigin origin) throws Exception {
        long old = worker(2);
        assertThat(send(weir, "POST", "/upgrade").statusCode()).isEqualTo(202);
        boolean over = false;
        while (!over) {
            over = send(weir, "GET", "/upgrade").body().contains("done");
            int before = origin.count("/purged");
            if (delete(weir, "/purged") == 200) {
                for (int i = 0; i < 10; i++) {
                    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), weir.port("web"))) {
                        String body = get(socket, "/purged");
                        assertThat(Integer.parseInt(body.substring(body.lastIndexOf(' ') + 1)))
                                .isGreaterThan(before);
                    }
                }
            }
        }
        assertThat(worker(2)).isNotEqualTo(old);
        known(weir);
    }

    private long worker(int number) throws IOException {
        return Files.readAllLines(folder.resolve("data").resolve("weir.pid")).stream()
                .filter(l -> l.startsWith("worker." + number + "="))
                .mapToLong(l -> Long.parseLong(l.substring(l.indexOf('=') + 1)))
                .sum();
    }

    /** On a busy machine a process may take longer than the answer waits for it. */
    private void purge(ProcessLauncher.Running weir, String path) throws Exception {
        await(weir, path + " is purged", () -> delete(weir, path) == 200);
    }

    private int delete(ProcessLauncher.Running weir, String path) throws Exception {
        return send(weir, "DELETE", "/cache?url=http://cache.test" + path).statusCode();
    }

    private HttpResponse<String> send(ProcessLauncher.Running weir, String method, String path) throws Exception {
        return send(weir, method, path, "");
    }

    private HttpResponse<String> send(ProcessLauncher.Running weir, String method, String path, String body)
            throws Exception {
        String token = Files.readString(weir.data().resolve("admin.token")).strip();
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.port("admin") + path))
                        .header("Authorization", "Bearer " + token)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The body of an answer on a connection that stays open. */
    private static String get(Socket on, String path) throws IOException {
        on.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: cache.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        InputStream in = on.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed after " + head);
            }
            head.append((char) b);
        }
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        if (!head.toString().startsWith("HTTP/1.1 200 ") || !length.find()) {
            throw new IOException(head.toString());
        }
        return new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.US_ASCII);
    }

    private static double metric(ProcessLauncher.Running weir, String name, String label) throws Exception {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE).read().sum(name, label);
    }

    /** Of one process. */
    private static double one(ProcessLauncher.Running weir, int process, String name, String label) throws Exception {
        return new Counters(weir.port("admin"), SystemClock.INSTANCE)
                .of(process)
                .sum(name, label);
    }

    private static void await(ProcessLauncher.Running weir, String what, Await.Condition condition) throws Exception {
        Await.until(what, () -> String.join("\n", weir.log()), condition);
    }
}
