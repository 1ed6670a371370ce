package io.weir.http.caching;

import static io.weir.http.caching.Validators.HeadFreshening.INVALIDATE;
import static io.weir.http.caching.Validators.HeadFreshening.NONE;
import static io.weir.http.caching.Validators.HeadFreshening.UPDATE;
import static io.weir.http.caching.Validators.NONE_SELECTED;
import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.semantics.Hops;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 3.1, 3.2, 4.3.1, 4.3.4, 4.3.5. */
class ValidatorsTest {

    private static final long NOW = 1_800_000_000L;
    private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String LATER = "Sun, 06 Nov 1994 08:49:38 GMT";

    private static Validators of(String... lines) {
        return Validators.of(fields(lines), NOW);
    }

    @Test
    void aValidationRequestRepeatsTheValidatorsToTheLetter() {
        Validators both = of("ETag: W/\"x\"", "Last-Modified: sun, 06 nov 1994 08:49:37 gmt");
        assertThat(both.ifNoneMatch()).isEqualTo("W/\"x\"");
        assertThat(both.ifModifiedSince()).isEqualTo("sun, 06 nov 1994 08:49:37 gmt");
        assertThat(both.any()).isTrue();
        assertThat(both.strong()).isFalse();
        assertThat(of("ETag: \"x\"").strong()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ETag: x",
                "ETag: w/\"x\"",
                "ETag: \"x\", \"y\"",
                "Last-Modified: yesterday",
                "Last-Modified: 0",
                "X: y"
            })
    void malformedValidatorsAreNone(String line) {
        assertThat(of(line).any()).isFalse();
    }

    @Test
    void severalStoredResponsesAreAskedAboutAtOnce() {
        assertThat(Validators.ifNoneMatch(
                        List.of(of("ETag: \"a\""), of("X: y"), of("ETag: W/\"b\""), of("ETag: \"a\""))))
                .isEqualTo("\"a\", W/\"b\"");
        assertThat(Validators.ifNoneMatch(List.of(of("X: y")))).isNull();
        assertThat(Validators.ifNoneMatch(List.of())).isNull();
    }

    @Test
    void a304SelectsByStrongTagThenByWeakThenByDate() {
        List<Validators> stored =
                List.of(of("ETag: W/\"a\"", "Last-Modified: " + LATER), of("ETag: \"a\"", "Last-Modified: " + DATE));
        assertThat(Validators.select(stored, of("ETag: \"a\""))).isEqualTo(1);
        assertThat(Validators.select(stored, of("ETag: W/\"a\""))).isZero();
        assertThat(Validators.select(stored, of("Last-Modified: " + DATE))).isEqualTo(1);
        assertThat(Validators.select(stored, of("Last-Modified: " + LATER))).isZero();
    }

    @Test
    void a304ForAnotherTagSelectsNothing() {
        List<Validators> stored = List.of(of("ETag: \"a\"", "Last-Modified: " + DATE));
        assertThat(Validators.select(stored, of("ETag: \"b\"", "Last-Modified: " + DATE)))
                .isEqualTo(NONE_SELECTED);
        assertThat(Validators.select(stored, of("ETag: W/\"b\""))).isEqualTo(NONE_SELECTED);
        assertThat(Validators.select(stored, of("Last-Modified: " + LATER))).isEqualTo(NONE_SELECTED);
        assertThat(Validators.select(List.of(of("ETag: W/\"a\"")), of("ETag: \"a\"")))
                .isEqualTo(NONE_SELECTED);
    }

    @Test
    void a304WithoutValidatorsSpeaksOfTheOnlyOneAskedAbout() {
        assertThat(Validators.select(List.of(of("ETag: \"a\"")), of("X: y"))).isZero();
        assertThat(Validators.select(List.of(of("ETag: \"a\""), of("ETag: \"b\"")), of("X: y")))
                .isEqualTo(NONE_SELECTED);
        assertThat(Validators.select(List.of(), of("X: y"))).isEqualTo(NONE_SELECTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "200 | X: y                                     | UPDATE",
                "200 | Content-Length: 10                       | UPDATE",
                "200 | Content-Length: 11                       | INVALIDATE",
                "200 | Content-Length: x                        | INVALIDATE",
                "200 | ETag: \"a\"                              | UPDATE",
                "200 | ETag: \"b\"                              | INVALIDATE",
                "200 | ETag: W/\"a\"                            | INVALIDATE",
                "200 | Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT | UPDATE",
                "200 | Last-Modified: Sunday, 06-Nov-94 08:49:37 GMT | UPDATE",
                "200 | Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT | INVALIDATE",
                "200 | Last-Modified: x                         | INVALIDATE",
                "410 | Content-Length: 11                       | NONE",
                "304 | ETag: \"a\"                              | NONE",
            })
    void aHeadUpdatesTheSameRepresentationAndInvalidatesAnother(
            int status, String line, Validators.HeadFreshening expected) {
        Validators stored = of("ETag: \"a\"", "Last-Modified: " + DATE);
        assertThat(stored.freshenedBy(status, fields(line), 10, NOW)).isEqualTo(expected);
        assertThat(List.of(UPDATE, INVALIDATE, NONE)).contains(expected);
    }

    @Test
    void aHeadThatNamesAValidatorWhereNoneIsStoredInvalidates() {
        assertThat(of("X: y").freshenedBy(200, fields("ETag: \"a\""), 10, NOW)).isEqualTo(INVALIDATE);
        assertThat(of("X: y").freshenedBy(200, fields("Last-Modified: " + DATE), 10, NOW))
                .isEqualTo(INVALIDATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "test-header",
                "x-test-header",
                "content-foo",
                "x-content-foo",
                "cache-control",
                "date",
                "expires",
                "etag",
                "last-modified",
                "content-type",
                "content-location",
                "content-security-policy",
                "x-frame-options",
                "vary"
            })
    void a304UpdatesAlmostEverything(String name) {
        assertThat(StoredFields.isUpdated(name, Hops.FIXED, CacheControl.NONE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content-length",
                "content-encoding",
                "content-range",
                "content-md5",
                "content-digest",
                "transfer-encoding",
                "connection",
                "keep-alive",
                "upgrade",
                "te",
                "proxy-authenticate",
                "proxy-connection",
                "set-cookie",
                "nominated"
            })
    void butNotWhatDescribesTheStoredBytesOrIsNotStored(String name) {
        assertThat(StoredFields.isUpdated(name, Hops.of("nominated"), CacheControl.NONE))
                .isFalse();
    }

    @Test
    void theAgeOfA304CountsForFreshnessAndIsNotStored() {
        assertThat(StoredFields.isUpdated("age", Hops.FIXED, CacheControl.NONE)).isTrue();
        assertThat(StoredFields.isStored("age", Hops.FIXED, CacheControl.NONE)).isFalse();
    }

    @Test
    void fieldsOfThisHopAndNamedOnesAreNotStored() {
        Hops hops = Hops.of("a, b");
        CacheControl control = CacheControl.parse("no-cache=\"c\", private=\"d, e\", max-age=5");
        for (String name :
                List.of("connection", "a", "b", "c", "d", "e", "age", "proxy-authenticate", "transfer-encoding")) {
            assertThat(StoredFields.isStored(name, hops, control)).as(name).isFalse();
        }
        for (String name : List.of("f", "set-cookie", "content-length", "www-authenticate", "date", "trailer")) {
            assertThat(StoredFields.isStored(name, hops, control)).as(name).isTrue();
        }
    }
}
