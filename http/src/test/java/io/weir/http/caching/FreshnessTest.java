package io.weir.http.caching;

import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.http.Fields;
import io.weir.http.caching.Freshness.Heuristic;
import io.weir.http.caching.Freshness.Source;
import io.weir.http.semantics.HttpDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 4.2.1 to 4.2.3, 5.1, 5.3. */
class FreshnessTest {

    private static final long NOW = 1_800_000_000L;
    private static final long MILLIS = NOW * 1000;

    private static String at(long offset) {
        return HttpDate.format(NOW + offset);
    }

    private static Freshness of(int status, Heuristic heuristic, String... lines) {
        Fields response = fields(lines);
        return Freshness.of(status, CacheControl.ofResponse(response), response, MILLIS, MILLIS, heuristic);
    }

    private static Freshness of(String... lines) {
        return of(200, Heuristic.DEFAULT, lines);
    }

    private static Freshness timed(long requestMillis, long responseMillis, String... lines) {
        Fields response = fields(lines);
        return Freshness.of(
                200, CacheControl.ofResponse(response), response, requestMillis, responseMillis, Heuristic.DEFAULT);
    }

    @Test
    void sMaxageWinsOverMaxAgeOverExpiresOverLastModified() {
        String expires = "Expires: " + at(300);
        String modified = "Last-Modified: " + at(-10_000);
        String date = "Date: " + at(0);
        Freshness all = of("Cache-Control: max-age=20, s-maxage=10", expires, modified, date);
        assertThat(all.source()).isEqualTo(Source.S_MAXAGE);
        assertThat(all.lifetime()).isEqualTo(10);
        Freshness maxAge = of("Cache-Control: max-age=20", expires, modified, date);
        assertThat(maxAge.source()).isEqualTo(Source.MAX_AGE);
        assertThat(maxAge.lifetime()).isEqualTo(20);
        Freshness explicit = of("Cache-Control: x", expires, modified, date);
        assertThat(explicit.source()).isEqualTo(Source.EXPIRES);
        assertThat(explicit.lifetime()).isEqualTo(300);
        Freshness guessed = of(modified, date);
        assertThat(guessed.source()).isEqualTo(Source.HEURISTIC);
        assertThat(guessed.lifetime()).isEqualTo(1000);
        assertThat(of(date).lifetime()).isZero();
    }

    @Test
    void aWrongMaxAgeIsStaleEvenWithAGoodExpires() {
        assertThat(of("Cache-Control: max-age=x", "Expires: " + at(300)).lifetime())
                .isZero();
        assertThat(of("Cache-Control: max-age=0", "Expires: " + at(300)).lifetime())
                .isZero();
        assertThat(of("Cache-Control: max-age=5, s-maxage=x").lifetime()).isZero();
        assertThat(of("Cache-Control: max-age=3600", "Expires: 0").lifetime()).isEqualTo(3600);
    }

    @Test
    void expiresCountsFromDateAndNotFromOurClock() {
        assertThat(of("Date: " + at(-100), "Expires: " + at(200)).lifetime()).isEqualTo(300);
        assertThat(of("Date: " + at(400), "Expires: " + at(300)).lifetime()).isZero();
        assertThat(of("Date: " + at(0), "Expires: " + at(0)).isFresh(MILLIS)).isFalse();
        assertThat(of("Date: foo", "Expires: " + at(10)).lifetime()).isEqualTo(10);
        assertThat(of("Expires: " + at(10)).lifetime()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "", "now", "Thu, 18 Aug 50 02:01:18 GMT", "Thu, 18 Aug 2150 02:01:18 UTC"})
    void anInvalidExpiresIsInThePast(String value) {
        Freshness freshness = of("Expires: " + value, "Last-Modified: " + at(-10_000));
        assertThat(freshness.source()).isEqualTo(Source.EXPIRES);
        assertThat(freshness.lifetime()).isZero();
    }

