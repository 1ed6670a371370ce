package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.http.Version;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Forwarded answers are for those who may go where they came from. */
@Tag("slow")
class FetchedFromTest {
    private static final String FRESH = "Cache-Control: max-age=60";
    private static final String TAG = "ETag: \"1\"";

    private final TestCache t = new TestCache("memory-budget=256MiB");
    private final Visitor insider = new Visitor();
    private final Visitor outsider = new Visitor("10.0.0.1");

    /** A client of the forward proxy who may go everywhere but to some addresses. */
    private static final class Visitor implements Permission {
        private final Audience audience = new Audience();
        private final Set<InetAddress> forbidden = new HashSet<>();

        Visitor(String... forbidden) {
            List.of(forbidden).forEach(a -> this.forbidden.add(address(a)));
        }

        @Override
        public boolean mayHave(@Nullable FetchedFrom from) {
            return from != null && from.all(a -> !forbidden.contains(a));
        }

        @Override
        public Audience audience() {
            return audience;
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private CacheRequest get(Permission by, String... fields) {
        return t.get("/a", fields).permit(by);
    }

    private Disposition respond(Fill fill, int status, long length, String address, String... fields) {
        return fill.respond(new StoragePlan.Head(
                status,
                TestCache.fields(fields),
                length,
                t.clock.millis(),
                t.clock.millis(),
                Version.HTTP_1_1,
                FetchedFrom.of(address(address))));
    }

    private void store(CacheRequest request, String body, String address) {
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        assertThat(respond(fill, 200, body.length(), address, FRESH, TAG)).isEqualTo(Disposition.STORE);
        fill.append(TestCache.bytes(body));
        fill.complete(null);
        t.loop.run();
        client.close();
    }

    private void missed(Permission by) {
        CacheRequest request = get(by);
        t.client(t.lead(request), request).close();
    }

    private Disposition validate(CacheRequest request, String address) {
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        Disposition what = respond(fill, 304, 0, address, FRESH, TAG);
        t.loop.run();
        client.close();
        return what;
    }

    @Test
    void whoMayNotHaveItFetchesForItself() {
        store(get(insider), "inner", "10.0.0.1");
        assertThat(t.hit(get(insider))).isEqualTo("inner");
        assertThat(t.cache.decide(get(outsider, "Cache-Control: only-if-cached")))
                .isInstanceOf(Decision.OnlyIfCached.class);
        store(get(outsider), "outer", "10.0.0.2");
        assertThat(t.hit(get(outsider))).isEqualTo("outer");
        assertThat(t.hit(get(insider))).isEqualTo("outer");
        assertThat(t.count(CacheStats.WITHHELD)).isEqualTo(2);
        assertThat(t.count(CacheStats.ENTRIES)).isOne();
        t.assertNothingLeaks();
    }

    @Test
    void whatRoutesAnswerAndWhatIsForwardedAreTwoThings() {
        t.store(t.get("/a"), "route", FRESH);
        missed(insider);
        assertThat(t.hit(t.get("/a"))).isEqualTo("route");
        t.cache.invalidate(t.get("/a").key());
        store(get(insider), "named", "10.0.0.1");
        CacheRequest routed = t.get("/a");
        Fill fill = t.lead(routed);
        assertThat(fill.validators()).isNull();
        t.client(fill, routed).close();
        t.assertNothingLeaks();
    }

    @Test
    void onlyThoseWhomTheRulesTreatAlikeWaitForEachOther() {
        CacheRequest first = get(insider);
        Fill fill = t.lead(first);
        TestClient own = t.client(fill, first);
        CacheRequest second = get(insider);
        assertThat(t.joined(second)).isSameAs(fill);
        CacheRequest third = get(outsider);
        Fill other = t.lead(third);
        assertThat(other).isNotSameAs(fill);
        TestClient outer = t.client(other, third);
        other.resign(new FillFailure(403, "forbidden"));
        t.loop.run();
        assertThat(outer.last).isEqualTo(Signal.FAILED);
        assertThat(outer.at().failure().status()).isEqualTo(403);
        outer.close();
        own.close();
        t.assertNothingLeaks();
    }

    @Test
    void aRefusalIsItsLeadersAloneHoweverOften() {
        CacheRequest first = get(outsider);
        Fill fill = t.lead(first);
        TestClient leader = t.client(fill, first);
        for (int i = 0; i < 4; i++) {
            CacheRequest next = get(outsider);
            TestClient waiter = t.client(t.joined(next), next);
            fill.resign(new FillFailure(403, "forbidden"));
            t.loop.run();
            assertThat(leader.last).isEqualTo(Signal.FAILED);
            assertThat(leader.at().failure().status()).isEqualTo(403);
            leader.close();
            assertThat(waiter.last).isEqualTo(Signal.LEAD);
            fill.lead(t.source);
            leader = waiter.pump();
        }
        respond(fill, 200, 2, "10.0.0.2", FRESH);
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        assertThat(leader.pump().body()).isEqualTo("ok");
        leader.close();
        t.assertNothingLeaks();
    }

    /** A stored answer that may stand in for a failing origin does not stand in for one that is forbidden. */
    @Test
    void aRefusalIsNotCovered() {
        CacheRequest first = get(insider);
        Fill fill = t.lead(first);
        TestClient own = t.client(fill, first);
        respond(fill, 200, 2, "10.0.0.1", FRESH + ", stale-if-error=600");
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        t.loop.run();
        own.close();
        t.step(61);
        CacheRequest again = get(insider);
        Fill validation = t.lead(again);
        TestClient refused = t.client(validation, again);
        validation.resign(new FillFailure(403, "forbidden"));
        t.loop.run();
        assertThat(refused.last).isEqualTo(Signal.FAILED);
        refused.close();
        t.assertNothingLeaks();
    }

    @Test
    void whatIsValidatedElsewhereIsForThoseWhoMayGoToBoth() {
        store(get(insider), "inner", "10.0.0.1");
        t.step(61);
        assertThat(validate(get(insider), "10.0.0.2")).isEqualTo(Disposition.SERVED);
        assertThat(t.hit(get(insider))).isEqualTo("inner");
        missed(outsider);
        insider.forbidden.add(address("10.0.0.2"));
        missed(insider);
        t.assertNothingLeaks();
    }

    @Test
    void anAnswerIsNotValidatedAtEverMoreAddresses() {
        store(get(insider), "inner", "10.0.0.1");
        for (int i = 2; i <= FetchedFrom.MOST; i++) {
            t.step(61);
            assertThat(validate(get(insider), "10.0.0." + i)).isEqualTo(Disposition.SERVED);
        }
        long bytes = t.cache.store.budget().used();
        t.step(61);
        assertThat(validate(get(insider), "10.0.0.3")).isEqualTo(Disposition.SERVED);
        assertThat(t.cache.store.budget().used()).isEqualTo(bytes);
        t.step(61);
        assertThat(validate(get(insider), "10.0.1.1")).isEqualTo(Disposition.REPEAT);
        t.assertNothingLeaks();
    }

    @Test
    void aHeadTellsOfWhatItsClientMayHaveOnly() {
        store(get(insider), "inner", "10.0.0.1");
        answered(outsider, "10.0.0.2");
        assertThat(t.count(CacheStats.HEADS, "updated")).isZero();
        answered(insider, "10.0.0.2");
        assertThat(t.count(CacheStats.HEADS, "updated")).isOne();
        missed(outsider);
        insider.forbidden.add(address("10.0.0.2"));
        missed(insider);
        t.assertNothingLeaks();
    }

    private void answered(Permission by, String address) {
        t.cache.headAnswered(
                t.request(Method.HEAD, "/a").permit(by),
                200,
                TestCache.fields(FRESH, TAG, "Content-Length: 5"),
                t.clock.millis(),
                t.clock.millis(),
                FetchedFrom.of(address(address)));
    }

    /** Fails when what is remembered of each answer's address is not counted. */
    @Test
    void whatTheHeapHoldsForEachAddressWasReserved() {
        int n = 20_000;
        for (int i = 0; i < 2_000; i++) {
            storeAt("/warm" + i, "10.0.0.1");
        }
        long before = heap();
        long reservedBefore =
                t.cache.store.budget().used() - t.allocator.metric().usedDirectMemory();
        for (int i = 0; i < n; i++) {
            storeAt("/path/to/some/object" + (100_000 + i), "2001:470::%x:%x".formatted(i / 256, i % 256));
        }
        long grown = heap() - before;
        long reserved = t.cache.store.budget().used() - t.allocator.metric().usedDirectMemory() - reservedBefore;
        assertThat(reserved).isGreaterThanOrEqualTo(grown);
        assertThat(reserved).isLessThan(grown * 3 / 2);
        assertThat(t.cache.inspection().facts().entries()).isEqualTo(n + 2_000);
        t.assertNothingLeaks();
    }

    private void storeAt(String path, String address) {
        store(t.get(path).permit(insider), "body", address);
    }

    /** Until nothing more goes: what the classes before left behind is freed by their cleaners, one after another. */
    private static long heap() {
        long least = Long.MAX_VALUE;
        int still = 0;
        for (int i = 0; i < 30 && still < 3; i++) {
            System.gc();
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            still = used < least - 4096 ? 0 : still + 1;
            least = Math.min(least, used);
        }
        return least;
    }
}
