package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.Counters;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers ask the origin for each object once: the one that owns its key fetches it for all. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CacheOwnersTest {
    private static final int OBJECTS = 60;
    private static final int BYTES = 300_000;
    private static final int CLIENTS = 6;

    @TempDir
    Path folder = Path.of("");

    @Test
    void theOwnerOfAKeyFetchesItForAll() throws Exception {
        try (BodiesOrigin origin = new BodiesOrigin(BYTES);
                Fleet fleet = new Fleet(
                        folder,
                        "  lease: {time-to-live: 3s}\n  secret: \"%s\"\n".formatted("owner ".repeat(6)),
                        """
                                proxy:
                                  routes:
                                    - path: /
                                      origins: ["http://127.0.0.1:%d"]
                                cache: {memory-budget: 8MiB, max-object-size: 1MiB, disk: {path: cache, size: 64MiB}}
                                """.formatted(origin.port()))) {
            fleet.web().caches().startAll();
            for (String member : fleet.names()) {
                owners(fleet, member, 3);
            }
            List<String> paths =
                    IntStream.range(0, OBJECTS).mapToObj(i -> "/o/" + i).toList();
            eachOnce(fleet, origin, paths);
            largeOnesAreAtTheirOwnersOnly(fleet, origin);
            strangersAreRefused(fleet);
            aPurgeReachesTheOwner(fleet, origin);
            anUnsafeRequestIsSeenByItsSender(fleet, origin);
            oneIsKilled(fleet, origin, paths);
            fleet.start("beta");
            for (String member : fleet.names()) {
                owners(fleet, member, 3);
            }
            oneIsKilledWithinItsAnswer(fleet, origin, "/half/");
            fleet.start("beta");
            for (String member : fleet.names()) {
                owners(fleet, member, 3);
            }
            oneIsKilledWithinItsAnswer(fleet, origin, "/large/half/");
        }
    }

    private static void eachOnce(Fleet fleet, BodiesOrigin origin, List<String> paths) throws Exception {
        for (String path : paths) {
            for (String member : fleet.names()) {
                right(origin, path, get(fleet, member, path));
            }
        }
        assertThat(paths)
                .allSatisfy(path -> assertThat(origin.count(path)).as(path).isEqualTo(1));
        assertThat(sum(fleet, "weir_cache_owner_requests_total", "result=\"answered\""))
                .as("two of three ask")
                .isGreaterThanOrEqualTo(2 * OBJECTS);
        assertThat(sum(fleet, "weir_cache_member_requests_total", "")).isGreaterThanOrEqualTo(2 * OBJECTS);
        assertThat(sum(fleet, "weir_cache_owner_requests_total", "result=\"failed\""))
                .isZero();
        fleet.await("it is on the owners' disks", () -> sum(fleet, "weir_cache_disk_written_total", "") >= OBJECTS);
        assertThat(sum(fleet, "weir_cache_disk_written_total", ""))
                .as("only there")
                .isEqualTo(OBJECTS);
        for (String member : fleet.names()) {
            assertThat(metric(fleet, member, "weir_cache_disk_written_total", ""))
                    .as(member + " owns some")
                    .isBetween(5.0, 40.0);
        }
    }

    /** Others cannot keep them, and ask the owner each time. */
    private static void largeOnesAreAtTheirOwnersOnly(Fleet fleet, BodiesOrigin origin) throws Exception {
        for (int round = 0; round < 3; round++) {
            for (String member : fleet.names()) {
                right(origin, "/large/1", get(fleet, member, "/large/1"));
            }
        }
        for (String member : fleet.names()) {
            try (Socket socket = request(fleet, member, "GET", "/large/1", "Range: bytes=1000000-1000999\r\n")) {
                byte[] part = body(socket.getInputStream().readAllBytes(), member + " a part", 206);
                assertThat(part).isEqualTo(Arrays.copyOfRange(origin.body("/large/1"), 1_000_000, 1_001_000));
            }
        }
        assertThat(origin.count("/large/1")).isEqualTo(1);
        assertThat(sum(fleet, "weir_cache_owner_requests_total", "result=\"failed\""))
                .isZero();
        assertThat(sum(fleet, "weir_cache_disk_body_files", "")).isEqualTo(1);
    }

    /** Without the secret nothing is answered. */
    private static void strangersAreRefused(Fleet fleet) throws Exception {
        int port = fleet.server("alpha").port("caches");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /o/1 HTTP/1.1\r\nHost: cache.test\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP/1.1 200");
        }
        fleet.await(
                "it is counted",
                () -> metric(fleet, "alpha", "weir_cluster_log_refused_total", "side=\"caller\"") >= 1);
    }

    private static void aPurgeReachesTheOwner(Fleet fleet, BodiesOrigin origin) throws Exception {
        assertThat(fleet.send("beta", "DELETE", "/cache?url=http://cache.test/o/1")
                        .body())
                .contains("\"pending\":[]");
        int before = origin.count("/o/1");
        for (String member : fleet.names()) {
            get(fleet, member, "/o/1");
            get(fleet, member, "/o/1");
        }
        assertThat(origin.count("/o/1") - before).as("once more").isEqualTo(1);
    }

    private static void anUnsafeRequestIsSeenByItsSender(Fleet fleet, BodiesOrigin origin) throws Exception {
        for (String member : fleet.names()) {
            send(fleet, member, "POST", "/changed", 204);
            right(origin, "/changed", get(fleet, member, "/changed"));
        }
    }

    private static void oneIsKilled(Fleet fleet, BodiesOrigin origin, List<String> paths) throws Exception {
        ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answers = new AtomicInteger();
        int before = origin.total();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int c = 0; c < CLIENTS; c++) {
                int seed = c;
                clients.execute(() -> {
                    String member = seed % 2 == 0 ? "alpha" : "gamma";
                    for (int i = seed; !over.get(); i += 7) {
                        String path = paths.get(i % paths.size());
                        try {
                            right(origin, path, get(fleet, member, path));
                            answers.incrementAndGet();
                        } catch (Exception | AssertionError e) {
                            errors.add(member + " " + path + ": " + e);
                        }
                    }
                });
            }
            fleet.await("load", () -> answers.get() > 2 * OBJECTS);
            fleet.server("beta").kill();
            fleet.server("beta").exit();
            int at = answers.get();
            fleet.await("more load", () -> answers.get() > at + 5 * OBJECTS);
            owners(fleet, "alpha", 2);
            owners(fleet, "gamma", 2);
            int later = answers.get();
            fleet.await("still more", () -> answers.get() > later + OBJECTS);
            over.set(true);
        }
        assertThat(errors).as("no client sees it").isEmpty();
        double continued = metric(fleet, "alpha", "weir_cache_owner_continued_total", "")
                + metric(fleet, "gamma", "weir_cache_owner_continued_total", "");
        assertThat(origin.total() - before)
                .as("the keys of the killed one at most once more")
                .isLessThanOrEqualTo(OBJECTS * 2 / 3 + (int) continued);
    }

    /**
     * What it did not send comes from the origin.
     *
     * @param prefix of a path that the member which asks can keep, or not
     */
    private static void oneIsKilledWithinItsAnswer(Fleet fleet, BodiesOrigin origin, String prefix) throws Exception {
        int i = 0;
        while (!fleet.get("alpha", "/cache?url=http://cache.test" + prefix + i).contains("\"owner\":\"beta\"")) {
            i++;
        }
        String path = prefix + i;
        origin.half(path);
        double continued = metric(fleet, "alpha", "weir_cache_owner_continued_total", "");
        try (Socket socket = request(fleet, "alpha", "GET", path, "")) {
            InputStream in = socket.getInputStream();
            // some of the half may still be at the owner
            byte[] begun = in.readNBytes(BYTES / 3);
            fleet.server("beta").kill();
            byte[] all = Arrays.copyOf(begun, begun.length + BYTES * 10);
            int rest = in.readNBytes(all, begun.length, BYTES * 10);
            right(origin, path, body(Arrays.copyOf(all, begun.length + rest), "alpha " + path, 200));
        }
        assertThat(origin.count(path)).isEqualTo(2);
        assertThat(metric(fleet, "alpha", "weir_cache_owner_continued_total", ""))
                .isEqualTo(continued + 1);
    }

    private static void right(BodiesOrigin origin, String path, byte[] received) {
        assertThat(Arrays.equals(received, origin.body(path)))
                .as(path + ": " + received.length + " bytes")
                .isTrue();
    }

    private static byte[] get(Fleet fleet, String member, String path) throws Exception {
        return send(fleet, member, "GET", path, 200);
    }

    /** Sends a request for the same host to any member; returns the body. */
    private static byte[] send(Fleet fleet, String member, String method, String path, int status) throws Exception {
        try (Socket socket = request(fleet, member, method, path, "")) {
            return body(socket.getInputStream().readAllBytes(), member + " " + path, status);
        }
    }

    private static Socket request(Fleet fleet, String member, String method, String path, String field)
            throws Exception {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), fleet.server(member).port("web"));
        String request = method + " " + path
                + " HTTP/1.1\r\nHost: cache.test\r\nConnection: close\r\n" + field
                + (method.equals("POST") ? "Content-Length: 0\r\n\r\n" : "\r\n");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static byte[] body(byte[] answer, String what, int status) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        assertThat(text).as(what).startsWith("HTTP/1.1 " + status + " ");
        return Arrays.copyOfRange(answer, text.indexOf("\r\n\r\n") + 4, answer.length);
    }

    private static void owners(Fleet fleet, String member, int many) throws Exception {
        fleet.await(
                member + " knows " + many + " owners",
                () -> metric(fleet, member, "weir_cache_owners", "") == many
                        && metric(fleet, member, "weir_cluster_purges_awaited", "") == 0);
    }

    private static double sum(Fleet fleet, String name, String label) throws Exception {
        double all = 0;
        for (String member : fleet.names()) {
            all += metric(fleet, member, name, label);
        }
        return all;
    }

    private static double metric(Fleet fleet, String member, String name, String label) throws Exception {
        return new Counters(fleet.server(member).port("admin"), SystemClock.INSTANCE)
                .read()
                .sum(name, label);
    }
}
