package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.http.caching.Forward;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is answered from the store, and what goes past it. */
class CacheTest {
    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    @Test
    void aStoredAnswerIsServedWithItsAge() {
        assertThat(t.store(t.get("/a"), "hello", "Cache-Control: max-age=60", "Age: 5", "Content-Type: text/plain")
                        .body())
                .isEqualTo("hello");
        t.step(10);
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(hit.ageSeconds()).isEqualTo(15);
        assertThat(hit.ttlSeconds()).isEqualTo(45);
        assertThat(hit.stale()).isFalse();
        assertThat(hit.object().contentLength()).isEqualTo(5);
        assertThat(TestCache.body(hit.object())).isEqualTo("hello");
        hit.object().release();
        assertThat(t.count(CacheStats.HITS)).isEqualTo(1);
        assertThat(t.count(CacheStats.MISSES)).isEqualTo(1);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    @Test
    void theHeadIsWrittenOnceWithoutHopByHopFieldsAndAge() {
        t.store(
                t.get("/a"),
                "hello",
                "Connection: X-Hop",
                "X-Hop: 1",
                "Keep-Alive: timeout=5",
                "Age: 5",
                "Content-Type: text/plain",
                "Cache-Control: max-age=60",
                "ETag: \"v1\"",
                "Content-Length: 5");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(TestCache.head(hit.object()))
                .isEqualTo("HTTP/1.1 200 OK\r\n"
                        + t.date("Date", 0)
                        + "\r\nCache-Control: max-age=60\r\nETag: \"v1\"\r\n"
                        + "Content-Type: text/plain\r\nContent-Length: 5\r\n");
        var for304 = hit.object().notModifiedFields();
        assertThat(for304.toString(StandardCharsets.ISO_8859_1))
                .isEqualTo(t.date("Date", 0) + "\r\nCache-Control: max-age=60\r\nETag: \"v1\"\r\n");
        for304.release();
        assertThat(hit.object().fields().combined("content-type")).isEqualTo("text/plain");
        assertThat(hit.object().validators().etag()).isEqualTo("\"v1\"");
        hit.object().release();
    }

    @Test
    void aLengthThatOnlyTheEndToldIsInTheStoredHead() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        assertThat(t.respond(fill, 200, -1, "Cache-Control: max-age=60")).isEqualTo(Disposition.STORE);
        fill.append(TestCache.bytes("hello "));
        fill.append(TestCache.bytes("world"));
        fill.complete(null);
        t.loop.run();
        assertThat(client.head).doesNotContain("Content-Length");
        assertThat(client.body()).isEqualTo("hello world");
        client.close();
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(TestCache.head(hit.object())).endsWith("\r\nContent-Length: 11\r\n");
        assertThat(TestCache.body(hit.object())).isEqualTo("hello world");
        hit.object().release();
    }

    @Test
    void schemeHostPortPathAndQueryMakeTheKey() {
        t.store(t.get("/a?x=1"), "one", "Cache-Control: max-age=60");
        assertThat(t.hit(t.get("/a?x=1"))).isEqualTo("one");
        for (CacheRequest other : new CacheRequest[] {t.get("/a?x=2"), t.get("/a"), t.get("/A?x=1")}) {
            endMiss(other);
        }
        CacheRequest https = t.get("/a?x=1");
        https.key().start(true).host("origin.test", 80).path("/a?x=1");
        endMiss(https);
        CacheRequest port = t.get("/a?x=1");
        port.key().start(false).host("origin.test", 81).path("/a?x=1");
        endMiss(port);
        CacheRequest upper = t.get("/a?x=1");
        upper.key().start(false).host("ORIGIN.test", 80).path("/a?x=1");
        assertThat(t.hit(upper)).isEqualTo("one");
    }

    private void endMiss(CacheRequest request) {
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        client.close();
    }

