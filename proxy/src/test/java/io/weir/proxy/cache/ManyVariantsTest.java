package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.store.CacheEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An entry with many variants finds each by its key, without a walk over the others. */
class ManyVariantsTest {
    private static final String FRESH = "Cache-Control: max-age=60";
    private static final String LANGUAGES = "Vary: Accept-Language";
    private static final UriTarget TARGET = Objects.requireNonNull(UriTarget.parse("http://origin.test/a"));

    private final TestCache t = new TestCache("max-variants=1024");

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private CacheRequest ask(int language) {
        return t.get("/a", "Accept-Language: l" + language);
    }

    private void store(int language, String body) {
        t.store(ask(language), body, FRESH, LANGUAGES);
    }

    private CacheEntry entry() {
        return Objects.requireNonNull(t.cache.store.table().find(ask(0).key()));
    }

    private boolean stored(int language) {
        CacheRequest request = ask(language);
        return request.select(t.cache.store.table().find(request.key())) != null;
    }

    @Test
    void eachOfManyIsFound() {
        for (int i = 0; i < 700; i++) {
            store(i, "body " + i);
        }
        assertThat(entry().index()).isNotNull();
        for (int i = 0; i < 700; i++) {
            assertThat(t.hit(ask(i))).isEqualTo("body " + i);
        }
        assertThat(stored(700)).isFalse();
    }

    @Test
    void aFewAreFoundWithoutAnIndex() {
        for (int i = 0; i < 16; i++) {
            store(i, "body " + i);
        }
        assertThat(entry().index()).isNull();
        assertThat(t.hit(ask(0))).isEqualTo("body 0");
        store(16, "one more");
        assertThat(entry().index()).isNotNull();
        assertThat(t.hit(ask(0))).isEqualTo("body 0");
        assertThat(t.hit(ask(16))).isEqualTo("one more");
    }

    @Test
    void thoseThatOtherFieldsSelectAreFoundToo() {
        for (int i = 0; i < 40; i++) {
            store(i, "body " + i);
        }
        t.store(t.get("/a", "Accept-Language: x", "X: 1"), "by X", FRESH, "Vary: X");
        assertThat(entry().index()).isNull();
        assertThat(t.hit(t.get("/a", "X: 1", "Accept-Language: y"))).isEqualTo("by X");
        assertThat(t.hit(ask(39))).isEqualTo("body 39");
    }

    @Test
    void aPurgeTakesAllOut() {
        for (int i = 0; i < 100; i++) {
            store(i, "body " + i);
        }
        t.cache.invalidate(TARGET);
        assertThat(t.count(CacheStats.ENTRIES)).isZero();
        assertThat(stored(5)).isFalse();
        store(5, "again");
        assertThat(t.hit(ask(5))).isEqualTo("again");
    }

    @Test
    void whatIsReplacedAndWhatGivesWayIsNotFound() {
        t.config.set(TestCache.config("max-variants=60"));
        RandomGenerator random = Chance.seeded(1).random();
        Map<Integer, String> newest = new HashMap<>();
        for (int i = 0; i < 2000; i++) {
            int language = random.nextInt(90);
            if (stored(language)) {
                assertThat(t.hit(ask(language))).isEqualTo(newest.get(language));
            }
            if (!stored(language) || random.nextInt(4) == 0) {
                newest.put(language, "body " + i);
                t.store(
                        t.get("/a", "Accept-Language: l" + language, "Cache-Control: no-cache"),
                        "body " + i,
                        FRESH,
                        LANGUAGES);
                assertThat(t.hit(ask(language))).isEqualTo("body " + i);
            }
        }
        assertThat(entry().index()).isNotNull();
        assertThat(t.count(CacheStats.ENTRIES)).isEqualTo(60);
        assertThat(t.count(CacheStats.EVICTIONS, "variants")).isPositive();
    }
}
