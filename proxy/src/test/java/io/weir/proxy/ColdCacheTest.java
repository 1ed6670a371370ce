package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.WatchedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is not in memory is on a disk that is cold: those who want it wait, and nobody else does. There is one muxer: if it
 * waited for a read, all would.
 */
class ColdCacheTest {
    private static final String HOT = "/hot";
    private static final int CLIENTS = 16;
    private static final Duration READ = Duration.ofMillis(50);

    private final Clock clock = SystemClock.INSTANCE;

    @TempDir
    private Path folder = Path.of("");

    private static TestOrigin origin(int size) throws IOException {
        byte[] filler = new byte[size];
        Arrays.fill(filler, (byte) 'x');
        return new TestOrigin((head, in, out) -> {
            byte[] path = (head.split(" ", 3)[1] + ' ').getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(path, 0, filler, 0, path.length);
            out.write(("HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: " + size + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.write(filler);
            return true;
        });
    }

    private static TestProxy proxy(TestOrigin origin, WatchedDisk disk, String memory, long size) throws Exception {
        return TestProxy.reversing(origin.port())
                .cache("memory-budget=" + memory, "max-object-size=1MiB", "disk.read-time-out=1m")
                .start(disk.folders(size, Chance.seeded(3).random()));
    }

    private static String path(int object) {
        return String.format(Locale.ROOT, "/cold-%06d", object);
    }

    private static void right(String answer, String path) {
        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("\r\n\r\n" + path + ' ');
    }

    /** Stores objects, of which the last are in memory, and one that stays there because it is used. */
    private static void fill(TestProxy proxy, int objects) throws IOException {
        try (RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < objects; i++) {
                right(client.get(path(i)).answer(), path(i));
                if (i % 8 == 0) {
                    right(client.get(HOT).answer(), HOT);
                    Await.until("it is written", () -> proxy.value(DiskStats.WAITING_BYTES) < 1 << 20);
                }
            }
        }
        Await.until("all is written", () -> proxy.value(DiskStats.WAITING_BYTES) == 0);
    }

    private static void noMuxerWaited(WatchedDisk disk) {
        assertThat(disk.waited())
                .isNotEmpty()
                .allSatisfy(thread -> assertThat(thread).startsWith("weir.cache.disk."));
    }

    @Test
    void whileEveryReadHangsHitsInMemoryAreAnsweredByTheSameMuxer() throws Exception {
        WatchedDisk disk = WatchedDisk.open(folder);
        try (TestOrigin origin = origin(64 << 10);
                TestProxy proxy = proxy(origin, disk, "8MiB", 256L << 20);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            disk.waited().clear();
            fill(proxy, 200);
            int asked = origin.heads.size();
            CountDownLatch open = new CountDownLatch(1);
            disk.hang(open);
            List<Future<?>> cold = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int object = i;
                cold.add(threads.submit(() -> {
                    try (RawClient client = new RawClient(proxy.port())) {
                        right(client.get(path(object)).answer(), path(object));
                    }
                    return null;
                }));
            }
            Await.until("all that may read hang", () -> disk.hanging() == 4);
            try (RawClient client = new RawClient(proxy.port())) {
                for (int i = 0; i < 1000; i++) {
                    right(client.get(HOT).answer(), HOT);
                }
            }
            assertThat(disk.hanging()).as("the reads hang still").isEqualTo(4);
            assertThat(cold).noneMatch(Future::isDone);
            open.countDown();
            for (Future<?> each : cold) {
                each.get();
            }
            assertThat(origin.heads).as("the disk had it all").hasSize(asked);
            noMuxerWaited(disk);
        }
    }

    @Test
    void readsOfFiftyMillisecondsAreNobodysButTheirs() throws Exception {
        measure(64 << 10, 200, "8MiB", 256L << 20, 100);
    }

    /** The same with 10 GB; prints the times of hits without and with the cold reads. */
    @Test
    @Tag("nightly")
    void aColdCacheOfTenGigabytes() throws Exception {
        measure(1 << 20, 10_000, "64MiB", 12L << 30, 2000);
    }

    private void measure(int size, int objects, String memory, long room, int loads) throws Exception {
        WatchedDisk disk = WatchedDisk.open(folder);
        try (TestOrigin origin = origin(size);
                TestProxy proxy = proxy(origin, disk, memory, room)) {
            disk.waited().clear();
            fill(proxy, objects);
            assertThat(proxy.value(DiskStats.OBJECTS)).isGreaterThanOrEqualTo(objects);
            int asked = origin.heads.size();
            long[] alone = new long[loads];
            try (RawClient client = new RawClient(proxy.port())) {
                for (int i = 0; i < loads; i++) {
                    alone[i] = hit(client);
                }
            }
            disk.slow(READ);
            long before = disk.reads();
            List<Long> beside = beside(proxy, loads, objects);
            print(alone, beside, disk.reads() - before);
            assertThat(origin.heads).as("the disk had it all").hasSize(asked);
            assertThat(disk.reads() - before).as("from the disk").isGreaterThanOrEqualTo(loads);
            assertThat(proxy.value(DiskStats.TIMEOUTS)).isZero();
            noMuxerWaited(disk);
        }
    }

    private long hit(RawClient client) throws IOException {
        long begin = clock.nanos();
        right(client.get(HOT).answer(), HOT);
        return clock.nanos() - begin;
    }

    /** The times of hits in memory while so many other answers come from the disk. */
    private List<Long> beside(TestProxy proxy, int loads, int objects) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<Long> times = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> cold = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                cold.add(threads.submit(() -> {
                    try (RawClient client = new RawClient(proxy.port())) {
                        for (int n = next.getAndIncrement(); n < loads; n = next.getAndIncrement()) {
                            String path = path(n % (objects * 3 / 4));
                            right(client.get(path).answer(), path);
                        }
                    }
                    return null;
                }));
            }
            Future<?> hits = threads.submit(() -> {
                try (RawClient client = new RawClient(proxy.port())) {
                    while (!over.get()) {
                        times.add(hit(client));
                    }
                }
                return null;
            });
            for (Future<?> each : cold) {
                each.get();
            }
            over.set(true);
            hits.get();
        }
        return times;
    }

    private static void print(long[] alone, List<Long> beside, long reads) {
        long[] sorted = beside.stream().mapToLong(Long::longValue).sorted().toArray();
        Arrays.sort(alone);
        System.out.printf(
                Locale.ROOT,
                "hits in memory: alone %d, p50 %d us, p99 %d us; beside %d reads of 50 ms %d, p50 %d us, p99 %d us%n",
                alone.length,
                alone[alone.length / 2] / 1000,
                alone[alone.length * 99 / 100] / 1000,
                reads,
                sorted.length,
                sorted[sorted.length / 2] / 1000,
                sorted[sorted.length * 99 / 100] / 1000);
    }

    /** What would be noted if a muxer read from the disk. */
    @Test
    void aMuxerThatReadsIsFound() throws Exception {
        WatchedDisk disk = WatchedDisk.open(folder);
        Thread muxer = new Thread(
                () -> {
                    try {
                        disk.names();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                "ExecuteThread: '0' for queue: 'weir.socket.Muxer (epoll)'");
        muxer.start();
        muxer.join();
        assertThat(disk.waited()).containsExactly(muxer.getName());
        disk.close();
    }
}