    @Test
    void whatIsStoredCanBeListed() {
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60", "Age: 5", t.date("Last-Modified", -100));
        t.store(t.get("/b", "Accept: x"), "other", "Cache-Control: max-age=1", "ETag: \"1\"", "Vary: Accept");
        t.store(t.get("/b", "Accept: y"), "one", "Cache-Control: max-age=1", "ETag: \"2\"", "Vary: Accept");
        for (int i = 0; i < 5; i++) {
            t.hit(t.get("/a"));
        }
        t.step(10);
        CacheRequest request = t.get("/b", "Accept: x");
        TestClient client = t.client(t.lead(request), request);
        assertThat(t.cache.inspection().objects(10))
                .containsExactlyInAnyOrder(
                        new CachedObject(
                                "http://origin.test:80/a",
                                200,
                                5,
                                false,
                                false,
                                false,
                                false,
                                false,
                                1,
                                15,
                                true,
                                TestCache.START - 100_000,
                                5),
                        new CachedObject(
                                "http://origin.test:80/b",
                                200,
                                0,
                                true,
                                false,
                                false,
                                false,
                                false,
                                2,
                                10,
                                false,
                                0,
                                5),
                        new CachedObject(
                                "http://origin.test:80/b",
                                200,
                                0,
                                true,
                                false,
                                false,
                                false,
                                false,
                                1,
                                10,
                                false,
                                0,
                                3));
        assertThat(t.cache.inspection().objects(2)).hasSize(2);
        assertThat(t.cache.inspection().objects(0)).isEmpty();
        client.close();
    }

    @Test
    void anObjectIsForgottenByItsUri() {
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60");
        assertThat(t.cache.invalidate(target("http://origin.test/b"))).isZero();
        assertThat(t.cache.invalidate(target("HTTP://Origin.test:80/a"))).isEqualTo(1);
        endMiss(t.get("/a"));
    }

    private static UriTarget target(String uri) {
        return Objects.requireNonNull(UriTarget.parse(uri));
    }

    @Test
    void headIsAnsweredFromWhatGetStoredAndElseForwarded() {
        assertThat(t.cache.decide(t.request(Method.HEAD, "/a"))).isEqualTo(new Decision.Bypass(BypassReason.HEAD));
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60");
        assertThat(t.hit(t.request(Method.HEAD, "/a"))).isEqualTo("hello");
    }

    @Test
    void whatMayNotUseTheCacheGoesPastIt() {
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60");
        assertBypass(t.request(Method.POST, "/a"), BypassReason.METHOD);
        assertBypass(t.get("/a", "Cache-Control: no-store"), BypassReason.NO_STORE);
        assertBypass(t.get("/a", "If-Match: \"x\""), BypassReason.CONDITION);
        assertBypass(t.get("/b", "Range: bytes=0-1"), BypassReason.RANGE);
        assertBypass(t.get("/" + "a".repeat(9000)), BypassReason.KEY_LENGTH);
        assertBypass(t.get("/a?" + "q".repeat(2049)), BypassReason.QUERY);
        t.config.set(TestCache.config("cache-auth=off", "cache-https=off", "query-maxlen=0"));
        assertBypass(t.get("/a", "Authorization: Basic x"), BypassReason.AUTHORIZATION);
        assertBypass(t.get("/a?q"), BypassReason.QUERY);
        CacheRequest https = t.get("/a");
        https.key().start(true).host("origin.test", 443).path("/a");
        assertBypass(https, BypassReason.HTTPS);
        t.config.set(TestCache.config("enabled=off"));
        assertBypass(t.get("/a"), BypassReason.DISABLED);
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(t.count(CacheStats.BYPASSES, "query")).isEqualTo(2);
    }

    private void assertBypass(CacheRequest request, BypassReason reason) {
        assertThat(t.cache.decide(request)).isEqualTo(new Decision.Bypass(reason));
    }

    @Test
    void onlyIfCachedGets504WithoutAFreshAnswer() {
        assertThat(t.cache.decide(t.get("/a", "Cache-Control: only-if-cached")))
                .isInstanceOf(Decision.OnlyIfCached.class);
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60");
        assertThat(t.hit(t.get("/a", "Cache-Control: only-if-cached"))).isEqualTo("hello");
    }

