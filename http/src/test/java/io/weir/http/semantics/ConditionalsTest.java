package io.weir.http.semantics;

import static io.weir.http.semantics.Conditionals.Outcome.NOT_MODIFIED;
import static io.weir.http.semantics.Conditionals.Outcome.PRECONDITION_FAILED;
import static io.weir.http.semantics.Conditionals.Outcome.PROCEED;
import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.semantics.Conditionals.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 13, RFC 9111 4.3.2. */
class ConditionalsTest {

    private static final long NOW = 1_800_000_000L;
    private static final String OLD = HttpDate.format(NOW - 3000);
    private static final String OLDER = HttpDate.format(NOW - 3001);
    private static final String NEWER = HttpDate.format(NOW - 2000);
    private static final Fields TAGGED =
            fields("ETag: \"abc\"", "Last-Modified: " + OLD, "Date: " + HttpDate.format(NOW));

    private static Outcome cache(Fields stored, String... request) {
        return Conditionals.byCache(Method.GET, 200, fields(request), stored, NOW - 10, NOW);
    }

    private static Outcome origin(Method method, boolean exists, String... request) {
        long modified = exists ? NOW - 3000 : HttpDate.INVALID;
        return Conditionals.byOrigin(method, fields(request), exists, exists ? "\"abc\"" : null, modified, NOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "\"abc\", \"x\", \"y\"", "*"})
    void aMatchingTagIsNotModified(String list) {
        assertThat(cache(TAGGED, "If-None-Match: " + list)).isEqualTo(NOT_MODIFIED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abd\"", "abc", "'abc'", "w/\"abc\"", "\"abc\" \"x\"", "", "\"ABC\""})
    void anotherOrMalformedTagGetsTheWhole(String list) {
        assertThat(cache(TAGGED, "If-None-Match: " + list)).isEqualTo(PROCEED);
    }

    @Test
    void ifNoneMatchTakesPrecedenceOverIfModifiedSince() {
        assertThat(cache(TAGGED, "If-None-Match: \"abc\"", "If-Modified-Since: " + OLDER))
                .isEqualTo(NOT_MODIFIED);
        assertThat(cache(TAGGED, "If-None-Match: \"other\"", "If-Modified-Since: " + NEWER))
                .isEqualTo(PROCEED);
    }

    @Test
    void aDateNotBeforeLastModifiedIsNotModified() {
        assertThat(cache(TAGGED, "If-Modified-Since: " + OLD)).isEqualTo(NOT_MODIFIED);
        assertThat(cache(TAGGED, "If-Modified-Since: " + NEWER)).isEqualTo(NOT_MODIFIED);
        assertThat(cache(TAGGED, "If-Modified-Since: " + OLDER)).isEqualTo(PROCEED);
    }

    @Test
    void anEquivalentDateInTheOldFormCounts() {
        Fields stored = fields("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(cache(stored, "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"))
                .isEqualTo(NOT_MODIFIED);
        assertThat(cache(stored, "If-Modified-Since: Sun Nov  6 08:49:36 1994")).isEqualTo(PROCEED);
    }

    @Test
    void withoutLastModifiedTheCacheComparesWithDateAndThenWithTheTimeOfReceipt() {
        Fields dated = fields("Date: " + OLD);
        assertThat(cache(dated, "If-Modified-Since: " + OLD)).isEqualTo(NOT_MODIFIED);
        assertThat(cache(dated, "If-Modified-Since: " + OLDER)).isEqualTo(PROCEED);
        assertThat(cache(fields(), "If-Modified-Since: " + HttpDate.format(NOW - 10)))
                .isEqualTo(NOT_MODIFIED);
        assertThat(cache(fields(), "If-Modified-Since: " + HttpDate.format(NOW - 11)))
                .isEqualTo(PROCEED);
    }

    @Test
    void anInvalidOrDoubledDateIsNoCondition() {
        assertThat(cache(TAGGED, "If-Modified-Since: yesterday")).isEqualTo(PROCEED);
        assertThat(cache(TAGGED, "If-Modified-Since: " + NEWER, "If-Modified-Since: " + NEWER))
                .isEqualTo(PROCEED);
    }

    @Test
    void aCacheLeavesTheOriginsConditionsAlone() {
        assertThat(cache(TAGGED, "If-Match: \"other\"")).isEqualTo(PROCEED);
        assertThat(cache(TAGGED, "If-Unmodified-Since: " + OLDER)).isEqualTo(PROCEED);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 404, 410, 500})
    void conditionsCountForSuccessAlone(int status) {
        assertThat(Conditionals.byCache(Method.GET, status, fields("If-None-Match: *"), TAGGED, NOW, NOW))
                .isEqualTo(PROCEED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"POST", "DELETE", "OTHER", "OPTIONS"})
    void aCacheEvaluatesForGetAndHeadAlone(Method method) {
        assertThat(Conditionals.byCache(method, 200, fields("If-None-Match: *"), TAGGED, NOW, NOW))
                .isEqualTo(PROCEED);
    }

