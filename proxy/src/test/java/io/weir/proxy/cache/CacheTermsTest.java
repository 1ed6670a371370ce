package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.proxy.cache.config.BypassReason;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.config.CacheTerms.ConnectMode;
import io.weir.proxy.cache.config.CacheTerms.Ignored;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a route says about caching in place of the section. */
class CacheTermsTest {
    private static final String MINUTE = "Cache-Control: max-age=60";
    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private CacheRequest get(CacheTerms terms, String path, String... fields) {
        CacheRequest request = t.cache.newRequest();
        request.key().start(false).host("origin.test", 80).path(path);
        return request.set(Method.GET, TestCache.fields(fields), terms);
    }

    private static CacheTerms limits(int query, long min, long max) {
        return CacheTerms.DEFAULT.with(query, min, max, false);
    }

    private static CacheTerms uncheck(long millis) {
        return new CacheTerms(-1, -1, -1, millis, -1, -1, -1, ConnectMode.NORMAL, false, Set.of());
    }

    private static CacheTerms mode(ConnectMode mode) {
        return new CacheTerms(-1, -1, -1, -1, -1, -1, -1, mode, false, Set.of());
    }

    private static CacheTerms ignoring(Ignored... what) {
        return new CacheTerms(-1, -1, -1, -1, -1, -1, -1, ConnectMode.NORMAL, false, Set.of(what));
    }

    /** Leads a fetch that ends without an answer. */
    private void fetched(CacheRequest request) {
        Fill fill = t.lead(request);
        t.client(fill, request).close();
    }

    @Test
    void theQueryMayBeAsLongAsTheRouteSays() {
        t.store(get(limits(3, -1, -1), "/a?123"), "hello", MINUTE);
        assertThat(t.hit(get(limits(3, -1, -1), "/a?123"))).isEqualTo("hello");
        assertThat(t.cache.decide(get(limits(2, -1, -1), "/a?123"))).isEqualTo(new Decision.Bypass(BypassReason.QUERY));
        assertThat(t.cache.decide(get(limits(0, -1, -1), "/a?"))).isEqualTo(new Decision.Bypass(BypassReason.QUERY));
        fetched(get(limits(0, -1, -1), "/a"));
        fetched(get(limits(4000, -1, -1), "/a?" + "x".repeat(4000)));
        assertThat(t.cache.decide(get(CacheTerms.DEFAULT, "/a?" + "x".repeat(4000))))
                .isEqualTo(new Decision.Bypass(BypassReason.QUERY));
    }

    @Test
    void bodiesAreStoredWithinTheRoutesBounds() {
        CacheTerms terms = limits(-1, 3, 5);
        for (String body : new String[] {"123", "12345"}) {
            t.store(get(terms, "/" + body), body, MINUTE);
            assertThat(t.hit(get(terms, "/" + body))).isEqualTo(body);
        }
        for (String body : new String[] {"12", "123456"}) {
            t.store(get(terms, "/" + body), body, MINUTE);
            t.relayed(get(terms, "/" + body));
        }
        assertThat(t.count(CacheStats.REFUSALS, "too-small")).isEqualTo(1);
        assertThat(t.count(CacheStats.REFUSALS, "too-large")).isEqualTo(1);
    }

    @Test
    void boundsHoldForBodiesWhoseLengthOnlyTheEndTells() {
        CacheTerms terms = limits(-1, 3, 5);
        for (String body : new String[] {"12", "123456"}) {
            CacheRequest request = get(terms, "/" + body);
            Fill fill = t.lead(request);
            TestClient client = t.client(fill, request);
            t.respond(fill, 200, -1, MINUTE);
            fill.append(TestCache.bytes(body));
            fill.complete(null);
            t.loop.run();
            assertThat(client.body()).isEqualTo(body);
            client.close();
            assertThat(t.cache.inspection().facts().entries()).isZero();
        }
    }

    @Test
    void freshAnswersAreCheckedOnceTheyAreOlderThanMaxUncheck() {
        t.store(get(uncheck(10_000), "/a"), "hello", MINUTE, "ETag: \"1\"");
        t.step(9);
        assertThat(t.hit(get(uncheck(10_000), "/a"))).isEqualTo("hello");
        t.step(1);
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        CacheRequest request = get(uncheck(10_000), "/a");
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        assertThat(fill.validators()).isNotNull();
        t.respond(fill, 304, 0, MINUTE, "ETag: \"1\"");
        t.loop.run();
        assertThat(client.body()).isEqualTo("hello");
        client.close();
        assertThat(t.hit(get(uncheck(10_000), "/a"))).isEqualTo("hello");
    }

