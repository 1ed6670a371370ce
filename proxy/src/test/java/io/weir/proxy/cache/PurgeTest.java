package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A purge that was answered is final, whatever ends or begins at that moment. */
class PurgeTest {
    private static final String FRESH = "Cache-Control: max-age=60";
    private static final String STALE = "Cache-Control: max-age=0, stale-while-revalidate=60";
    private static final String TAG = "ETag: \"a\"";
    private static final UriTarget TARGET = Objects.requireNonNull(UriTarget.parse("http://origin.test/a"));

    private final TestCache t = new TestCache();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void nothingLeaks() {
        other.shutdownNow();
        t.assertNothingLeaks();
    }

    /** Runs the step beside the purge, which is answered while the step waits for the store's lock. */
    private void purgeWithin(Runnable step) throws Exception {
        purgeWithin(step, () -> {});
    }

    private void purgeWithin(Runnable step, Runnable after) throws Exception {
        Future<?> beside;
        t.cache.store.lock().lock();
        try {
            beside = other.submit(step);
            while (!t.cache.store.lock().hasQueuedThreads() && !beside.isDone()) {
                Thread.onSpinWait();
            }
            t.cache.invalidate(TARGET);
            after.run();
        } finally {
            t.cache.store.lock().unlock();
        }
        beside.get(3, TimeUnit.MINUTES);
    }

    private TestClient filling(String... fields) {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 5, fields);
        fill.append(TestCache.bytes("hello"));
        return own;
    }

    @Test
    void aFillThatEndsWhileItIsPurgedIsNotStored() throws Exception {
        TestClient own = filling(FRESH);
        Fill fill = own.at().fill();
        purgeWithin(() -> fill.complete(null));
        assertThat(fill.storing()).isFalse();
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(t.count(CacheStats.REFUSALS, "invalidated")).isEqualTo(1);
        assertThat(own.pump().body()).isEqualTo("hello");
        own.close();
    }

    @Test
    void aValidationThatEndsWhileItIsPurgedIsNotStored() throws Exception {
        t.store(t.get("/a"), "hello", "Cache-Control: max-age=0", TAG);
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        purgeWithin(() -> t.respond(fill, 304, 0, FRESH, TAG));
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(fill.storing()).isFalse();
        assertThat(own.pump().body()).isEqualTo("hello");
        own.close();
    }

    @Test
    void whatWasPurgedIsNotValidatedBackIntoTheStore() throws Exception {
        t.store(t.get("/a"), "old", STALE, TAG);
        CacheRequest reload = t.get("/a", "Cache-Control: no-cache");
        TestClient before = t.client(t.lead(reload), reload);
        CacheRequest request = t.get("/a");
        // it was found before the purge, and its validation begins when all is over
        purgeWithin(
                () -> {
                    if (t.cache.decide(request) instanceof Decision.Hit hit) {
                        Fill behind = hit.revalidation();
                        hit.object().release();
                        if (behind != null) {
                            t.respond(behind, 304, 0, FRESH, TAG);
                        }
                    }
                },
                () -> {
                    t.store(t.get("/a"), "new", FRESH);
                    before.at().fill().abort(new FillFailure(502, "end"));
                });
        assertThat(t.hit(t.get("/a"))).isEqualTo("new");
        before.close();
    }

    @Test
    void fillsAndPurgesSideBySideLeaveNothing() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        for (int i = 0; i < 4_000; i++) {
            TestClient own = filling(FRESH);
            Fill fill = own.at().fill();
            Future<?> purge = other.submit(() -> {
                both.await(3, TimeUnit.MINUTES);
                return t.cache.invalidate(TARGET);
            });
            both.await(3, TimeUnit.MINUTES);
            fill.complete(null);
            purge.get(3, TimeUnit.MINUTES);
            // the fetch began before the purge, so whichever came first nothing may be there
            assertThat(t.count(CacheStats.ENTRIES)).as("round " + i).isZero();
            own.pump().close();
            t.loop.run();
        }
    }
}
