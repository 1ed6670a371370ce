package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.StoragePlan;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the answers for a key whose last answer was not storable. */
class RelayedTest {
    private static final String FRESH = "Cache-Control: max-age=60";
    private static final String NO_STORE = "Cache-Control: no-store";

    private final TestCache t = new TestCache("max-object-size=1KiB", "min-object-size=2", "hit-for-miss=60s");

    @BeforeEach
    void unstorable() {
        t.store(t.get("/a"), "hello", NO_STORE);
    }

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private Relayed answer(StoragePlan.Head head) {
        return t.cache.relayed(t.relayed(t.get("/a")), head);
    }

    private Fill storing(Relayed verdict) {
        Fill fill = Objects.requireNonNull(verdict.fill());
        fill.lead(t.source);
        return fill;
    }

    @ParameterizedTest
    @CsvSource({
        "200, 5, 'Cache-Control: no-store', no-store",
        "200, 5, 'Cache-Control: private', private",
        "200, 2000, 'Cache-Control: max-age=60', too-large",
        "200, 1, 'Cache-Control: max-age=60', too-small",
        "206, 5, 'Cache-Control: max-age=60', partial"
    })
    void whatMayNotBeStoredIsRelayedForAnotherWhile(int status, long length, String field, String reason) {
        t.step(50);
        assertThat(answer(t.answer(status, length, field))).isEqualTo(new Relayed(null, reason));
        assertThat(t.count(CacheStats.REFUSALS, reason)).isEqualTo(reason.equals("no-store") ? 2 : 1);
        t.step(50);
        t.relayed(t.get("/a"));
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"304, status", "503, no-lifetime"})
    void whatPredictsNothingRenewsNothing(int status, String reason) {
        t.step(50);
        assertThat(answer(t.answer(status, 0))).isEqualTo(new Relayed(null, reason));
        t.relayed(t.get("/a"));
        t.step(50);
        CacheRequest late = t.get("/a");
        t.client(t.lead(late), late).close();
    }

    @Test
    void aStorableAnswerIsStoredAtOnceAndEndsTheRelaying() {
        CacheRequest request = t.get("/a");
        Fill fill = storing(t.cache.relayed(t.relayed(request), t.answer(200, 2, FRESH)));
        assertThat(fill.forwardsConditions())
                .as("the origin got the client's conditions")
                .isTrue();
        TestClient own = t.client(fill, request);
        assertThat(t.respond(fill, 200, 2, FRESH)).isEqualTo(Disposition.STORE);
        assertThat(t.joined(t.get("/a"))).isSameAs(fill);
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        t.loop.run();
        assertThat(own.body()).isEqualTo("ok");
        own.close();
        assertThat(t.hit(t.get("/a"))).isEqualTo("ok");
        t.step(61);
        CacheRequest late = t.get("/a");
        t.client(t.lead(late), late).close();
    }

    @Test
    void anAnswerFromBeforeAPurgeIsNotStored() {
        Decision.Relay before = t.relayed(t.get("/a"));
        t.cache.invalidate(t.get("/a").key());
        assertThat(t.cache.relayed(before, t.answer(200, 5, FRESH))).isEqualTo(new Relayed(null, "invalidated"));
        CacheRequest next = t.get("/a");
        t.client(t.lead(next), next).close();
    }

    @Test
    void anAnswerFromBeforeTheWholeCacheWasPurgedIsNotStored() {
        Decision.Relay before = t.relayed(t.get("/a"));
        t.cache.clear();
        assertThat(t.cache.relayed(before, t.answer(200, 5, FRESH))).isEqualTo(new Relayed(null, "invalidated"));
    }

    /** A purge between the head of the answer and its end: as for every fill. */
    @Test
    void aPurgeWhileItIsStoredIsFinalToo() {
        CacheRequest request = t.get("/a");
        Fill fill = storing(t.cache.relayed(t.relayed(request), t.answer(200, 2, FRESH)));
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 2, FRESH);
        t.cache.invalidate(t.get("/a").key());
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        t.loop.run();
        own.close();
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
    }

    /** Another variant is stored and stale: it is validated by a fill, which nobody waits for. */
    @Test
    void whatIsStoredIsValidatedByAFill() {
        t.store(t.get("/b"), "hello", "Cache-Control: max-age=1", "ETag: \"a\"");
        CacheRequest reload = t.get("/b", "Cache-Control: no-cache");
        t.cache.store.uncacheables().add(reload.key().hash(), t.clock.millis(), 60_000);
        t.step(2);
        Fill fill = t.lead(reload);
        assertThat(fill.alone()).isTrue();
        assertThat(Objects.requireNonNull(fill.validators()).ifNoneMatch()).isEqualTo("\"a\"");
        t.client(fill, reload).close();
    }
}