    @Test
    void anOriginFailsIfMatchWithoutStrongMatch() {
        assertThat(origin(Method.PUT, true, "If-Match: \"abc\"")).isEqualTo(PROCEED);
        assertThat(origin(Method.PUT, true, "If-Match: *")).isEqualTo(PROCEED);
        assertThat(origin(Method.PUT, true, "If-Match: W/\"abc\"")).isEqualTo(PRECONDITION_FAILED);
        assertThat(origin(Method.PUT, true, "If-Match: \"x\"")).isEqualTo(PRECONDITION_FAILED);
        assertThat(origin(Method.PUT, false, "If-Match: *")).isEqualTo(PRECONDITION_FAILED);
    }

    @Test
    void anOriginLooksAtIfUnmodifiedSinceOnlyWithoutIfMatch() {
        assertThat(origin(Method.PUT, true, "If-Unmodified-Since: " + OLD)).isEqualTo(PROCEED);
        assertThat(origin(Method.PUT, true, "If-Unmodified-Since: " + OLDER)).isEqualTo(PRECONDITION_FAILED);
        assertThat(origin(Method.PUT, true, "If-Match: \"abc\"", "If-Unmodified-Since: " + OLDER))
                .isEqualTo(PROCEED);
        assertThat(origin(Method.PUT, true, "If-Unmodified-Since: nonsense")).isEqualTo(PROCEED);
    }

    @Test
    void ifNoneMatchFailsWritesAndAnswersReads() {
        assertThat(origin(Method.GET, true, "If-None-Match: \"abc\"")).isEqualTo(NOT_MODIFIED);
        assertThat(origin(Method.PUT, true, "If-None-Match: *")).isEqualTo(PRECONDITION_FAILED);
        assertThat(origin(Method.PUT, false, "If-None-Match: *")).isEqualTo(PROCEED);
    }

    @Test
    void anOriginWithoutModificationDateIgnoresDates() {
        assertThat(Conditionals.byOrigin(
                        Method.GET, fields("If-Modified-Since: " + NEWER), true, null, HttpDate.INVALID, NOW))
                .isEqualTo(PROCEED);
        assertThat(origin(Method.GET, true, "If-Modified-Since: " + OLD)).isEqualTo(NOT_MODIFIED);
        assertThat(origin(Method.POST, true, "If-Modified-Since: " + OLD)).isEqualTo(PROCEED);
    }

    @Test
    void aRangeAppliesWithoutIfRangeOrWithTheSameStrongTag() {
        assertThat(Conditionals.rangeApplies(fields(), TAGGED, NOW)).isTrue();
        assertThat(Conditionals.rangeApplies(fields("If-Range: \"abc\""), TAGGED, NOW))
                .isTrue();
        assertThat(Conditionals.rangeApplies(fields("If-Range: W/\"abc\""), TAGGED, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: \"abd\""), TAGGED, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: \"abc\", \"x\""), TAGGED, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: *"), TAGGED, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: W/\"w\""), fields("ETag: W/\"w\""), NOW))
                .isFalse();
    }

    @Test
    void aRangeAppliesWithTheVeryDateWhereThatIsStrong() {
        assertThat(Conditionals.rangeApplies(fields("If-Range: " + OLD), TAGGED, NOW))
                .isTrue();
        assertThat(Conditionals.rangeApplies(fields("If-Range: " + NEWER), TAGGED, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: " + OLDER), TAGGED, NOW))
                .isFalse();
        Fields sameSecond = fields("Last-Modified: " + OLD, "Date: " + OLD);
        assertThat(Conditionals.rangeApplies(fields("If-Range: " + OLD), sameSecond, NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: " + OLD), fields("Last-Modified: " + OLD), NOW))
                .isFalse();
        assertThat(Conditionals.rangeApplies(fields("If-Range: nonsense"), fields(), NOW))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"etag", "cache-control", "date", "expires", "vary", "content-location", "set-cookie", "x-any"})
    void a304KeepsWhatUpdatesCaches(String name) {
        assertThat(Conditionals.belongsIn304(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-length", "content-type", "content-encoding", "content-range", "content-language"})
    void a304DropsWhatDescribesContent(String name) {
        assertThat(Conditionals.belongsIn304(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"})
    void fiveFieldsMakeARequestConditional(String name) {
        assertThat(Conditionals.isConditional(fields(name + ": x"))).isTrue();
        assertThat(Conditionals.isConditional(fields("Range: bytes=0-1"))).isFalse();
    }
}
