package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.WatchedDisk;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large answers that the page cache has are sent from there, once their blocks were compared with their checksums; what it
 * does not have is read, and compared again.
 */
class DiskSendFileTest {
    private static final int BLOCK = 64 << 10;
    private static final int LARGE = 3_000_001;

    @TempDir
    private Path folder = Path.of("");

    private @Nullable WatchedDisk disk;

    /** The body of a path, which ends with its length. */
    private static byte[] body(String path) {
        byte[] body = new byte[Integer.parseInt(path.substring(path.lastIndexOf('-') + 1))];
        Chance.seeded(path.hashCode()).random().nextBytes(body);
        return body;
    }

    private static TestOrigin origin() throws IOException {
        return new TestOrigin((head, in, out) -> {
            byte[] body = body(head.split(" ", 3)[1]);
            out.write(("HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            return true;
        });
    }

    private static TestProxy.Made made(TestOrigin origin, String... knobs) {
        return TestProxy.reversing(origin.port())
                .cache(Stream.concat(
                                Stream.of(
                                        "memory-budget=16MiB",
                                        "max-object-size=8MiB",
                                        "disk.max-memory-object-size=16KiB",
                                        "disk.read-time-out=1m"),
                                Stream.of(knobs))
                        .toArray(String[]::new));
    }

    private static TestProxy proxy(WatchedDisk disk, TestProxy.Made made) throws Exception {
        return made.start(disk.folders(256L << 20, Chance.seeded(3).random()));
    }

    /** A proxy that finds answers on its disk, and none in memory. */
    private TestProxy started(TestOrigin origin, TestProxy.Made made, String... paths) throws Exception {
        fill(origin, paths);
        disk = WatchedDisk.open(folder);
        TestProxy proxy = proxy(disk, made);
        proxy.awaitDisk();
        assertThat(proxy.value(DiskStats.OBJECTS)).isEqualTo(paths.length);
        assertThat(origin.heads).hasSize(paths.length);
        return proxy;
    }

    /** Has answers stored by a proxy that is closed afterwards. */
    private void fill(TestOrigin origin, String... paths) throws Exception {
        try (TestProxy proxy = proxy(WatchedDisk.open(folder), made(origin));
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < paths.length; i++) {
                get(client, paths[i]);
                // not all may wait to be written at once
                int most = i + 1;
                Await.until("it is written", () -> proxy.value(DiskStats.WRITTEN) == most);
            }
        }
    }

    private static void get(RawClient client, String path) throws IOException {
        client.get(path);
        read(client, path);
    }

    private static void read(RawClient client, String path) throws IOException {
        assertThat(client.head()).startsWith("HTTP/1.1 200 ");
        byte[] body = body(path);
        assertThat(client.in.readNBytes(body.length)).isEqualTo(body);
    }

    private static long uncopied(TestProxy proxy) {
        return proxy.value(DiskStats.SENDFILE_BYTES);
    }

    @Test
    void theFirstTimeItIsComparedThenItIsSentAsItIs() throws Exception {
        List<String> paths = Stream.of(20_000, BLOCK - 1, BLOCK, BLOCK + 1, 4 * BLOCK, 5 * BLOCK + 17, 1 << 20, LARGE)
                .map(size -> "/sized-" + size)
                .toList();
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), paths.toArray(String[]::new))) {
            int asked = origin.heads.size();
            try (RawClient client = new RawClient(proxy.port())) {
                for (String path : paths) {
                    get(client, path);
                }
                assertThat(uncopied(proxy)).as("not yet compared").isZero();
                long read = proxy.value(DiskStats.BYTES_READ);
                long sent = proxy.value(EngineStats.BYTES_SENT, "default");
                for (String path : paths) {
                    get(client, path);
                }
                long all = paths.stream().mapToLong(path -> body(path).length).sum();
                // the first is shorter than what pays, and the page cache may have lost some
                assertThat(uncopied(proxy)).isBetween(1L, all - 20_000);
                assertThat(proxy.value(DiskStats.BYTES_READ) - read).isEqualTo(all - uncopied(proxy));
                get(client, paths.getFirst());
                assertThat(proxy.value(EngineStats.BYTES_SENT, "default") - sent)
                        .as("counted as all other bytes")
                        .isGreaterThan(all);
            }
            assertThat(origin.heads).as("the disk had it all").hasSize(asked);
        }
    }

    @Test
    void rangesAreSentAsTheyAre() throws Exception {
        String path = "/ranges-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            byte[] body = body(path);
            RandomGenerator random = Chance.seeded(11).random();
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
                for (int i = 0; i < 100; i++) {
                    int from = random.nextInt(LARGE);
                    int to = Math.min(LARGE, from + 1 + random.nextInt(i % 2 == 0 ? LARGE : 3 * BLOCK));
                    client.get(path, "Range: bytes=" + from + "-" + (to - 1));
                    assertThat(client.head())
                            .contains("206 ", "Content-Range: bytes " + from + "-" + (to - 1) + "/" + LARGE);
                    assertThat(client.in.readNBytes(to - from)).isEqualTo(Arrays.copyOfRange(body, from, to));
                }
                assertThat(client.send("HEAD " + path + " HTTP/1.1\r\nHost: example.com\r\n\r\n")
                                .head())
                        .contains("Content-Length: " + LARGE);
                get(client, path);
            }
            // how much depends on what the page cache keeps
            assertThat(uncopied(proxy)).isGreaterThan(LARGE);
            assertThat(origin.heads.stream().filter(head -> head.contains(path)))
                    .hasSize(1);
        }
    }

    @Test
    void answersToPipelinedRequestsFollowEachOther() throws Exception {
        String[] paths = {"/a-" + LARGE, "/b-" + 100_000, "/c-" + 10, "/d-" + (1 << 20)};
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), paths)) {
            Objects.requireNonNull(disk).keeps();
            try (RawClient client = new RawClient(proxy.port())) {
                for (int i = 0; i < 3; i++) {
                    for (String path : paths) {
                        client.get(path);
                    }
                    for (String path : paths) {
                        read(client, path);
                    }
                }
            }
            assertThat(uncopied(proxy)).isGreaterThan(2L * LARGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"switched off", "paced", "not epoll"})
    void otherwiseItIsRead(String why) throws Exception {
        try (TestOrigin origin = origin()) {
            TestProxy.Made made = switch (why) {
                case "switched off" -> made(origin, "disk.sendfile=off");
                case "paced" -> made(origin).listener("port=0", "limits.bandwidth=1GiB");
                default -> made(origin).kernel("socket-readers=1", "muxer=nio");
            };
            String path = "/read-" + LARGE;
            try (TestProxy proxy = started(origin, made, path)) {
                try (RawClient client = new RawClient(proxy.port())) {
                    for (int i = 0; i < 3; i++) {
                        get(client, path);
                    }
                }
                assertThat(uncopied(proxy)).isZero();
                assertThat(proxy.value(DiskStats.STREAMED)).isEqualTo(3);
                assertThat(origin.heads.stream().filter(head -> head.contains(path)))
                        .hasSize(1);
            }
        }
    }

    @Test
    void itIsSwitchedOffWhileTheServerRuns() throws Exception {
        String path = "/live-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
                get(client, path);
                long before = uncopied(proxy);
                assertThat(before).isPositive();
                proxy.cache.set(TestProxy.bind(
                        io.weir.proxy.cache.config.CacheConfig.class,
                        made(origin, "disk.sendfile=off").cache().toArray(String[]::new)));
                get(client, path);
                assertThat(uncopied(proxy)).isEqualTo(before);
            }
        }
    }

    /** Its socket is full most of the time, and what was seen in the page cache is looked at again. */
    @Test
    void aClientWithASmallBufferGetsAllOfIt() throws Exception {
        String path = "/narrow-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            try (RawClient client = RawClient.narrow(proxy.port())) {
                get(client, path);
                get(client, path);
            }
            assertThat(uncopied(proxy)).isPositive();
        }
    }

    @Test
    void clientsThatGoAwayLeaveNothing() throws Exception {
        String path = "/left-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
            }
            long sent = proxy.value(EngineStats.BYTES_SENT, "default");
            for (int i = 0; i < 20; i++) {
                RawClient client = RawClient.narrow(proxy.port());
                client.get(path);
                client.head();
                client.bytes(1000 * i);
                client.reset();
            }
            Await.until("they are gone", () -> proxy.kernel.connections() == 0);
            assertThat(uncopied(proxy)).isPositive();
            assertThat(proxy.value(EngineStats.BYTES_SENT, "default") - sent)
                    .as("what was sent of parts, whole or not")
                    .isBetween(uncopied(proxy), 20L * (LARGE + 1024));
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
            }
        }
    }

    @Test
    void whatLeftThePageCacheIsReadByThreadsAndComparedAgain() throws Exception {
        String path = "/cold-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            WatchedDisk disk = Objects.requireNonNull(this.disk).keeps();
            disk.waited().clear();
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
                get(client, path);
                long before = uncopied(proxy);
                assertThat(before).isPositive();
                disk.slow(Duration.ofMillis(1));
                get(client, path);
                assertThat(uncopied(proxy)).isEqualTo(before);
                assertThat(disk.waited())
                        .isNotEmpty()
                        .allSatisfy(thread -> assertThat(thread).startsWith("weir.cache.disk."));
                disk.warm();
                get(client, path);
                assertThat(uncopied(proxy)).as("compared when it was read").isEqualTo(before + LARGE);
            }
        }
    }

    @Test
    void aMissingPageIsReadAndComparedWithItsNeighboursOnly() throws Exception {
        String path = "/hole-" + 7_000_000;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            WatchedDisk disk = Objects.requireNonNull(this.disk).keeps();
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
                long before = uncopied(proxy);
                get(client, path);
                assertThat(uncopied(proxy) - before).isEqualTo(7_000_000);
                disk.loses(3 << 20);
                before = uncopied(proxy);
                get(client, path);
                assertThat(uncopied(proxy) - before)
                        .as("what follows the first 64 blocks, and what came before the hole was near")
                        .isBetween(7_000_000L - 64 * BLOCK, 7_000_000L - (1 << 20));
                disk.loses(-1);
                get(client, path);
                before = uncopied(proxy);
                get(client, path);
                assertThat(uncopied(proxy) - before).isEqualTo(7_000_000);
            }
        }
    }

    @Test
    void aBitThatFlippedWhileItWasNotInThePageCacheIsNotServed() throws Exception {
        String path = "/flipped-" + LARGE;
        try (TestOrigin origin = origin();
                TestProxy proxy = started(origin, made(origin), path)) {
            WatchedDisk disk = Objects.requireNonNull(this.disk);
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
                get(client, path);
                assertThat(uncopied(proxy)).isPositive();
                disk.slow(Duration.ZERO);
                client.get(path, "Range: bytes=0-99999");
                client.head();
                client.bytes(100_000);
                flip(body(path), LARGE / 2);
                disk.warm();
                client.get(path);
                client.head();
                byte[] good = body(path);
                byte[] got = client.in.readAllBytes();
                assertThat(got.length).as("cut before the block").isLessThanOrEqualTo(LARGE / 2);
                assertThat(got).isEqualTo(Arrays.copyOf(good, got.length));
            }
            Await.until("its segment is dropped", () -> proxy.value(DiskStats.DROPPED) == 1);
            try (RawClient client = new RawClient(proxy.port())) {
                get(client, path);
            }
            assertThat(origin.heads.stream().filter(head -> head.contains(path)))
                    .as("fetched again")
                    .hasSize(2);
        }
    }

    /** In the file where the body is. */
    private void flip(byte[] body, int at) throws IOException {
        byte[] begin = Arrays.copyOf(body, 64);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("segment-"))
                    .toList()) {
                byte[] all = Files.readAllBytes(file);
                int start = 0;
                while (start + begin.length <= all.length
                        && Arrays.mismatch(all, start, start + begin.length, begin, 0, begin.length) >= 0) {
                    start++;
                }
                if (start + begin.length <= all.length) {
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        open.seek(start + at);
                        open.write(body[at] ^ 1);
                    }
                    return;
                }
            }
        }
        throw new AssertionError("no segment has it");
    }
}