    @Test
    void maxUncheckCountsTheTimeInOtherCaches() {
        t.store(get(uncheck(10_000), "/a"), "hello", MINUTE, "Age: 8");
        t.step(1);
        assertThat(t.hit(get(uncheck(10_000), "/a"))).isEqualTo("hello");
        t.step(1);
        fetched(get(uncheck(10_000), "/a"));
    }

    @Test
    void maxUncheckOfZeroAsksAlways() {
        t.store(get(uncheck(0), "/a"), "hello", MINUTE, "ETag: \"1\"");
        fetched(get(uncheck(0), "/a"));
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
    }

    @Test
    void theRoutesLmFactorGuessesFreshness() {
        CacheTerms half = new CacheTerms(-1, -1, -1, -1, 0.5, -1, -1, ConnectMode.NORMAL, false, Set.of());
        CacheTerms none = new CacheTerms(-1, -1, -1, -1, 0, -1, -1, ConnectMode.NORMAL, false, Set.of());
        t.store(get(half, "/half"), "hello", t.date("Last-Modified", -100));
        t.store(get(none, "/none"), "hello", t.date("Last-Modified", -100));
        fetched(get(none, "/none"));
        t.step(49);
        assertThat(t.hit(get(half, "/half"))).isEqualTo("hello");
        t.step(1);
        fetched(get(half, "/half"));
    }

    @Test
    void theRouteCoversErrorsForItsOwnTime() {
        CacheTerms covers = new CacheTerms(-1, -1, -1, -1, -1, 100, -1, ConnectMode.NORMAL, false, Set.of());
        t.store(t.get("/a"), "hello", MINUTE);
        t.step(100);
        CacheRequest request = get(covers, "/a");
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        fill.abort(new FillFailure(502, "refused"));
        t.loop.run();
        assertThat(client.body()).isEqualTo("hello");
        client.close();
        CacheRequest plain = t.get("/a");
        Fill uncovered = t.lead(plain);
        TestClient failed = t.client(uncovered, plain);
        uncovered.abort(new FillFailure(502, "no such name", "origin-unresolvable"));
        t.loop.run();
        assertThat(failed.at().failure().code()).isEqualTo("origin-unresolvable");
        failed.close();
    }

    @Test
    void fastDemoAsksTheOriginOnlyForWhatIsNotThere() {
        t.store(t.get("/a"), "hello", MINUTE, "ETag: \"1\"");
        t.step(1000);
        CacheRequest request = get(mode(ConnectMode.FAST_DEMO), "/a", "Cache-Control: no-cache");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(request);
        assertThat(hit.stale()).isTrue();
        assertThat(hit.revalidation()).isNull();
        hit.object().release();
        assertThat(t.count(CacheStats.STALE_HITS, "connect-mode")).isEqualTo(1);
        fetched(get(mode(ConnectMode.FAST_DEMO), "/b"));
        fetched(t.get("/a"));
    }

    @Test
    void neverAnswersFromTheCacheOrNotAtAll() {
        CacheTerms never = mode(ConnectMode.NEVER);
        t.store(t.get("/a"), "hello", "Cache-Control: no-cache", "ETag: \"1\"");
        assertThat(t.hit(get(never, "/a"))).isEqualTo("hello");
        assertThat(t.cache.decide(get(never, "/b"))).isInstanceOf(Decision.OnlyIfCached.class);
        assertThat(t.cache.decide(get(never, "/a", "Cache-Control: no-store")))
                .isInstanceOf(Decision.OnlyIfCached.class);
        CacheRequest head = t.request(Method.HEAD, "/b");
        head.set(Method.HEAD, TestCache.fields(), never);
        assertThat(t.cache.decide(head)).isInstanceOf(Decision.OnlyIfCached.class);
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(1);
    }

    @Test
    void authorisedAnswersAreSharedOnlyWhereTheRouteSaysSo() {
        CacheTerms auth = CacheTerms.DEFAULT.with(-1, -1, -1, true);
        t.store(t.get("/a", "Authorization: Basic eA=="), "hello", MINUTE);
        fetched(t.get("/a"));
        assertThat(t.count(CacheStats.REFUSALS, "authorization")).isEqualTo(1);
        t.store(get(auth, "/a", "Authorization: Basic eA=="), "hello", MINUTE);
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        t.config.set(TestCache.config("cache-auth=off"));
        assertThat(t.cache.decide(t.get("/a", "Authorization: Basic eA==")))
                .isEqualTo(new Decision.Bypass(BypassReason.AUTHORIZATION));
        assertThat(t.hit(get(auth, "/a", "Authorization: Basic eA=="))).isEqualTo("hello");
    }

