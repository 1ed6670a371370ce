package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An answer that turns out too large for the store streams through a bounded window. */
class WindowTest {
    private static final String KIB = "0123456789abcdef".repeat(64);

    private final TestCache t = new TestCache("max-object-size=64KiB", "fill-window=16KiB");
    private final CacheRequest request = t.get("/a");
    private final Fill fill = t.lead(request);
    private final TestClient own = t.client(fill, request);
    private int sent;

    @AfterEach
    void nothingLeaks() {
        own.close();
        t.assertNothingLeaks();
    }

    private boolean send() {
        sent++;
        return fill.append(TestCache.bytes(KIB));
    }

    private void begin(int kib) {
        assertThat(t.respond(fill, 200, -1, "Cache-Control: max-age=60")).isEqualTo(Disposition.STORE);
        for (int i = 0; i < kib; i++) {
            assertThat(send()).isTrue();
        }
    }

    @Test
    void itLeavesTheStoreAndItsReadersGetAllOfIt() {
        begin(64);
        CacheRequest other = t.get("/a");
        TestClient second = t.client(t.joined(other), other);
        t.loop.run();
        for (int i = 0; i < 100; i++) {
            assertThat(send()).isTrue();
            t.loop.run();
            assertThat(t.count(CacheStats.WINDOW_BYTES)).isZero();
        }
        assertThat(fill.state()).isEqualTo(Fill.State.PASSING);
        assertThat(fill.passReason()).isEqualTo("too-large");
        fill.complete(null);
        t.loop.run();
        assertThat(own.body()).isEqualTo(KIB.repeat(164));
        assertThat(second.body()).isEqualTo(own.body());
        second.close();
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(t.count(CacheStats.FILLS_TOO_LARGE, "max-object-size")).isEqualTo(1);
    }

    @Test
    void nobodyJoinsIt() {
        begin(64);
        t.loop.run();
        send();
        CacheRequest other = t.get("/a");
        t.relayed(other);
    }

    @Test
    void theOriginWaitsForASlowReaderThatIsAlone() {
        begin(64);
        t.loop.run();
        own.budget = 0;
        int window = 0;
        while (send()) {
            window++;
        }
        assertThat(window).isEqualTo(16);
        assertThat(t.count(CacheStats.WINDOW_BYTES)).isEqualTo(17 << 10);
        assertThat(t.source.resumed).isZero();
        own.budget = 8;
        own.pump();
        t.loop.run();
        assertThat(t.source.resumed).isZero();
        own.budget = Integer.MAX_VALUE;
        own.pump();
        t.loop.run();
        assertThat(t.source.resumed).isEqualTo(1);
        fill.complete(null);
        t.loop.run();
        assertThat(own.body()).isEqualTo(KIB.repeat(sent));
        assertThat(own.last).isEqualTo(Signal.END);
        assertThat(t.count(CacheStats.READERS_CUT)).isZero();
    }

    @Test
    void aReaderThatFallsBehindTheWindowIsWaitedFor() {
        begin(60);
        CacheRequest other = t.get("/a");
        TestClient slow = t.client(t.joined(other), other);
        slow.budget = 0;
        for (int i = 0; i < 400; i++) {
            boolean more = send();
            t.loop.run();
            while (!more && t.source.resumed == 0) {
                // half a window in less than half a minute
                t.step(3);
                slow.budget = 1;
                slow.pump();
                t.loop.run();
            }
            t.source.resumed = 0;
        }
        fill.complete(null);
        slow.budget = Integer.MAX_VALUE;
        slow.pump();
        t.loop.run();
        assertThat(own.body()).isEqualTo(KIB.repeat(sent));
        assertThat(slow.body()).isEqualTo(own.body());
        assertThat(t.count(CacheStats.READERS_CUT)).isZero();
        slow.close();
    }

    @Test
    void aReaderThatLetsOthersWaitForTooLongIsCutAndTheyGoOn() {
        begin(60);
        CacheRequest other = t.get("/a");
        TestClient slow = t.client(t.joined(other), other);
        slow.budget = 0;
        while (send()) {
            t.loop.run();
        }
        t.loop.run();
        t.step(29);
        own.pump();
        assertThat(t.count(CacheStats.READERS_CUT)).isZero();
        t.step(2);
        own.pump();
        assertThat(t.count(CacheStats.READERS_CUT)).isEqualTo(1);
        for (int i = 0; i < 100; i++) {
            assertThat(send()).isTrue();
            t.loop.run();
        }
        fill.complete(null);
        t.loop.run();
        assertThat(own.body()).isEqualTo(KIB.repeat(sent));
        assertThat(t.count(CacheStats.READERS_CUT)).isEqualTo(1);
        slow.budget = 1;
        slow.pump();
        assertThat(slow.last).isEqualTo(Signal.FAILED);
        assertThat(slow.at().failure()).isEqualTo(FillFailure.CUT);
        slow.close();
    }
}