    @Test
    void eachVariantIsStoredAndChosenByTheFieldsThatVaryNames() {
        t.store(t.get("/a", "Accept-Encoding: gzip"), "zipped", "Cache-Control: max-age=60", "Vary: Accept-Encoding");
        CacheRequest plain = t.get("/a", "Accept-Encoding: identity");
        Decision decision = t.cache.decide(plain);
        assertThat(((Decision.Lead) decision).forward()).isEqualTo(Forward.VARY_MISS);
        Fill fill = ((Decision.Lead) decision).fill();
        fill.lead(t.source);
        TestClient client = t.client(fill, plain);
        t.respond(fill, 200, 5, "Cache-Control: max-age=60", "Vary: Accept-Encoding");
        fill.append(TestCache.bytes("plain"));
        fill.complete(null);
        t.loop.run();
        client.close();
        assertThat(t.hit(t.get("/a", "Accept-Encoding: gzip"))).isEqualTo("zipped");
        assertThat(t.hit(t.get("/a", "Accept-Encoding: identity"))).isEqualTo("plain");
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(2);
    }

    @Test
    void theOldestVariantGivesWayAtTheirBound() {
        t.config.set(TestCache.config("max-variants=2"));
        for (String language : new String[] {"de", "en", "fr"}) {
            t.store(
                    t.get("/a", "Accept-Language: " + language),
                    language,
                    "Cache-Control: max-age=60",
                    "Vary: Accept-Language");
        }
        assertThat(t.hit(t.get("/a", "Accept-Language: en"))).isEqualTo("en");
        assertThat(t.hit(t.get("/a", "Accept-Language: fr"))).isEqualTo("fr");
        assertThat(t.count(CacheStats.EVICTIONS, "variants")).isEqualTo(1);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(2);
    }

    @Test
    void oneObjectGivesWayAtTheBoundOfEntries() {
        t.config.set(TestCache.config("max-entries=3"));
        for (int i = 0; i < 4; i++) {
            t.store(t.get("/" + i), "x", "Cache-Control: max-age=60");
        }
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(3);
        assertThat(t.count(CacheStats.EVICTIONS, "entries")).isEqualTo(1);
        t.config.set(TestCache.config("max-entries=1"));
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    @Test
    void anUnsafeRequestTakesOutWhatIsStoredAndWhatIsOnItsWay() {
        t.store(t.get("/a"), "old", "Cache-Control: max-age=60");
        CacheRequest reload = t.get("/a", "Cache-Control: no-cache");
        Fill fill = t.lead(reload);
        TestClient client = t.client(fill, reload);
        assertThat(t.cache.invalidate(t.get("/a").key())).isEqualTo(1);
        t.respond(fill, 200, 3, "Cache-Control: max-age=60");
        fill.append(TestCache.bytes("mid"));
        fill.complete(null);
        t.loop.run();
        assertThat(client.body()).isEqualTo("mid");
        client.close();
        assertThat(t.cache.inspection().facts().entries()).isZero();
        assertThat(t.count(CacheStats.INVALIDATIONS)).isEqualTo(1);
        assertThat(fill.storing()).isFalse();
        endMiss(t.get("/a"));
    }

    @Test
    void nobodyJoinsAFetchThatBeganBeforeAnUnsafeRequest() {
        CacheRequest first = t.get("/a");
        Fill fill = t.lead(first);
        TestClient client = t.client(fill, first);
        t.cache.invalidate(t.get("/a").key());
        endMiss(t.get("/a"));
        client.close();
    }

    @Test
    void rangesOfTheBodyAreCutFromItsPieces() {
        String body = "0123456789".repeat(20_000);
        t.store(t.get("/a"), body, "Cache-Control: max-age=60");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a", "Range: bytes=65000-140000"));
        StringBuilder got = new StringBuilder();
        for (int i = 0; i < hit.object().bodyParts(); i++) {
            var part = hit.object().bodyPart(i, 65_000, 140_001);
            got.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        assertThat(got.toString()).isEqualTo(body.substring(65_000, 140_001));
        assertThat(hit.object().bodyParts()).isGreaterThan(1);
        hit.object().release();
    }

    @Test
    void whatIsLentOutlivesItsObject() {
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=60");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        var part = hit.object().bodyPart(0);
        hit.object().release();
        t.cache.clear();
        t.store(t.get("/b"), "other", "Cache-Control: max-age=60");
        assertThat(part.toString(StandardCharsets.ISO_8859_1)).isEqualTo("hello");
        part.release();
    }
}
