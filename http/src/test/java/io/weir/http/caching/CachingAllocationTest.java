package io.weir.http.caching;

import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.caching.Freshness.Heuristic;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.DateCache;
import io.weir.http.semantics.EntityTags;
import io.weir.http.semantics.Hops;
import io.weir.http.semantics.HttpDate;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Checks the functions used by a hit against the budgets of docs/hot-paths.md: bytes allocated per operation, warm. */
class CachingAllocationTest {

    private static final int WARM = 3_000;
    private static final int OPERATIONS = 1_000;
    private static final long NOW = 1_800_000_000_000L;

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

    private static void require(boolean held) {
        if (!held) {
            throw new AssertionError();
        }
    }

    @Test
    void decidingAHitAllocatesNothing() {
        Fields request = fields("Host: a", "User-Agent: b", "Accept: */*", "Cookie: c=d");
        Fields response = fields("Cache-Control: max-age=60", "ETag: \"x\"");
        CacheControl control = CacheControl.ofResponse(response);
        Freshness freshness = Freshness.of(200, control, response, NOW, NOW, Heuristic.DEFAULT);
        assertThat(perOperation(() -> {
                    CacheControl asked = CacheControl.ofRequest(request);
                    require(freshness.reuse(NOW + 5000, asked) == Reuse.FRESH);
                    require(freshness.age(NOW + 5000) == 5 && freshness.ttl(NOW + 5000) == 55);
                    require(!Conditionals.isConditional(request));
                    require(Vary.NONE.key(request).isEmpty());
                }))
                .isZero();
    }

    @Test
    void comparingTagsAndDatesAllocatesNothing() {
        String list = "\"one\", W/\"two\", \"three\"";
        String date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assertThat(perOperation(() -> {
                    require(EntityTags.anyMatch(list, "\"three\"", true));
                    require(HttpDate.parse(date, 0) == 784_111_777L);
                    require(CacheControl.parse("no-cache").noCache());
                    require(Hops.of("keep-alive").keepAlive());
                }))
                .isZero();
    }

    @Test
    void writingTheDateAllocatesNothing() {
        DateCache cache = new DateCache();
        ByteBuf out = Unpooled.buffer(HttpDate.LENGTH);
        long[] now = {NOW};
        try {
            assertThat(perOperation(() -> {
                        out.clear();
                        cache.writeTo(out, now[0] += 500);
                    }))
                    .isZero();
        } finally {
            out.release();
        }
    }

    @Test
    void aConditionalHitAllocatesTheFieldsItReads() {
        Fields request = fields("Host: a", "If-None-Match: \"0123456789abcdef\"");
        Fields stored = fields("ETag: \"0123456789abcdef\"", "Date: Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(perOperation(() -> require(Conditionals.byCache(Method.GET, 200, request, stored, 0, 0)
                        == Conditionals.Outcome.NOT_MODIFIED)))
                .isLessThanOrEqualTo(160);
    }

    @Test
    void theKeyOfAnAcceptEncodingStaysSmall() {
        Vary vary = Vary.parse("Accept-Encoding");
        Fields request = fields("Host: a", "Accept-Encoding: gzip, deflate, br, zstd");
        assertThat(perOperation(() -> require(!vary.key(request).isEmpty()))).isLessThanOrEqualTo(256);
    }
}
