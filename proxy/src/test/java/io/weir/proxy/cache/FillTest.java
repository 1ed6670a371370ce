package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Disposition;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillFailure;
import io.weir.proxy.cache.fill.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Collapsed forwarding: one fetch for all who ask, and how it ends for them. */
class FillTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private TestClient join(String path, String... fields) {
        CacheRequest request = t.get(path, fields);
        return t.client(t.joined(request), request);
    }

    private List<TestClient> waiters(int n) {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            clients.add(join("/a"));
        }
        return clients;
    }

    @Test
    void manyRequestsAreOneFetchAndStreamFromIt() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        List<TestClient> others = waiters(5);
        assertThat(t.respond(fill, 200, 10, FRESH)).isEqualTo(Disposition.STORE);
        assertThat(fill.append(TestCache.bytes("01234"))).isTrue();
        t.loop.run();
        others.add(join("/a"));
        for (TestClient client : others) {
            assertThat(client.body()).isEqualTo("01234");
            assertThat(client.last).isEqualTo(Signal.WAIT);
        }
        fill.append(TestCache.bytes("56789"));
        fill.complete(null);
        t.loop.run();
        others.add(own);
        for (TestClient client : others) {
            assertThat(client.body()).isEqualTo("0123456789");
            assertThat(client.last).isEqualTo(Signal.END);
            client.close();
        }
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(1);
        assertThat(t.count(CacheStats.COLLAPSED)).isEqualTo(6);
        assertThat(fill.storing()).isTrue();
    }

    @Test
    void aReaderIsWokenOnceForAllThatCameMeanwhile() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 3, FRESH);
        for (String piece : new String[] {"a", "b", "c"}) {
            fill.append(TestCache.bytes(piece));
        }
        assertThat(t.loop.size()).isEqualTo(1);
        t.loop.run();
        assertThat(own.wakes).isEqualTo(1);
        assertThat(own.body()).isEqualTo("abc");
        fill.complete(null);
        t.loop.run();
        own.close();
    }

    @Test
    void aSlowReaderDoesNotSlowTheOthers() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient slow = join("/a");
        slow.budget = 0;
        t.respond(fill, 200, 1000, FRESH);
        for (int i = 0; i < 10; i++) {
            assertThat(fill.append(TestCache.bytes("x".repeat(100)))).isTrue();
        }
        fill.complete(null);
        t.loop.run();
        assertThat(own.last).isEqualTo(Signal.END);
        slow.budget = Integer.MAX_VALUE;
        slow.pump();
        assertThat(slow.body()).isEqualTo("x".repeat(1000));
        own.close();
        slow.close();
    }

    @Test
    void theLeadersClientGoesAndTheOthersGetAll() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a");
        own.close();
        t.respond(fill, 200, 5, FRESH);
        fill.append(TestCache.bytes("hello"));
        fill.complete(null);
        t.loop.run();
        assertThat(other.body()).isEqualTo("hello");
        assertThat(t.source.abandoned).isFalse();
        other.close();
        assertThat(t.hit(t.get("/a"))).isEqualTo("hello");
    }

    @Test
    void aFetchIsGivenUpWhenNobodyWaits() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a");
        other.close();
        t.loop.run();
        assertThat(t.source.abandoned).isFalse();
        own.close();
        t.loop.run();
        assertThat(t.source.abandoned).isTrue();
        assertThat(t.count(CacheStats.FILLS_ABANDONED)).isEqualTo(1);
        assertThat(t.respond(fill, 200, 5, FRESH)).isEqualTo(Disposition.PASS);
        assertThat(fill.append(TestCache.bytes("late"))).isTrue();
        fill.complete(null);
    }

    @Test
    void aFetchThatIsMostlyInIsFinishedThoughNobodyWaits() {
        t.config.set(TestCache.config("term-percent=50"));
        for (int[] c : new int[][] {{50, 0}, {51, 1}}) {
            CacheRequest request = t.get("/" + c[0]);
            TestSource source = new TestSource(t.loop);
            Fill fill = t.lead(request);
            fill.lead(source);
            TestClient own = t.client(fill, request);
            t.respond(fill, 200, 100, FRESH);
            fill.append(TestCache.bytes("x".repeat(c[0])));
            own.close();
            t.loop.run();
            assertThat(source.abandoned).isEqualTo(c[1] == 0);
            fill.append(TestCache.bytes("x".repeat(100 - c[0])));
            fill.complete(null);
        }
        assertThat(t.hit(t.get("/51"))).hasSize(100);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
    }

    @Test
    void theLeaderLearnsThatItsFetchGoesOnUnread() {
        t.config.set(TestCache.config("term-percent=50"));
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a");
        t.respond(fill, 200, 100, FRESH);
        fill.append(TestCache.bytes("x".repeat(60)));
        own.close();
        t.loop.run();
        assertThat(t.source.unread).isZero();
        other.close();
        join("/a").close();
        t.loop.run();
        assertThat(t.source.unread).isEqualTo(2);
        assertThat(t.source.abandoned).isFalse();
        fill.abort(new FillFailure(504, "nobody waited"));
    }

    @Test
    void aClientThatWantsTheHeadAloneDoesNotEndTheFetch() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, 100, FRESH);
        own.at().satisfied();
        own.close();
        t.loop.run();
        assertThat(t.source.abandoned).isFalse();
        assertThat(t.source.unread).isEqualTo(1);
        fill.append(TestCache.bytes("x".repeat(100)));
        fill.complete(null);
        assertThat(t.hit(t.get("/a"))).hasSize(100);
    }

    @Test
    void anUncacheableAnswerReleasesTheWaitersToFetchSideBySide() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        List<TestClient> others = waiters(3);
        assertThat(t.respond(fill, 200, 5, "Cache-Control: private")).isEqualTo(Disposition.PASS);
        assertThat(fill.passReason()).isEqualTo("private");
        t.loop.run();
        for (TestClient client : others) {
            assertThat(client.last).isEqualTo(Signal.RELEASED);
            CacheRequest again = (CacheRequest) client.at().request;
            client.close();
            Decision.Relay relay = t.relayed(again);
            assertThat(t.cache.relayed(relay, t.answer(200, 5, "Cache-Control: private")))
                    .isEqualTo(new Relayed(null, "private"));
        }
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(1);
        assertThat(t.count(CacheStats.UNCOLLAPSED, "hit-for-miss")).isEqualTo(3);
        assertThat(t.count(CacheStats.RELEASED)).isEqualTo(3);
        assertThat(t.count(CacheStats.REFUSALS, "private")).isEqualTo(4);
        own.close();
    }

    @Test
    void anUncacheableKeyIsCollapsedAgainAfterAWhileOrOnceItIsCacheable() {
        t.store(t.get("/a"), "hello", "Cache-Control: no-store");
        CacheRequest second = t.get("/a");
        Decision.Relay relay = t.relayed(second);
        t.relayed(t.get("/a"));
        Fill fill = Objects.requireNonNull(
                t.cache.relayed(relay, t.answer(200, 2, FRESH)).fill());
        fill.lead(t.source);
        TestClient own = t.client(fill, second);
        TestClient other = join("/a");
        assertThat(t.respond(fill, 200, 2, FRESH)).isEqualTo(Disposition.STORE);
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        t.loop.run();
        assertThat(other.body()).isEqualTo("ok");
        own.close();
        other.close();
        assertThat(t.hit(t.get("/a"))).isEqualTo("ok");
        t.store(t.get("/b"), "x", "Cache-Control: no-store");
        t.step(61);
        CacheRequest late = t.get("/b");
        TestClient leader = t.client(t.lead(late), late);
        join("/b").close();
        leader.close();
    }

    @Test
    void aWaiterForAnotherVariantIsReleased() {
        CacheRequest request = t.get("/a", "Accept-Encoding: gzip");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient same = join("/a", "Accept-Encoding: gzip");
        TestClient other = join("/a", "Accept-Encoding: br");
        t.respond(fill, 200, 5, FRESH, "Vary: Accept-Encoding");
        t.loop.run();
        assertThat(same.headSeen).isTrue();
        assertThat(other.last).isEqualTo(Signal.RELEASED);
        CacheRequest again = (CacheRequest) other.at().request;
        other.close();
        Fill second = t.lead(again);
        second.abort(new FillFailure(502, "end"));
        fill.append(TestCache.bytes("hello"));
        fill.complete(null);
        t.loop.run();
        assertThat(same.body()).isEqualTo("hello");
        same.close();
        own.close();
    }

    @Test
    void aRequestThatIsReleasedAgainAndAgainFetchesAlone() {
        CacheRequest request = t.get("/a", "X-N: 0");
        Fill busy = t.lead(request);
        TestClient own = t.client(busy, request);
        CacheRequest victim = t.get("/a", "X-N: 1");
        for (int i = 0; i < 3; i++) {
            assertThat(t.cache.decide(victim)).isInstanceOf(Decision.Join.class);
        }
        Fill alone = t.lead(victim);
        assertThat(t.count(CacheStats.UNCOLLAPSED, "released")).isEqualTo(1);
        alone.abort(new FillFailure(502, "end"));
        own.close();
    }

    @Test
    void aBodyOfAnotherLengthThanPromisedIsNeverStored() {
        for (String body : new String[] {"hell", "hello!"}) {
            CacheRequest request = t.get("/a");
            Fill fill = t.lead(request);
            TestClient own = t.client(fill, request);
            t.respond(fill, 200, 5, FRESH);
            fill.append(TestCache.bytes(body));
            fill.complete(null);
            t.loop.run();
            assertThat(own.last).isEqualTo(Signal.FAILED);
            own.close();
        }
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(t.count(CacheStats.FILLS_TRUNCATED)).isEqualTo(2);
        assertThat(t.count(CacheStats.FILLS_FAILED)).isEqualTo(2);
    }

    @Test
    void afterTheHeadAFailureReachesAll() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a");
        t.respond(fill, 200, -1, FRESH);
        fill.append(TestCache.bytes("hell"));
        fill.abort(new FillFailure(502, "reset"));
        t.loop.run();
        for (TestClient client : List.of(own, other)) {
            assertThat(client.body()).isEqualTo("hell");
            assertThat(client.last).isEqualTo(Signal.FAILED);
            assertThat(client.at().failure().detail()).isEqualTo("reset");
            client.close();
        }
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
    }

    @Test
    void beforeTheHeadOneWaiterTakesOverOnce() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        List<TestClient> others = waiters(3);
        fill.abort(new FillFailure(504, "no answer"));
        t.loop.run();
        assertThat(own.last).isEqualTo(Signal.FAILED);
        assertThat(others).extracting(c -> c.last).containsExactly(Signal.LEAD, Signal.WAIT, Signal.WAIT);
        own.close();
        TestSource second = new TestSource(t.loop);
        fill.lead(second);
        fill.abort(new FillFailure(504, "no answer again"));
        t.loop.run();
        others.forEach(TestClient::pump);
        assertThat(others).extracting(c -> c.last).containsOnly(Signal.FAILED);
        others.forEach(TestClient::close);
        assertThat(t.count(CacheStats.ELECTIONS)).isEqualTo(1);
        assertThat(t.count(CacheStats.FILLS_FAILED)).isEqualTo(1);
    }

    @Test
    void theOneWhoTookOverStoresForItsOwnRequest() {
        CacheRequest request = t.get("/a", "Accept-Encoding: gzip");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a", "Accept-Encoding: br");
        fill.abort(new FillFailure(502, "refused"));
        t.loop.run();
        own.close();
        fill.lead(t.source);
        t.respond(fill, 200, 2, FRESH, "Vary: Accept-Encoding");
        fill.append(TestCache.bytes("br"));
        fill.complete(null);
        other.pump();
        assertThat(other.body()).isEqualTo("br");
        other.close();
        assertThat(t.hit(t.get("/a", "Accept-Encoding: br"))).isEqualTo("br");
    }

    @Test
    void leadersThatGoBeforeTheyAskedPassTheFetchOn() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        List<TestClient> others = waiters(3);
        own.close();
        fill.resign();
        for (TestClient next : others.subList(0, 2)) {
            t.loop.run();
            assertThat(next.last).isEqualTo(Signal.LEAD);
            fill.lead(t.source);
            next.close();
            fill.resign();
        }
        t.loop.run();
        TestClient last = others.get(2);
        assertThat(last.last).isEqualTo(Signal.LEAD);
        fill.lead(t.source);
        t.respond(fill, 200, 2, FRESH);
        fill.append(TestCache.bytes("ok"));
        fill.complete(null);
        assertThat(last.pump().body()).isEqualTo("ok");
        last.close();
        assertThat(t.count(CacheStats.ELECTIONS)).isEqualTo(3);
        assertThat(t.count(CacheStats.FILLS)).isEqualTo(1);
    }

    @Test
    void aLeaderThatGoesAloneEndsTheFetch() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        fill.resign();
        t.loop.run();
        assertThat(own.last).isEqualTo(Signal.FAILED);
        own.close();
        assertThat(t.count(CacheStats.FILLS_ACTIVE)).isZero();
    }

    @Test
    void anElectedWaiterThatGoesPassesTheFetchOn() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        List<TestClient> others = waiters(2);
        fill.abort(new FillFailure(502, "refused"));
        others.get(0).close();
        t.loop.run();
        assertThat(others.get(1).last).isEqualTo(Signal.LEAD);
        own.close();
        others.get(1).close();
        assertThat(t.count(CacheStats.ELECTIONS)).isEqualTo(2);
        assertThat(t.count(CacheStats.FILLS_ABANDONED)).isEqualTo(1);
    }

    @Test
    void aKnownLengthAboveTheLargestObjectPassesAtOnce() {
        t.config.set(TestCache.config("max-object-size=100"));
        for (int length : new int[] {100, 101}) {
            CacheRequest request = t.get("/" + length);
            Fill fill = t.lead(request);
            TestClient own = t.client(fill, request);
            assertThat(t.respond(fill, 200, length, FRESH))
                    .isEqualTo(length == 100 ? Disposition.STORE : Disposition.PASS);
            own.close();
        }
        assertThat(t.count(CacheStats.REFUSALS, "too-large")).isEqualTo(1);
    }

    @Test
    void anObjectBelowTheSmallestIsNotStored() {
        t.config.set(TestCache.config("min-object-size=3"));
        t.store(t.get("/2"), "12", FRESH);
        t.store(t.get("/3"), "123", FRESH);
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(1);
        assertThat(t.count(CacheStats.REFUSALS, "too-small")).isEqualTo(1);
    }

    @Test
    void moreThanTheBoundOfWaitersFetchBeside() {
        t.config.set(TestCache.config("max-waiters=1"));
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        TestClient other = join("/a");
        CacheRequest third = t.get("/a");
        TestClient beside = t.client(t.lead(third), third);
        assertThat(t.count(CacheStats.UNCOLLAPSED, "waiters")).isEqualTo(1);
        own.close();
        other.close();
        beside.close();
    }

    @Test
    void trailersReachThoseWhoReadTheFill() {
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient own = t.client(fill, request);
        t.respond(fill, 200, -1, FRESH);
        fill.complete(TestCache.fields("Server-Timing: a"));
        t.loop.run();
        assertThat(own.last).isEqualTo(Signal.END);
        assertThat(Objects.requireNonNull(own.at().trailers()).combined("server-timing"))
                .isEqualTo("a");
        own.close();
    }
}
