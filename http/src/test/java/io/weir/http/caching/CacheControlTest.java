package io.weir.http.caching;

import static io.weir.http.caching.CacheControl.ABSENT;
import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 5.2, 4.2.1, 5.4; RFC 5861; RFC 8246. */
class CacheControlTest {

    @Test
    void readsEveryRequestDirective() {
        CacheControl control = CacheControl.parse(
                "max-age=1, max-stale=2, min-fresh=3, no-cache, no-store, no-transform, only-if-cached, stale-if-error=4");
        assertThat(control.maxAge()).isEqualTo(1);
        assertThat(control.maxStale()).isEqualTo(2);
        assertThat(control.minFresh()).isEqualTo(3);
        assertThat(control.staleIfError()).isEqualTo(4);
        assertThat(control.noCache()).isTrue();
        assertThat(control.noStore()).isTrue();
        assertThat(control.noTransform()).isTrue();
        assertThat(control.onlyIfCached()).isTrue();
    }

    @Test
    void readsEveryResponseDirective() {
        CacheControl control = CacheControl.parse(
                "max-age=1,must-revalidate,must-understand,no-cache,no-store,"
                        + "no-transform,private,proxy-revalidate,public,s-maxage=2,stale-while-revalidate=3,stale-if-error=4,immutable");
        assertThat(control.maxAge()).isEqualTo(1);
        assertThat(control.sMaxAge()).isEqualTo(2);
        assertThat(control.staleWhileRevalidate()).isEqualTo(3);
        assertThat(control.staleIfError()).isEqualTo(4);
        assertThat(control.mustRevalidate()).isTrue();
        assertThat(control.mustUnderstand()).isTrue();
        assertThat(control.noCache()).isTrue();
        assertThat(control.noStore()).isTrue();
        assertThat(control.noTransform()).isTrue();
        assertThat(control.isPrivate()).isTrue();
        assertThat(control.proxyRevalidate()).isTrue();
        assertThat(control.isPublic()).isTrue();
        assertThat(control.immutable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ",", "foo", "foo=bar", "no-storex", "xno-store", "no_store", "ext=\"no-store\"", "=no-store"
            })
    void nothingIsReadIntoOtherText(String value) {
        CacheControl control = CacheControl.parse(value);
        assertThat(control.noStore()).isFalse();
        assertThat(control.noCache()).isFalse();
        assertThat(control.hasLifetime()).isFalse();
        assertThat(control.malformed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "max-age=3600              | 3600",
                "MaX-aGe=3600              | 3600",
                "max-age=\"3600\"          | 3600",
                "max-age=003600            | 3600",
                "foobar, max-age=3600      | 3600",
                "ext=\"max-age=1\", max-age=3600 | 3600",
                "max-age=3600, ext=\"max-age=1\" | 3600",
                "ext=\"a\\\", max-age=1\", max-age=3600 | 3600",
                "max-age=3600, max-age=3600| 3600",
                "max-age=2147483648        | 2147483648",
                "max-age=99999999999       | 2147483648",
                ",, ,max-age=5 ,           | 5",
                "max-age=0                 | 0",
            })
    void readsALifetime(String value, long seconds) {
        assertThat(CacheControl.parse(value).maxAge()).isEqualTo(seconds);
        assertThat(CacheControl.parse(value.replace("max-age", "s-maxage").replace("MaX-aGe", "S-MaXaGe"))
                        .sMaxAge())
                .isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age=a3600",
                "max-age=3600a",
                "max-age=-100",
                "max-age=+100",
                "max-age='3600'",
                "max-age=3600.0",
                "max-age=3600.5",
                "max-age =3600",
                "max-age= 3600",
                "max-age",
                "max-age=",
                "max-age=\"\"",
                "max-age=\" 3600\"",
                "max-age=3600;no-store",
                "max-age=3600 no-store",
                "max-age=3600=1",
                "max-age=1800, max-age=1",
                "max-age=1, max-age=1800",
                "max-age=1800, max-age=x",
                "max-age=x, max-age=1800",
                "max-age=1, max-age=2, max-age=1",
                "max-age=3600, ext=\"open",
                "max-age=\"3600",
            })
    void aLifetimeThatIsWrongOrGivenTwiceIsStale(String value) {
        assertThat(CacheControl.parse(value).maxAge()).isZero();
        assertThat(CacheControl.parse(value.replace("max-age", "s-maxage")).sMaxAge())
                .isZero();
    }

    @Test
    void aStringThatNeverEndsMakesEverythingStale() {
        CacheControl control = CacheControl.parse(
                "s-maxage=60, stale-while-revalidate=60, stale-if-error=60, max-stale=60, x=\"no-store");
        assertThat(control.malformed()).isTrue();
        assertThat(control.maxAge()).isZero();
        assertThat(control.sMaxAge()).isZero();
        assertThat(control.staleWhileRevalidate()).isEqualTo(ABSENT);
        assertThat(control.staleIfError()).isEqualTo(ABSENT);
        assertThat(control.maxStale()).isEqualTo(ABSENT);
        assertThat(CacheControl.parse("x=\"open").sMaxAge()).isEqualTo(ABSENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no-store", "No-StOrE", "no-store=1", "no-store;x", "no-store =", "no-store x", "a b, no-store"})
    void aProhibitionHoldsWhateverFollowsIt(String value) {
        assertThat(CacheControl.parse(value).noStore()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"public=1", "public;max-age=1", "public x", "public =", "\"public\""})
    void aPermissionMustBeClean(String value) {
        assertThat(CacheControl.parse(value).isPublic()).isFalse();
        assertThat(CacheControl.parse(value.replace("public", "must-understand"))
                        .mustUnderstand())
                .isFalse();
        assertThat(CacheControl.parse(value.replace("public", "immutable")).immutable())
                .isFalse();
    }

    @Test
    void limitsOfARequestFallToTheSafeSide() {
        assertThat(CacheControl.parse("min-fresh=x").minFresh()).isPositive();
        assertThat(CacheControl.parse("min-fresh=1, min-fresh=2").minFresh()).isGreaterThan(2);
        assertThat(CacheControl.parse("max-stale=x").maxStale()).isEqualTo(ABSENT);
        assertThat(CacheControl.parse("max-stale=1, max-stale=2").maxStale()).isEqualTo(ABSENT);
        assertThat(CacheControl.parse("max-stale").maxStale()).isEqualTo(CacheControl.ANY);
        assertThat(CacheControl.parse("max-stale, max-stale=2").maxStale()).isEqualTo(ABSENT);
        assertThat(CacheControl.parse("max-stale=").maxStale()).isEqualTo(ABSENT);
        assertThat(CacheControl.parse("stale-while-revalidate=x").staleWhileRevalidate())
                .isEqualTo(ABSENT);
        assertThat(CacheControl.parse("stale-if-error").staleIfError()).isEqualTo(ABSENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "no-cache=\"a\"           | a",
                "no-cache=\"A, b\"        | a b",
                "no-cache=a               | a",
                "no-cache=\"a,,b,\"       | a b",
                "no-cache=\"a\", no-cache=\"b\" | a b",
                "max-age=1, No-Cache=\"set-cookie\" | set-cookie",
            })
    void noCacheMayNameFields(String value, String names) {
        CacheControl control = CacheControl.parse(value);
        assertThat(control.noCache()).isFalse();
        assertThat(control.noCacheFields()).containsExactly(names.split(" "));
        CacheControl other = CacheControl.parse(value.replaceAll("(?i)no-cache", "private"));
        assertThat(other.isPrivate()).isFalse();
        assertThat(other.privateFields()).containsExactly(names.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-cache=\"\"",
                "no-cache=\",\"",
                "no-cache=",
                "no-cache=\"a b\"",
                "no-cache=\"a;b\"",
                "no-cache=\"a\" x",
                "no-cache=\"a",
                "no-cache=\"a\", no-cache",
                "no-cache, no-cache=\"a\"",
                "no-cache =\"a\""
            })
    void noCacheWithoutUsableNamesMeansTheWhole(String value) {
        assertThat(CacheControl.parse(value).noCache()).isTrue();
        assertThat(CacheControl.parse(value.replace("no-cache", "private")).isPrivate())
                .isTrue();
    }

    @Test
    void thirtyTwoNamesAreKeptAndOneMoreMeansTheWhole() {
        StringBuilder names = new StringBuilder("n0");
        for (int i = 1; i < CacheControlParser.MAX_FIELD_NAMES; i++) {
            names.append(",n").append(i);
        }
        assertThat(CacheControl.parse("private=\"" + names + "\"").isPrivate()).isFalse();
        assertThat(CacheControl.parse("private=\"" + names + ",more\"").isPrivate())
                .isTrue();
    }

    @Test
    void linesOfTheFieldAreOneList() {
        CacheControl control =
                CacheControl.ofResponse(fields("Cache-Control: max-age=60", "cache-control: no-transform, s-maxage=5"));
        assertThat(control.maxAge()).isEqualTo(60);
        assertThat(control.sMaxAge()).isEqualTo(5);
        assertThat(control.noTransform()).isTrue();
    }

    @Test
    void pragmaCountsInARequestWithoutCacheControl() {
        assertThat(CacheControl.ofRequest(fields("Pragma: no-cache")).noCache()).isTrue();
        assertThat(CacheControl.ofRequest(fields("Pragma: x, No-Cache")).noCache())
                .isTrue();
        assertThat(CacheControl.ofRequest(fields("Pragma: other")).noCache()).isFalse();
        assertThat(CacheControl.ofRequest(fields("Pragma: no-cache", "Cache-Control: max-age=5"))
                        .noCache())
                .isFalse();
        assertThat(CacheControl.ofResponse(fields("Pragma: no-cache")).noCache())
                .isFalse();
    }

    @Test
    void directivesThatAreIgnoredAreGoneAndNoOthers() {
        CacheControl all = CacheControl.parse("no-cache, no-store, private, max-age=5, private=\"x-a\"");
        assertThat(all.without(false, false, false)).isSameAs(all);
        CacheControl left = all.without(true, false, false);
        assertThat(left.noCache()).isFalse();
        assertThat(left.noStore()).isTrue();
        assertThat(left.isPrivate()).isTrue();
        assertThat(left.maxAge()).isEqualTo(5);
        assertThat(left.privateFields()).containsExactly("x-a");
        left = all.without(false, true, true);
        assertThat(left.noCache()).isTrue();
        assertThat(left.noStore()).isFalse();
        assertThat(left.isPrivate()).isFalse();
        assertThat(left.privateFields()).isEmpty();
        assertThat(CacheControl.parse("no-cache").without(true, true, true)).isSameAs(CacheControl.NONE);
        assertThat(CacheControl.parse("private=\"x-a\"").without(false, false, true))
                .isSameAs(CacheControl.NONE);
        assertThat(CacheControl.parse("no-store, max-stale")
                        .without(false, true, false)
                        .maxStale())
                .isEqualTo(CacheControl.ANY);
    }

    @Test
    void usualValuesAreParsedOnce() {
        assertThat(CacheControl.parse(null)).isSameAs(CacheControl.NONE);
        assertThat(CacheControl.parse("no-cache")).isSameAs(CacheControl.parse("no-cache"));
        assertThat(CacheControl.parse("public, max-age=31536000"))
                .isSameAs(CacheControl.parse("public, max-age=31536000"));
        CacheControl usual = CacheControl.parse("public, max-age=31536000, immutable");
        assertThat(usual.maxAge()).isEqualTo(31_536_000);
        assertThat(usual.isPublic()).isTrue();
        assertThat(usual.immutable()).isTrue();
    }
}