    @Test
    void prohibitionsOfAnswersAreIgnoredOneByOne() {
        t.store(get(ignoring(Ignored.PRIVATE), "/a"), "hello", "Cache-Control: no-store, max-age=60");
        t.store(get(ignoring(Ignored.NO_STORE), "/b"), "hello", "Cache-Control: private, max-age=60");
        assertThat(t.cache.inspection().facts().entries()).isZero();
        t.step(100);
        t.store(get(ignoring(Ignored.NO_STORE), "/a"), "hello", "Cache-Control: no-store, max-age=60");
        t.store(get(ignoring(Ignored.PRIVATE), "/b"), "hello", "Cache-Control: private=\"x-a\", max-age=60", "X-A: 1");
        t.store(get(ignoring(Ignored.PRIVATE), "/c"), "hello", "Cache-Control: private, max-age=60");
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
        assertThat(t.hit(t.get("/c"))).isEqualTo("hello");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/b"));
        assertThat(TestCache.head(hit.object())).contains("X-A: 1\r\n");
        hit.object().release();
    }

    @Test
    void wishesOfRequestsAreIgnoredOneByOne() {
        t.store(t.get("/a"), "hello", MINUTE);
        t.step(10);
        for (String wish :
                new String[] {"Cache-Control: no-cache", "Pragma: no-cache", "Cache-Control: no-cache, max-stale"}) {
            fetched(t.get("/a", wish));
            assertThat(t.hit(get(ignoring(Ignored.NO_CACHE), "/a", wish))).isEqualTo("hello");
        }
        fetched(get(ignoring(Ignored.NO_CACHE), "/a", "Cache-Control: max-age=5"));
        assertThat(t.hit(get(ignoring(Ignored.RELOAD), "/a", "Cache-Control: max-age=5")))
                .isEqualTo("hello");
        assertThat(t.hit(get(ignoring(Ignored.RELOAD), "/a", "Cache-Control: no-store")))
                .isEqualTo("hello");
    }

    @Test
    void aSharedFetchGoesByItsLeadersTermsAndByTheirsWhoTakeItOver() {
        CacheRequest small = get(limits(-1, -1, 3), "/a");
        CacheRequest large = get(limits(-1, -1, 100), "/a");
        Fill fill = t.lead(small);
        TestClient first = t.client(fill, small);
        TestClient second = t.client(t.joined(large), large);
        fill.abort(new FillFailure(502, "reset"));
        t.loop.run();
        first.close();
        fill.lead(t.source);
        assertThat(t.respond(fill, 200, 5, MINUTE)).isEqualTo(Disposition.STORE);
        fill.append(TestCache.bytes("hello"));
        fill.complete(null);
        second.pump();
        t.loop.run();
        assertThat(second.body()).isEqualTo("hello");
        second.close();
        assertThat(t.hit(small.set(Method.GET, TestCache.fields(), limits(-1, -1, 3))))
                .isEqualTo("hello");
    }

    @Test
    void aRouteSaysHowMuchOfAFetchMustHaveArrived() {
        // the section says 75
        for (int[] c : new int[][] {{60, 50, 1}, {60, 60, 0}, {1, 0, 1}, {99, 100, 0}, {80, -1, 1}, {60, -1, 0}}) {
            CacheTerms terms = new CacheTerms(-1, -1, -1, -1, -1, -1, c[1], ConnectMode.NORMAL, false, Set.of());
            CacheRequest request = get(terms, "/percent/" + c[0] + "/" + c[1]);
            TestSource source = new TestSource(t.loop);
            Fill fill = t.lead(request);
            fill.lead(source);
            TestClient own = t.client(fill, request);
            t.respond(fill, 200, 100, MINUTE);
            fill.append(TestCache.bytes("x".repeat(c[0])));
            own.close();
            t.loop.run();
            assertThat(source.abandoned).as("%d of %d", c[0], c[1]).isEqualTo(c[2] == 0);
            fill.append(TestCache.bytes("x".repeat(100 - c[0])));
            fill.complete(null);
        }
    }

    @Test
    void termsSayHowTheyDifferFromTheSection() {
        assertThat(CacheTerms.DEFAULT).hasToString("as configured");
        assertThat(new CacheTerms(7, 1, 2, 0, 0.5, 3, 60, ConnectMode.NEVER, true, Set.of(Ignored.RELOAD)))
                .hasToString("query-maxlen=7 min-size=1 max-size=2 max-uncheck-ms=0 lm-factor=0.5 cover-errors-s=3"
                        + " term-percent=60 connect-mode=NEVER cache-auth ignore=RELOAD");
    }
}
