package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large answers of a known length: stored whole, or not begun. */
class LargeAnswersTest {
    private static final String FRESH = "Cache-Control: max-age=600";
    private static final int MIB = 1 << 20;
    private static final String PIECE = "0123456789abcdef".repeat(1024);

    private final TestCache t = new TestCache("memory-budget=4MiB", "max-object-size=1GiB", "fill-window=16KiB");

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private void store(int objects) {
        for (int i = 0; i < objects; i++) {
            t.store(t.get("/small/" + i), "x".repeat(1000), FRESH);
        }
    }

    private static void append(Fill fill, int bytes) {
        for (int sent = 0; sent < bytes; sent += PIECE.length()) {
            fill.append(TestCache.bytes(PIECE));
        }
    }

    @Test
    void aBodyThatCannotBeStoredEvictsNothingAndIsNotCalledStored() {
        store(500);
        for (long length : new long[] {300L * MIB, 4 * MIB}) {
            CacheRequest request = t.get("/" + length);
            Fill fill = t.lead(request);
            TestClient own = t.client(fill, request);
            assertThat(t.respond(fill, 200, length, FRESH)).isEqualTo(Disposition.PASS);
            assertThat(fill.passReason()).isEqualTo("too-large");
            assertThat(fill.storing()).isFalse();
            own.close();
        }
        assertThat(t.count(CacheStats.REFUSALS, "too-large")).isEqualTo(2);
        assertThat(t.count(CacheStats.EVICTIONS, "memory")).isZero();
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(500);
    }

    @Test
    void theLargestThatFitsIsStored() {
        long largest = t.cache.store.largestBody();
        assertThat(largest).isBetween(3L * MIB, 4L * MIB);
        String body = "x".repeat((int) largest);
        t.store(t.get("/large"), body, FRESH);
        assertThat(t.hit(t.get("/large"))).isEqualTo(body);
        assertThat(t.cache.store.budget().used()).isLessThanOrEqualTo(4L * MIB);
    }

    @Test
    void aBodyForWhichThereIsNoRoomNowEvictsNothing() {
        CacheRequest first = t.get("/first");
        Fill held = t.lead(first);
        TestClient reader = t.client(held, first);
        assertThat(t.respond(held, 200, 2 * MIB, FRESH)).isEqualTo(Disposition.STORE);
        store(200);
        CacheRequest second = t.get("/second");
        Fill fill = t.lead(second);
        TestClient own = t.client(fill, second);
        assertThat(t.respond(fill, 200, 3 * MIB, FRESH)).isEqualTo(Disposition.PASS);
        assertThat(fill.passReason()).isEqualTo("memory");
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(200);
        held.abort(new FillFailure(502, "end"));
        reader.close();
        own.close();
    }

    @Test
    void aSlowReaderIsNotCutWhenMemoryRunsOut() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient quick = t.client(fill, request);
        assertThat(t.respond(fill, 200, 2 * MIB, FRESH)).isEqualTo(Disposition.STORE);
        CacheRequest other = t.get("/a");
        TestClient slow = t.client(t.joined(other), other);
        slow.budget = 0;
        append(fill, MIB);
        t.loop.run();
        // others take all the memory that there is
        CacheRequest greedy = t.get("/b");
        Fill beside = t.lead(greedy);
        TestClient third = t.client(beside, greedy);
        t.respond(beside, 200, -1, FRESH);
        append(beside, 4 * MIB);
        append(fill, MIB);
        t.loop.run();
        fill.complete(null);
        t.loop.run();
        assertThat(quick.bytes.size()).isEqualTo(2 * MIB);
        slow.budget = Integer.MAX_VALUE;
        slow.pump();
        assertThat(slow.last).isEqualTo(Signal.END);
        assertThat(slow.body()).isEqualTo(quick.body());
        assertThat(t.count(CacheStats.READERS_CUT)).isZero();
        assertThat(t.hit(t.get("/a"))).hasSize(2 * MIB);
        beside.abort(new FillFailure(502, "end"));
        for (TestClient client : new TestClient[] {quick, slow, third}) {
            client.close();
        }
    }

    @Test
    void aFetchWithoutReadersEndsWhenItLeavesTheStore() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, -1, FRESH);
        own.at().satisfied();
        own.close();
        append(fill, 3 * MIB);
        t.loop.run();
        assertThat(t.source.abandoned).isFalse();
        append(fill, MIB);
        t.loop.run();
        assertThat(t.source.abandoned).isTrue();
        assertThat(t.count(CacheStats.FILLS_ABANDONED)).isEqualTo(1);
    }

    @Test
    void aValidationBehindEndsWhenItLeavesTheStore() {
        t.store(t.get("/a"), "old", "Cache-Control: max-age=0, stale-while-revalidate=60", "ETag: \"a\"");
        Decision.Hit hit = (Decision.Hit) t.cache.decide(t.get("/a"));
        Fill fill = Objects.requireNonNull(hit.revalidation());
        hit.object().release();
        fill.lead(t.source);
        t.respond(fill, 200, -1, FRESH);
        append(fill, 4 * MIB);
        t.loop.run();
        assertThat(t.source.abandoned).isTrue();
    }

    @Test
    void aFetchThatFailsGivesBackAtOnceWhatItDidNotFill() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 2 * MIB, FRESH);
        assertThat(t.cache.store.takenBytes()).isGreaterThanOrEqualTo(2L * MIB);
        fill.abort(new FillFailure(502, "reset"));
        assertThat(t.cache.store.takenBytes()).isLessThan(200_000);
        own.close();
    }
}
