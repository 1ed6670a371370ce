package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.proxy.cache.config.CacheStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the answer to a HEAD does to the stored answer to GET (RFC 9111 4.3.5). */
class HeadAnswerTest {
    private static final String MINUTE = "Cache-Control: max-age=60";
    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private void answered(String path, int status, String... fields) {
        t.cache.headAnswered(
                t.request(Method.HEAD, path),
                status,
                TestCache.fields(fields),
                t.clock.millis(),
                t.clock.millis(),
                null);
    }

    private void missed(String path) {
        CacheRequest request = t.get(path);
        t.client(t.lead(request), request).close();
    }

    @Test
    void theSameRepresentationIsFreshAgainUnderItsNewFields() {
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"", "X-A: old", "Content-Type: text/plain");
        t.step(100);
        answered("/a", 200, MINUTE, "ETag: \"1\"", "X-A: new", "Content-Length: 5");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(hit.ageSeconds()).isZero();
        assertThat(TestCache.head(hit.object()))
                .contains("X-A: new\r\n", "Content-Type: text/plain\r\n", t.date("Date", 0) + "\r\n")
                .doesNotContain("old");
        assertThat(TestCache.body(hit.object())).isEqualTo("hello");
        hit.object().release();
        assertThat(t.count(CacheStats.HEADS, "updated")).isEqualTo(1);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    @Test
    void anotherRepresentationDropsTheStoredOne() {
        for (String other : new String[] {"ETag: \"2\"", "Content-Length: 6"}) {
            t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"");
            answered("/a", 200, MINUTE, other);
            missed("/a");
        }
        assertThat(t.count(CacheStats.HEADS, "invalidated")).isEqualTo(2);
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
    }

    @Test
    void whatMayNoLongerBeStoredIsDropped() {
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"");
        answered("/a", 200, "Cache-Control: no-store", "ETag: \"1\"");
        missed("/a");
    }

    @Test
    void anErrorOrAnUnknownKeySaysNothing() {
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"");
        answered("/a", 500, "ETag: \"2\"");
        answered("/a", 304, "ETag: \"2\"");
        answered("/b", 200, "ETag: \"2\"");
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        assertThat(t.count(CacheStats.HEADS, "updated") + t.count(CacheStats.HEADS, "invalidated"))
                .isZero();
    }

    @Test
    void aHeadThatWasAskedBeforeTheStoredAnswerCameFreshensNothing() {
        long before = t.clock.millis();
        t.step(1);
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"", "X-A: new");
        CacheRequest head = t.request(Method.HEAD, "/a");
        t.cache.headAnswered(
                head, 200, TestCache.fields(MINUTE, "ETag: \"1\"", "X-A: purged"), before, t.clock.millis(), null);
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(TestCache.head(hit.object())).contains("X-A: new\r\n").doesNotContain("purged");
        hit.object().release();
        assertThat(t.count(CacheStats.HEADS, "updated")).isZero();
    }

    @Test
    void onlyTheSelectedVariantIsTouched() {
        t.store(t.get("/a", "Accept: x"), "hello", MINUTE, "ETag: \"1\"", "Vary: Accept");
        t.store(t.get("/a", "Accept: y"), "world", MINUTE, "ETag: \"2\"", "Vary: Accept");
        CacheRequest head = t.request(Method.HEAD, "/a", "Accept: y");
        t.cache.headAnswered(
                head, 200, TestCache.fields(MINUTE, "ETag: \"3\""), t.clock.millis(), t.clock.millis(), null);
        assertThat(t.hit(t.get("/a", "Accept: x"))).isEqualTo("hello");
        CacheRequest gone = t.get("/a", "Accept: y");
        t.client(t.lead(gone), gone).close();
    }

    @Test
    void aVaryThatChangesReplacesTheStoredOne() {
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"");
        answered("/a", 200, MINUTE, "ETag: \"1\"", "Vary: Accept");
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        CacheRequest other = t.get("/a", "Accept: x");
        t.client(t.lead(other), other).close();
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }
}