    @Test
    void twoLinesOfExpiresAreInvalid() {
        assertThat(of("Expires: " + at(300), "Expires: " + at(300)).lifetime()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501})
    void theseStatusesHaveAHeuristicLifetime(int status) {
        assertThat(of(status, Heuristic.DEFAULT, "Last-Modified: " + at(-1000)).lifetime())
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 202, 206, 302, 303, 307, 400, 401, 403, 500, 502, 503, 504, 599, 299, 499})
    void theseHaveNoneUnlessPublic(int status) {
        assertThat(of(status, Heuristic.DEFAULT, "Last-Modified: " + at(-1000)).lifetime())
                .isZero();
        assertThat(of(status, Heuristic.DEFAULT, "Last-Modified: " + at(-1000), "Cache-Control: public")
                        .lifetime())
                .isEqualTo(100);
    }

    @Test
    void theHeuristicIsAShareOfTheAgeUpToItsCap() {
        assertThat(of(200, new Heuristic(0.5, 1_000_000), "Last-Modified: " + at(-1000))
                        .lifetime())
                .isEqualTo(500);
        assertThat(of(200, new Heuristic(0.1, 60), "Last-Modified: " + at(-864_000))
                        .lifetime())
                .isEqualTo(60);
        assertThat(of("Last-Modified: " + at(-864_000)).lifetime()).isEqualTo(86_400);
        assertThat(of("Last-Modified: " + at(-86_400_000)).lifetime()).isEqualTo(86_400);
        assertThat(of(200, new Heuristic(0, 60), "Last-Modified: " + at(-1000)).lifetime())
                .isZero();
        assertThat(of(200, new Heuristic(0.1, 0), "Last-Modified: " + at(-1000)).lifetime())
                .isZero();
        assertThat(of("Date: " + at(-500), "Last-Modified: " + at(-1500)).lifetime())
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"future", "same", "broken"})
    void aLastModifiedThatSaysNothingGivesNoLifetime(String kind) {
        String value = kind.equals("future") ? at(60) : kind.equals("same") ? at(0) : "yesterday";
        assertThat(of("Date: " + at(0), "Last-Modified: " + value).lifetime()).isZero();
    }

    @Test
    void whoSendsPragmaGetsNoGuess() {
        assertThat(of("Pragma: no-cache", "Last-Modified: " + at(-1000)).lifetime())
                .isZero();
        assertThat(of("Pragma: no-cache", "Cache-Control: max-age=60").lifetime())
                .isEqualTo(60);
        assertThat(of("Pragma: extension", "Last-Modified: " + at(-1000)).lifetime())
                .isEqualTo(100);
    }

    @Test
    void aHeuristicIsNeverNegative() {
        assertThatThrownBy(() -> new Heuristic(-0.1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Heuristic(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Heuristic(0.1, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lifetimesSaturate() {
        assertThat(of("Cache-Control: max-age=99999999999").lifetime()).isEqualTo(1L << 31);
        assertThat(of("Expires: Fri, 31 Dec 9999 23:59:59 GMT").lifetime()).isEqualTo(1L << 31);
        assertThat(of("Cache-Control: max-age=99999999999").isFresh(MILLIS + 60_000_000_000L))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "15, 15",
        "'7200, 0', 7200",
        "'0, 7200', 0",
        "'0,7200', 0",
        "7200.0, 0",
        "-7200, 0",
        "abc, 0",
        "'', 0",
        "'abc, 5', 0",
        "99999999999, 2147483648",
    })
    void ageIsTheFirstNumberAndElseNothing(String value, long seconds) {
        assertThat(Freshness.ageValue(value)).isEqualTo(seconds);
        assertThat(Freshness.ageValue(null)).isZero();
    }

    @Test
    void ageStartsWithTheLargerOfApparentAndCorrectedAge() {
        assertThat(of("Age: 30", "Date: " + at(-10)).initialAge()).isEqualTo(30);
        assertThat(of("Age: 5", "Date: " + at(-10)).initialAge()).isEqualTo(10);
        assertThat(of("Date: " + at(10)).initialAge()).isZero();
        assertThat(of("Age: 30", "Date: " + at(10)).initialAge()).isEqualTo(30);
        assertThat(of("Age: 30").initialAge()).isEqualTo(30);
        assertThat(timed(MILLIS - 4000, MILLIS, "Age: 30").initialAge()).isEqualTo(34);
        assertThat(timed(MILLIS - 999, MILLIS).initialAge()).isZero();
        assertThat(timed(MILLIS + 5000, MILLIS).initialAge()).isZero();
    }

    @Test
    void twoLinesOfAgeCountAsTheFirst() {
        assertThat(of("Age: 7200", "Age: 0").initialAge()).isEqualTo(7200);
        assertThat(of("Age: 0", "Age: 7200").initialAge()).isZero();
    }

    @Test
    void ageGrowsWithTheTimeSpentHere() {
        Freshness freshness = of("Age: 30", "Cache-Control: max-age=600");
        assertThat(freshness.age(MILLIS)).isEqualTo(30);
        assertThat(freshness.age(MILLIS + 999)).isEqualTo(30);
        assertThat(freshness.age(MILLIS + 2000)).isEqualTo(32);
        assertThat(freshness.age(MILLIS - 5000)).isEqualTo(30);
        assertThat(freshness.age(Long.MAX_VALUE / 2)).isEqualTo(1L << 31);
        assertThat(freshness.ttl(MILLIS + 10_000)).isEqualTo(560);
        assertThat(freshness.ttl(MILLIS + 600_000)).isEqualTo(-30);
    }

    @Test
    void freshnessEndsToTheMillisecond() {
        Freshness freshness = of("Cache-Control: max-age=10");
        assertThat(freshness.staleAtMillis()).isEqualTo(MILLIS + 10_000);
        assertThat(freshness.isFresh(MILLIS + 9_999)).isTrue();
        assertThat(freshness.isFresh(MILLIS + 10_000)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 'max-age=10', 15",
        "-10, 'x', 25",
        "10, 'x', 15",
    })
    void ageAboveTheLifetimeIsStaleWhateverTheClocks(long date, String control, String age) {
        Freshness freshness =
                of("Date: " + at(date), "Cache-Control: " + control, "Expires: " + at(date + 10), "Age: " + age);
        assertThat(freshness.isFresh(MILLIS)).isFalse();
    }

    @Test
    void fractionsOfASecondNeverMakeAFreshResponseOlderThanItIs() {
        Freshness freshness = timed(MILLIS + 100, MILLIS + 950, "Date: " + at(0), "Cache-Control: max-age=1");
        assertThat(freshness.isFresh(MILLIS + 1949)).isTrue();
        assertThat(freshness.isFresh(MILLIS + 1950)).isFalse();
    }

    @Test
    void freshMeansLifetimeAboveAgeForAnyNumbers() {
        var random = Chance.seeded(42).random();
        for (int i = 0; i < 20_000; i++) {
            long maxAge = random.nextLong(0, 100);
            Freshness freshness = timed(
                    MILLIS - random.nextLong(0, 9000),
                    MILLIS,
                    "Cache-Control: max-age=" + maxAge,
                    "Age: " + random.nextLong(0, 50),
                    "Date: " + at(random.nextLong(-50, 50)));
            long now = MILLIS + random.nextLong(0, 120_000);
            assertThat(freshness.isFresh(now)).isEqualTo(maxAge > freshness.age(now));
        }
    }
}
