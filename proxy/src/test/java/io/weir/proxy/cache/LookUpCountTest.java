package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What look-ups are counted as: the shortest way apart from all others, and why nothing was found. */
class LookUpCountTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private void slow(long request, long variant, long stale, long fetch) {
        assertThat(t.count(CacheStats.SLOW_HITS, "request")).isEqualTo(request);
        assertThat(t.count(CacheStats.SLOW_HITS, "variant")).isEqualTo(variant);
        assertThat(t.count(CacheStats.SLOW_HITS, "stale")).isEqualTo(stale);
        assertThat(t.count(CacheStats.SLOW_HITS, "fetch")).isEqualTo(fetch);
    }

    private void missed(CacheRequest request) {
        t.client(t.lead(request), request).close();
        t.loop.run();
    }

    @Test
    void simpleGetsOfFreshAnswersTakeTheShortestWay() {
        t.store(t.get("/a"), "hello", FRESH);
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        assertThat(t.hit(t.get("/a", "Accept: text/html", "User-Agent: x"))).isEqualTo("hello");
        slow(0, 0, 0, 0);
        assertThat(t.count(CacheStats.HITS)).isEqualTo(2);
        assertThat(t.count(CacheStats.OTHER_LOOK_UPS)).isZero();
    }

    @Test
    void requestsWithConditionsRangesOrDirectivesDoNot() {
        t.store(t.get("/a"), "hello", FRESH);
        t.hit(t.get("/a", "Cache-Control: max-age=10"));
        t.hit(t.get("/a", "If-None-Match: \"1\""));
        t.hit(t.get("/a", "Range: bytes=0-1"));
        t.hit(t.request(Method.HEAD, "/a"));
        slow(4, 0, 0, 0);
        assertThat(t.count(CacheStats.OTHER_LOOK_UPS)).isEqualTo(4);
    }

    @Test
    void neitherDoVariantsAndStaleAnswers() {
        t.store(t.get("/a", "Accept: x"), "hello", FRESH, "Vary: Accept");
        t.hit(t.get("/a", "Accept: x"));
        slow(0, 1, 0, 0);
        t.store(t.get("/b"), "hello", "Cache-Control: max-age=1, stale-while-revalidate=60");
        t.step(5);
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/b"));
        hit.object().release();
        Objects.requireNonNull(hit.revalidation()).abort(new FillFailure(502, "origin"));
        slow(0, 1, 1, 0);
    }

    @Test
    void whoWaitedForAFetchDoesNot() {
        CacheRequest waits = t.get("/a");
        Fill fill = t.lead(t.get("/a"));
        Fill joined = t.joined(waits);
        assertThat(joined).isSameAs(fill);
        fill.abort(new FillFailure(502, "origin"));
        t.loop.run();
        t.store(t.get("/b"), "hello", FRESH);
        waits.key().start(false).host("origin.test", 80).path("/b");
        assertThat(t.hit(waits)).isEqualTo("hello");
        slow(0, 0, 0, 1);
    }

    @Test
    void aMissHasAReason() {
        missed(t.get("/a"));
        assertThat(t.count(CacheStats.MISS_REASONS, "absent")).isOne();
        t.store(t.get("/v", "Accept: x"), "hello", FRESH, "Vary: Accept");
        missed(t.get("/v", "Accept: y"));
        assertThat(t.count(CacheStats.MISS_REASONS, "variant")).isOne();
        t.step(100);
        missed(t.get("/v", "Accept: x"));
        assertThat(t.count(CacheStats.MISS_REASONS, "stale")).isOne();
        assertThat(t.count(CacheStats.MISS_REASONS, "absent")).isEqualTo(2);
        assertThat(t.stats.sum(CacheStats.MISS_REASONS)).isEqualTo(t.count(CacheStats.MISSES));
    }

    @Test
    void answersThatTakeItNextTimeAreCounted() {
        t.store(t.get("/a"), "hello", FRESH);
        t.store(t.get("/b"), "hello", FRESH, "Vary: Accept");
        t.store(t.get("/c"), "hello", "Cache-Control: no-store");
        t.store(t.get("/d", "Cache-Control: max-age=9"), "hello", FRESH);
        assertThat(t.count(CacheStats.SIMPLE_FETCHES)).isEqualTo(3);
        assertThat(t.count(CacheStats.SIMPLE_STORED)).isOne();
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(3);
        assertThat(t.count(CacheStats.PLAIN_ENTRIES)).isEqualTo(2);
        t.cache.clear();
        assertThat(t.count(CacheStats.PLAIN_ENTRIES)).isZero();
    }

    @Test
    void whatIsRemovedWhileItIsUsedIsCounted() {
        t.store(t.get("/a"), "hello", FRESH);
        t.store(t.get("/b"), "hello", FRESH);
        Decision.Hit used = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(t.cache.clear()).isEqualTo(2);
        assertThat(t.count(CacheStats.BUSY_REMOVALS)).isOne();
        used.object().release();
    }

    @Test
    void theMemoryIsEmptiedAlone() {
        t.store(t.get("/a"), "hello", FRESH);
        assertThat(t.cache.clearMemory()).isOne();
        missed(t.get("/a"));
        assertThat(t.count(CacheStats.MISS_REASONS, "absent")).isEqualTo(2);
    }
}
