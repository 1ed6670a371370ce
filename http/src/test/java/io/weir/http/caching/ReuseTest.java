package io.weir.http.caching;

import static io.weir.http.caching.Reuse.FRESH;
import static io.weir.http.caching.Reuse.STALE_ALLOWED;
import static io.weir.http.caching.Reuse.STALE_WHILE_REVALIDATE;
import static io.weir.http.caching.Reuse.VALIDATE_NO_CACHE;
import static io.weir.http.caching.Reuse.VALIDATE_REQUESTED;
import static io.weir.http.caching.Reuse.VALIDATE_STALE;
import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fields;
import io.weir.http.caching.Freshness.Heuristic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 4.2.4, 5.2.1, 5.2.2; RFC 5861. */
class ReuseTest {

    private static final long NOW = 1_800_000_000_000L;

    private static Freshness stored(String control, String... lines) {
        Fields response = fields(lines);
        response.add("Cache-Control", control);
        return Freshness.of(200, CacheControl.ofResponse(response), response, NOW, NOW, Heuristic.DEFAULT);
    }

    private static Reuse reuse(String control, long seconds, String request) {
        return stored(control).reuse(NOW + seconds * 1000, CacheControl.parse(request));
    }

    /** Stored control, seconds since, request's control, decision. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60                  | 59  | ''                       | FRESH",
                "max-age=60                  | 60  | ''                       | VALIDATE_STALE",
                "max-age=60, must-revalidate | 59  | ''                       | FRESH",
                "max-age=60                  | 10  | max-age=10               | FRESH",
                "max-age=60                  | 10  | max-age=9                | VALIDATE_REQUESTED",
                "max-age=60                  | 0   | max-age=0                | VALIDATE_REQUESTED",
                "max-age=60                  | 0   | max-age=x                | VALIDATE_REQUESTED",
                "max-age=60                  | 10  | no-cache                 | VALIDATE_REQUESTED",
                "max-age=60                  | 10  | no-cache, max-stale      | VALIDATE_REQUESTED",
                "max-age=60                  | 10  | min-fresh=50             | FRESH",
                "max-age=60                  | 10  | min-fresh=51             | VALIDATE_REQUESTED",
                "max-age=60                  | 10  | min-fresh=0              | FRESH",
                "max-age=60                  | 10  | min-fresh=x              | VALIDATE_REQUESTED",
                "max-age=60                  | 61  | min-fresh=1, max-stale   | VALIDATE_STALE",
                "max-age=60                  | 61  | no-cache                 | VALIDATE_STALE",
                "max-age=60                  | 70  | max-stale=10             | STALE_ALLOWED",
                "max-age=60                  | 71  | max-stale=10             | VALIDATE_STALE",
                "max-age=60                  | 9999| max-stale                | STALE_ALLOWED",
                "max-age=60                  | 70  | max-stale=x              | VALIDATE_STALE",
                "max-age=60                  | 70  | max-stale=10, max-age=70 | STALE_ALLOWED",
                "max-age=60                  | 70  | max-stale=10, max-age=69 | VALIDATE_STALE",
                "max-age=60                  | 70  | max-age=100              | VALIDATE_STALE",
                "max-age=60, must-revalidate | 61  | max-stale                | VALIDATE_STALE",
                "max-age=60, proxy-revalidate| 61  | max-stale                | VALIDATE_STALE",
                "s-maxage=60                 | 61  | max-stale                | VALIDATE_STALE",
                "no-cache, max-age=60        | 1   | ''                       | VALIDATE_NO_CACHE",
                "no-cache, max-age=60        | 1   | max-stale                | VALIDATE_NO_CACHE",
                "no-cache=\"a\", max-age=60  | 1   | ''                       | FRESH",
                "max-age=60, stale-while-revalidate=30 | 60 | ''              | STALE_WHILE_REVALIDATE",
                "max-age=60, stale-while-revalidate=30 | 89 | ''              | STALE_WHILE_REVALIDATE",
                "max-age=60, stale-while-revalidate=30 | 90 | ''              | VALIDATE_STALE",
                "max-age=60, stale-while-revalidate=30 | 70 | max-age=100     | VALIDATE_STALE",
                "max-age=60, stale-while-revalidate=30 | 70 | no-cache        | VALIDATE_STALE",
                "max-age=60, stale-while-revalidate=30 | 70 | min-fresh=1     | VALIDATE_STALE",
                "s-maxage=60, stale-while-revalidate=30 | 70 | ''             | STALE_WHILE_REVALIDATE",
                "s-maxage=60, stale-while-revalidate=30 | 70 | max-stale     | STALE_WHILE_REVALIDATE",
                "s-maxage=60, stale-while-revalidate=30 | 91 | max-stale     | VALIDATE_STALE",
                "s-maxage=60, stale-if-error=30         | 61 | max-stale     | VALIDATE_STALE",
                "max-age=60, must-revalidate, stale-while-revalidate=30 | 70 | '' | VALIDATE_STALE",
                "max-age=60, proxy-revalidate, stale-while-revalidate=30 | 70 | '' | VALIDATE_STALE",
                "max-age=0, stale-while-revalidate=30  | 1 | ''               | STALE_WHILE_REVALIDATE",
                "immutable, max-age=60       | 61  | ''                       | VALIDATE_STALE",
                "max-age=60                  | 10  | foo=bar                  | FRESH",
                "max-age=60                  | 10  | only-if-cached           | FRESH",
            })
    void decides(String control, long seconds, String request, Reuse expected) {
        assertThat(reuse(control, seconds, request)).isEqualTo(expected);
    }

    @Test
    void aRequestWithoutDirectivesTakesTheShortWay() {
        Freshness freshness = stored("max-age=60");
        assertThat(freshness.reuse(NOW, CacheControl.NONE)).isEqualTo(FRESH);
        assertThat(freshness.reuse(NOW + 60_000, CacheControl.NONE)).isEqualTo(VALIDATE_STALE);
        assertThat(stored("no-cache").reuse(NOW, CacheControl.NONE)).isEqualTo(VALIDATE_NO_CACHE);
        assertThat(stored("max-age=1, stale-while-revalidate=2").reuse(NOW + 1000, CacheControl.NONE))
                .isEqualTo(STALE_WHILE_REVALIDATE);
    }

    @Test
    void theReceivedAgeCountsForTheRequestsLimits() {
        Freshness aged = stored("max-age=3600", "Age: 1800");
        assertThat(aged.reuse(NOW, CacheControl.parse("max-age=600"))).isEqualTo(VALIDATE_REQUESTED);
        Freshness old = stored("max-age=1500", "Age: 2000");
        assertThat(old.reuse(NOW, CacheControl.parse("max-stale=1000"))).isEqualTo(STALE_ALLOWED);
        assertThat(old.reuse(NOW, CacheControl.parse("max-stale=499"))).isEqualTo(VALIDATE_STALE);
        Freshness young = stored("max-age=1500", "Age: 1000");
        assertThat(young.reuse(NOW, CacheControl.parse("min-fresh=1000"))).isEqualTo(VALIDATE_REQUESTED);
    }

    @Test
    void onlyTheUsableOnesAreServedAtOnce() {
        assertThat(Reuse.values())
                .filteredOn(Reuse::usable)
                .containsExactly(FRESH, STALE_ALLOWED, STALE_WHILE_REVALIDATE);
        assertThat(Reuse.values()).allSatisfy(r -> assertThat(r.usable()).isEqualTo(r.forward() == null));
        assertThat(VALIDATE_STALE.forward()).isEqualTo(Forward.STALE);
        assertThat(VALIDATE_REQUESTED.forward()).isEqualTo(Forward.REQUEST);
    }

    private static boolean covers(String control, long seconds, String request, long coverErrors) {
        return stored(control).coversError(NOW + seconds * 1000, CacheControl.parse(request), coverErrors);
    }

    @Test
    void staleIfErrorCoversErrorsForItsTime() {
        assertThat(covers("max-age=2, stale-if-error=60", 61, "", 0)).isTrue();
        assertThat(covers("max-age=2, stale-if-error=60", 62, "", 0)).isFalse();
        assertThat(covers("max-age=2", 3, "stale-if-error=60", 0)).isTrue();
        assertThat(covers("max-age=2", 3, "", 60)).isTrue();
        assertThat(covers("max-age=2", 3, "", 0)).isFalse();
        assertThat(covers("s-maxage=2, stale-if-error=60", 3, "", 0)).isTrue();
        assertThat(covers("s-maxage=2, stale-if-error=60", 63, "stale-if-error=600", 600))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"must-revalidate", "proxy-revalidate", "no-cache", "s-maxage=2"})
    void whatMustBeRevalidatedCoversNoError(String directive) {
        assertThat(covers("max-age=2, " + directive, 3, "stale-if-error=60", 60))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"must-revalidate", "proxy-revalidate", "no-cache"})
    void notEvenWithStaleIfError(String directive) {
        assertThat(covers("max-age=2, stale-if-error=60, " + directive, 3, "", 60))
                .isFalse();
    }

    @Test
    void aRequestWithNoCacheWantsTheErrorItself() {
        assertThat(covers("max-age=2, stale-if-error=60", 3, "no-cache", 60)).isFalse();
    }
}
