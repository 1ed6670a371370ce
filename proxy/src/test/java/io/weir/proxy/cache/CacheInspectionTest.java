package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.http.semantics.UriTarget;
import io.weir.proxy.cache.fill.Fill;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators see of what is stored. */
class CacheInspectionTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private final TestCache t = new TestCache();

    @AfterEach
    void nothingLeaks() {
        t.assertNothingLeaks();
    }

    private CacheInspection.Shown show(String path, String... fields) {
        UriTarget target = Objects.requireNonNull(UriTarget.parse("http://origin.test" + path));
        return t.cache.inspection().show(target, TestCache.fields(fields));
    }

    @Test
    void aStoredAnswerIsShownWithItsTimesAndValidators() {
        t.store(t.get("/a"), "hello", FRESH, "Age: 5", "ETag: \"1\"", t.date("Last-Modified", -100));
        t.hit(t.get("/a"));
        t.step(10);
        assertThat(show("/a").copies()).singleElement().satisfies(c -> {
            assertThat(c.status()).isEqualTo(200);
            assertThat(c.bytes()).isEqualTo(5);
            assertThat(c.storedMillis()).isEqualTo(TestCache.START);
            assertThat(c.staleMillis()).isEqualTo(TestCache.START + 55_000);
            assertThat(c.fresh()).isTrue();
            assertThat(c.ageSeconds()).isEqualTo(15);
            assertThat(c.etag()).isEqualTo("\"1\"");
            assertThat(c.lastModified()).isNotNull();
            assertThat(c.vary()).isEmpty();
            assertThat(c.disk()).isNull();
            StoredCopy.InMemory memory = Objects.requireNonNull(c.memory());
            assertThat(memory.hits()).isOne();
            assertThat(memory.references()).isOne();
            assertThat(memory.bytes()).isGreaterThan(500);
        });
        t.step(60);
        assertThat(show("/a").copies().getFirst().fresh()).isFalse();
    }

    private static CacheInspection.Shown shown(boolean fetching) {
        return new CacheInspection.Shown(8 << 20, fetching, List.of(), List.of());
    }

    @Test
    void whatIsNotStoredIsNotShownButItsFetchIs() {
        assertThat(show("/a")).isEqualTo(shown(false));
        CacheRequest request = t.get("/a");
        Fill fill = t.lead(request);
        TestClient client = t.client(fill, request);
        assertThat(show("/a")).isEqualTo(shown(true));
        client.close();
    }

    @Test
    void allVariantsAreShownAndTheSelectedOneIsMarked() {
        t.store(t.get("/a", "Accept: x"), "one", FRESH, "Vary: Accept");
        t.store(t.get("/a", "Accept: y"), "second", FRESH, "Vary: Accept");
        assertThat(show("/a", "Accept: y").copies())
                .extracting(StoredCopy::bytes, StoredCopy::selected)
                .containsExactly(tuple(6L, true), tuple(3L, false));
        assertThat(show("/a").copies()).noneMatch(StoredCopy::selected);
    }

    @Test
    void theTopIsSortedAndBounded() {
        for (int i = 0; i < 30; i++) {
            t.store(t.get("/" + i), "x".repeat(200 * (30 - i)), FRESH);
            for (int hit = 0; hit < i; hit++) {
                t.hit(t.get("/" + i));
            }
        }
        CacheInspection.Top byHits = t.cache.inspection().top(3, false);
        assertThat(byHits.examined()).isEqualTo(30);
        assertThat(byHits.objects())
                .extracting(StoredCopy::uri)
                .containsExactly("http://origin.test:80/29", "http://origin.test:80/28", "http://origin.test:80/27");
        assertThat(t.cache.inspection().top(2, true).objects())
                .extracting(StoredCopy::uri)
                .containsExactly("http://origin.test:80/0", "http://origin.test:80/1");
        assertThat(t.cache.inspection().top(1000, true).objects()).hasSize(30);
    }
}
