package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.caching.Forward;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stale objects: validated once for all who wait, served stale where that is allowed. */
class RevalidationTest {
    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private void storeAndStep(long seconds, String... fields) {
        t.store(t.get("/a"), "hello", fields);
        t.step(seconds);
    }

    @Test
    void staleResponseIsRevalidatedOnce() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"", "X-Old: kept", "Content-Type: text/plain");
        CacheRequest request = t.get("/a");
        Decision.Lead lead = (Decision.Lead) t.cache.decide(request);
        assertThat(lead.forward()).isEqualTo(Forward.STALE);
        assertThat(Objects.requireNonNull(lead.fill().validators()).ifNoneMatch())
                .isEqualTo("\"v1\"");
        lead.fill().lead(t.source);
        TestClient own = t.client(lead.fill(), request);
        CacheRequest second = t.get("/a");
        TestClient other = t.client(t.joined(second), second);
        assertThat(t.respond(lead.fill(), 304, 0, "ETag: \"v1\"", "Cache-Control: max-age=100", "X-New: 1"))
                .isEqualTo(Disposition.SERVED);
        t.loop.run();
        for (TestClient client : new TestClient[] {own, other}) {
            assertThat(client.body()).isEqualTo("hello");
            assertThat(client.last).isEqualTo(Signal.END);
            assertThat(client.status).isEqualTo(200);
            assertThat(client.head).contains("max-age=100", "X-New: 1", "X-Old: kept", "Content-Length: 5");
            client.close();
        }
        t.step(99);
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        assertThat(t.count(CacheStats.REVALIDATIONS)).isEqualTo(1);
        assertThat(t.count(CacheStats.NOT_MODIFIED)).isEqualTo(1);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    /** Its last reader leaves on another loop while the answer is read on the leader's, and what was stale is purged. */
    @Test
    void anAnswerToAFillThatOthersEndedIsForItsClientAlone() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"");
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        assertThat(t.cache.invalidate(request.key())).isEqualTo(1);
        own.close();
        assertThat(fill.validators()).isNull();
        assertThat(t.respond(fill, 304, 0, "ETag: \"v1\"")).isEqualTo(Disposition.PASS);
        assertThat(t.respond(fill, 200, 3, "Cache-Control: max-age=60")).isEqualTo(Disposition.PASS);
        assertThat(fill.withheld()).isNull();
    }

    @Test
    void manyValidationsDoNotGrowTheObject() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"");
        long bytes = 0;
        for (int i = 0; i < 20; i++) {
            CacheRequest request = t.get("/a");
            Fill fill = t.lead(request);
            TestClient own = t.client(fill, request);
            t.respond(fill, 304, 0, "ETag: \"v1\"", "Cache-Control: max-age=60");
            assertThat(own.pump().body()).isEqualTo("hello");
            own.close();
            bytes = i == 1 ? t.cache.store.budget().used() : bytes;
            t.step(61);
        }
        assertThat(t.cache.store.budget().used()).isEqualTo(bytes);
    }

    @Test
    void aChangedResponseReplacesTheStoredOne() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"");
        t.store(t.get("/a"), "new", "Cache-Control: max-age=60", "ETag: \"v2\"");
        assertThat(t.hit(t.get("/a"))).isEqualTo("new");
        assertThat(t.count(CacheStats.REPLACEMENTS)).isEqualTo(1);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    @Test
    void a304ThatSpeaksOfSomethingElseIsRepeatedWithoutConditions() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"");
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        assertThat(t.respond(fill, 304, 0, "ETag: \"v9\"")).isEqualTo(Disposition.REPEAT);
        assertThat(fill.validators()).isNull();
        assertThat(t.respond(fill, 304, 0, "ETag: \"v9\"")).isEqualTo(Disposition.PASS);
        own.close();
    }

    @Test
    void a304ThatForbidsStoringIsServedAndForgotten() {
        storeAndStep(61, "Cache-Control: max-age=60", "ETag: \"v1\"");
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        assertThat(t.respond(fill, 304, 0, "ETag: \"v1\"", "Cache-Control: no-store"))
                .isEqualTo(Disposition.SERVED);
        assertThat(own.pump().body()).isEqualTo("hello");
        own.close();
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(fill.passReason()).isEqualTo("no-store");
    }

    @Test
    void aStaleAnswerIsServedWhileOneRequestValidatesIt() {
        storeAndStep(61, "Cache-Control: max-age=60, stale-while-revalidate=30", "ETag: \"v1\"");
        Decision.Hit first = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(first.stale()).isTrue();
        assertThat(first.ttlSeconds()).isEqualTo(-1);
        Fill background = Objects.requireNonNull(first.revalidation());
        assertThat(background.background()).isTrue();
        first.object().release();
        Decision.Hit second = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(second.revalidation()).isNull();
        second.object().release();
        background.lead(t.source);
        assertThat(Objects.requireNonNull(background.validators()).ifNoneMatch())
                .isEqualTo("\"v1\"");
        t.respond(background, 304, 0, "ETag: \"v1\"", "Cache-Control: max-age=60");
        Decision.Hit third = (Decision.Hit) t.cache.decide(t.get("/a"));
        assertThat(third.stale()).isFalse();
        third.object().release();
        assertThat(t.count(CacheStats.STALE_HITS, "stale-while-revalidate")).isEqualTo(2);
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(2);
    }

    @Test
    void afterTheTimeOfStaleWhileRevalidateRequestsWait() {
        storeAndStep(91, "Cache-Control: max-age=60, stale-while-revalidate=30", "ETag: \"v1\"");
        CacheRequest request = t.get("/a");
        t.client(t.lead(request), request).close();
    }

    @Test
    void aStaleAnswerCoversAnOriginThatFailsWhereThatIsAllowed() {
        storeAndStep(61, "Cache-Control: max-age=60, stale-if-error=30");
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        CacheRequest second = t.get("/a");
        TestClient other = t.client(t.joined(second), second);
        fill.abort(new FillFailure(502, "refused"));
        t.loop.run();
        assertThat(own.body()).isEqualTo("hello");
        assertThat(other.body()).isEqualTo("hello");
        assertThat(own.at().stale()).isTrue();
        own.close();
        other.close();
        CacheRequest third = t.get("/a");
        Fill next = t.lead(third);
        TestClient client = t.client(next, third);
        assertThat(t.respond(next, 503, 0)).isEqualTo(Disposition.SERVED);
        assertThat(client.pump().body()).isEqualTo("hello");
        client.close();
        assertThat(t.count(CacheStats.STALE_HITS, "error")).isEqualTo(2);
        t.step(30);
        CacheRequest late = t.get("/a");
        Fill uncovered = t.lead(late);
        TestClient unlucky = t.client(uncovered, late);
        uncovered.abort(new FillFailure(502, "refused"));
        assertThat(unlucky.pump().last).isEqualTo(Signal.FAILED);
        unlucky.close();
    }

    @Test
    void coverErrorsCoversWhatTheAnswerIsSilentAbout() {
        t.config.set(TestCache.config("cover-errors=1h"));
        storeAndStep(3600, "Cache-Control: max-age=60");
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        fill.abort(new FillFailure(504, "no answer"));
        assertThat(own.pump().body()).isEqualTo("hello");
        own.close();
    }

    @Test
    void maxStaleIsServedWithoutAsking() {
        storeAndStep(70, "Cache-Control: max-age=60");
        assertThat(t.hit(t.get("/a", "Cache-Control: max-stale=10"))).isEqualTo("hello");
        assertThat(t.count(CacheStats.STALE_HITS, "max-stale")).isEqualTo(1);
        CacheRequest less = t.get("/a", "Cache-Control: max-stale=9");
        t.client(t.lead(less), less).close();
    }

    @Test
    void aReloadValidatesUnlessItIsIgnored() {
        storeAndStep(1, "Cache-Control: max-age=60", "ETag: \"v1\"");
        CacheRequest reload = t.get("/a", "Cache-Control: no-cache");
        Decision.Lead lead = (Decision.Lead) t.cache.decide(reload);
        assertThat(lead.forward()).isEqualTo(Forward.REQUEST);
        lead.fill().abort(new FillFailure(502, "end"));
        t.config.set(TestCache.config("ignore-reload=on"));
        assertThat(t.hit(t.get("/a", "Cache-Control: no-cache"))).isEqualTo("hello");
    }

    @Test
    void aReloadDoesNotJoinAnAnswerThatBeganBeforeIt() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 5, "Cache-Control: max-age=60");
        CacheRequest reload = t.get("/a", "Cache-Control: no-cache");
        Fill beside = t.lead(reload);
        assertThat(beside).isNotSameAs(fill);
        beside.abort(new FillFailure(502, "end"));
        own.close();
    }

    @Test
    void theHeuristicLifetimeIsTheSeedsAndBounded() {
        t.store(t.get("/a"), "hello", t.date("Last-Modified", -1000));
        t.step(99);
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        t.step(2);
        CacheRequest late = t.get("/a");
        t.client(t.lead(late), late).close();
        t.config.set(TestCache.config("max-uncheck=10s"));
        t.store(t.get("/b"), "hello", t.date("Last-Modified", -1000));
        t.step(11);
        CacheRequest checked = t.get("/b");
        t.client(t.lead(checked), checked).close();
    }
}
