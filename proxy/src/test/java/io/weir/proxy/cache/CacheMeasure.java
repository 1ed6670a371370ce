package io.weir.proxy.cache;

import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.Version;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.StoragePlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Prints what a full memory cache takes and what a look-up costs: fills 256 MiB with objects of 1 KiB to 1 MiB (their
 * sizes' logarithms uniform), churns it three times over, then looks up. Not a test: run it with
 * {@code -Xmx256m -XX:MaxDirectMemorySize=300m -XX:+UseSerialGC} on the tests' class path.
 */
public final class CacheMeasure {
    private static final int LOOK_UPS = 2_000_000;

    private CacheMeasure() {}

    public static void main(String[] arguments) throws IOException {
        CacheConfig config = TestCache.config("memory-budget=256MiB");
        Stats stats = new Stats();
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        Cache cache =
                new Cache(new Live<>(config), allocator, SystemClock.INSTANCE, Chance.seeded(1), null, stats, Log.NONE);
        int largest = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1 << 20;
        RandomGenerator random = Chance.seeded(2).random();
        byte[] bytes = new byte[largest];
        long stored = 0;
        int n = 0;
        for (; stored < 3L * config.memoryBudget().bytes(); n++) {
            int size = (int) Math.exp(Math.log(1024) + random.nextDouble() * Math.log(largest / 1024.0));
            store(cache, n, bytes, size);
            stored += size;
        }
        CacheFacts facts = cache.inspection().facts();
        System.out.printf(
                "stored %d objects, kept %d; budget %d MiB, reserved %d MiB, of it free %d KiB, direct %d MiB; RSS %s%n",
                n,
                facts.entries(),
                facts.budgetBytes() >> 20,
                facts.bytes() >> 20,
                cache.store.freeBytes() >> 10,
                allocator.metric().usedDirectMemory() >> 20,
                rss());
        lookUp(cache, n, random);
        cache.close();
    }

    private static void store(Cache cache, int id, byte[] bytes, int size) {
        CacheRequest request = cache.newRequest();
        request.key().start(false).host("origin.test", 80).path("/some/path/to/object" + id);
        request.set(Method.GET, TestCache.fields("Host: origin.test"), CacheTerms.DEFAULT);
        if (cache.decide(request) instanceof Decision.Lead lead) {
            Fields fields = TestCache.fields("Cache-Control: max-age=36000", "Content-Type: text/html", "ETag: \"x\"");
            long now = SystemClock.INSTANCE.millis();
            if (lead.fill().respond(new StoragePlan.Head(200, fields, size, now, now, Version.HTTP_1_1, null))
                    == Disposition.STORE) {
                lead.fill().append(Unpooled.wrappedBuffer(bytes, 0, size));
                lead.fill().complete(null);
            }
        }
    }

    private static void lookUp(Cache cache, int n, RandomGenerator random) {
        CacheRequest request = cache.newRequest();
        Fields fields = TestCache.fields("Host: origin.test", "Accept: */*");
        byte[][] paths = new byte[1000][];
        int found = 0;
        for (int i = n; found < paths.length && i > 0; i--) {
            request.key().start(false).host("origin.test", 80).path("/some/path/to/object" + i);
            request.set(Method.GET, TestCache.fields("Cache-Control: only-if-cached"), CacheTerms.DEFAULT);
            if (cache.decide(request) instanceof Decision.Hit hit) {
                hit.object().release();
                paths[found++] = ("/some/path/to/object" + i).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            }
        }
        for (int round = 0; round < 3; round++) {
            long before = cpu();
            for (int i = 0; i < LOOK_UPS; i++) {
                byte[] path = paths[random.nextInt(found)];
                request.key().start(false).host("origin.test", 80).path(path, 0, path.length);
                if (cache.decide(request.set(Method.GET, fields, CacheTerms.DEFAULT)) instanceof Decision.Hit hit) {
                    hit.object().release();
                }
            }
            System.out.printf("look-up: %d ns of processor time%n", (cpu() - before) / LOOK_UPS);
        }
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String rss() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .findFirst()
                .orElse("unknown");
    }
}
