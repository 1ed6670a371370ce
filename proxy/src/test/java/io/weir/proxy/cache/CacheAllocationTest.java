package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.config.CacheTerms.ConnectMode;
import io.weir.proxy.cache.store.StoredObject;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Holds the hit to the budgets of docs/hot-paths.md: bytes allocated per operation, warm. */
class CacheAllocationTest {
    private static final int WARM = 3_000;
    private static final int OPERATIONS = 1_000;
    /** A retained slice of an unpooled buffer. */
    private static final long SLICE = 96;

    private final TestCache t = new TestCache();
    private final Fields fields = TestCache.fields("Host: origin.test", "Accept: */*", "User-Agent: test");
    private final byte[] target = "/some/path?query=1".getBytes(StandardCharsets.ISO_8859_1);
    private final byte[] host = "Origin.test".getBytes(StandardCharsets.ISO_8859_1);
    private final CacheRequest request = t.cache.newRequest();

    private static long perOperation(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM; i++) {
            operation.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least / OPERATIONS;
    }

    private StoredObject lookUp() {
        request.key().start(false).host(host, 0, host.length, 80).path(target, 0, target.length);
        if (!(t.cache.decide(request.set(Method.GET, fields, CacheTerms.DEFAULT)) instanceof Decision.Hit hit)) {
            throw new AssertionError("a miss");
        }
        return hit.object();
    }

    @Test
    void lookingUpAndCopyingASmallHitAllocatesNothing() {
        t.store(t.get("/some/path?query=1"), "x".repeat(1024), "Cache-Control: max-age=600");
        ByteBuf out = new UnpooledByteBufAllocator(true, true).directBuffer(4096);
        assertThat(perOperation(() -> {
                    StoredObject object = lookUp();
                    out.clear();
                    object.writeHead(out);
                    object.writeBody(out);
                    object.release();
                }))
                .isZero();
        assertThat(out.readableBytes()).isGreaterThan(1100);
        out.release();
        t.assertNothingLeaks();
    }

    @Test
    void termsOfARouteThatLeaveAHitAloneAllocateNothing() {
        CacheTerms terms = new CacheTerms(
                100, 1, 2048, 60_000, 0.5, 5, 50, ConnectMode.NORMAL, true, Set.of(CacheTerms.Ignored.NO_CACHE));
        t.store(t.get("/some/path?query=1"), "x".repeat(1024), "Cache-Control: max-age=600");
        assertThat(perOperation(() -> {
                    request.key().start(false).host(host, 0, host.length, 80).path(target, 0, target.length);
                    if (!(t.cache.decide(request.set(Method.GET, fields, terms)) instanceof Decision.Hit hit)) {
                        throw new AssertionError("a miss");
                    }
                    hit.object().release();
                }))
                .isZero();
        t.assertNothingLeaks();
    }

    @Test
    void lendingAHitAllocatesItsSlicesOnly() {
        t.store(t.get("/some/path?query=1"), "x".repeat(1024), "Cache-Control: max-age=600");
        assertThat(perOperation(() -> {
                    StoredObject object = lookUp();
                    ByteBuf head = object.head();
                    ByteBuf body = object.bodyPart(0);
                    object.release();
                    head.release();
                    body.release();
                }))
                .isLessThanOrEqualTo(2 * SLICE);
        t.assertNothingLeaks();
    }
}
