package io.weir.http.caching;

import static io.weir.http.caching.Storability.AUTHORIZATION;
import static io.weir.http.caching.Storability.METHOD;
import static io.weir.http.caching.Storability.NOT_REUSABLE;
import static io.weir.http.caching.Storability.NOT_UNDERSTOOD;
import static io.weir.http.caching.Storability.NO_LIFETIME;
import static io.weir.http.caching.Storability.NO_STORE;
import static io.weir.http.caching.Storability.PARTIAL;
import static io.weir.http.caching.Storability.PRIVATE;
import static io.weir.http.caching.Storability.REQUEST_NO_STORE;
import static io.weir.http.caching.Storability.SET_COOKIE;
import static io.weir.http.caching.Storability.STATUS;
import static io.weir.http.caching.Storability.STORABLE;
import static io.weir.http.caching.Storability.VARY_LIMIT;
import static io.weir.http.caching.Storability.VARY_STAR;
import static io.weir.http.semantics.Lines.fields;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.caching.Freshness.Heuristic;
import io.weir.http.caching.Storability.Policy;
import io.weir.http.caching.Storability.SetCookie;
import io.weir.http.semantics.HttpDate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 3, 3.5, 5.2.2.3; RFC 9110 15.1; RFC 6585. */
class StorabilityTest {

    private static final long NOW = 1_800_000_000L;
    private static final String MODIFIED = "Last-Modified: " + HttpDate.format(NOW - 1000);
    private static final Fields PLAIN = fields("Host: a");

    private static Storability of(Method method, Fields request, int status, Policy policy, String... lines) {
        Fields response = fields(lines);
        CacheControl control = CacheControl.ofResponse(response);
        return Storability.of(
                method,
                request,
                CacheControl.ofRequest(request),
                status,
                response,
                control,
                () -> Freshness.of(status, control, response, NOW * 1000, NOW * 1000, Heuristic.DEFAULT),
                policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-store", "private"})
    void freshnessIsNotComputedForWhatIsRefusedAnyway(String directive) {
        Fields response = fields("Cache-Control: " + directive);
        CacheControl control = CacheControl.ofResponse(response);
        Supplier<Freshness> unneeded = () -> {
            throw new AssertionError("computed");
        };
        assertThat(Storability.of(
                        Method.GET,
                        PLAIN,
                        CacheControl.ofRequest(PLAIN),
                        200,
                        response,
                        control,
                        unneeded,
                        Policy.DEFAULT))
                .isNotEqualTo(Storability.STORABLE);
    }

    private static Storability of(int status, String... lines) {
        return of(Method.GET, PLAIN, status, Policy.DEFAULT, lines);
    }

    private static Storability authorised(String control) {
        return of(Method.GET, fields("Authorization: FOO"), 200, Policy.DEFAULT, "Cache-Control: " + control);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Control: max-age=3600",
                "Cache-Control: s-maxage=3600",
                "Cache-Control: foobar, max-age=3600",
                "Cache-Control: max-age=3600, private=\"set-cookie\"",
                "Expires: Fri, 01 Jan 2100 00:00:00 GMT",
                "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
                "ETag: \"x\"",
                "Cache-Control: max-age=0, stale-while-revalidate=60",
                "Cache-Control: max-age=0, stale-if-error=60",
            })
    void whatCanBeUsedLaterIsStored(String line) {
        assertThat(of(200, line)).isEqualTo(STORABLE);
    }

    @Test
    void whatCouldNeverBeUsedIsNot() {
        assertThat(of(200)).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: max-age=0")).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: max-age=10", "Age: 15")).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: no-cache, max-age=60")).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Expires: 0")).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: max-age=0, must-revalidate, stale-if-error=60"))
                .isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: max-age=0, proxy-revalidate, stale-while-revalidate=60"))
                .isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "ETag: unquoted")).isEqualTo(NOT_REUSABLE);
        assertThat(of(200, "Cache-Control: no-cache", "ETag: \"x\"")).isEqualTo(STORABLE);
        assertThat(of(200, "Cache-Control: max-age=0", "ETag: \"x\"")).isEqualTo(STORABLE);
    }

    @Test
    void coveredErrorsMakeAStaleResponseUseful() {
        assertThat(of(Method.GET, PLAIN, 200, new Policy(SetCookie.EXPLICIT, 60, false), "Cache-Control: max-age=0"))
                .isEqualTo(STORABLE);
    }

    @ParameterizedTest
    @EnumSource(value = Method.class, mode = EnumSource.Mode.EXCLUDE, names = "GET")
    void onlyGetIsStored(Method method) {
        assertThat(of(method, PLAIN, 200, Policy.DEFAULT, "Cache-Control: max-age=60"))
                .isEqualTo(METHOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-store", "max-age=60, no-store", "No-StOrE", "no-store=x", "no-store, no-cache=\"a\""})
    void noStoreIsNotStored(String control) {
        assertThat(of(200, "Cache-Control: " + control, "Expires: Fri, 01 Jan 2100 00:00:00 GMT", MODIFIED))
                .isEqualTo(NO_STORE);
        assertThat(of(
                        Method.GET,
                        fields("Cache-Control: " + control),
                        200,
                        Policy.DEFAULT,
                        "Cache-Control: max-age=60"))
                .isEqualTo(REQUEST_NO_STORE);
    }

    @Test
    void privateIsNotStored() {
        assertThat(of(200, "Cache-Control: private, max-age=3600")).isEqualTo(PRIVATE);
        assertThat(of(200, "Cache-Control: private, public, max-age=3600")).isEqualTo(PRIVATE);
    }

    @Test
    void anAuthorisedAnswerIsSharedOnlyWithPermission() {
        assertThat(authorised("max-age=3600")).isEqualTo(AUTHORIZATION);
        assertThat(authorised("max-age=3600, public")).isEqualTo(STORABLE);
        assertThat(authorised("max-age=3600, must-revalidate")).isEqualTo(STORABLE);
        assertThat(authorised("s-maxage=3600")).isEqualTo(STORABLE);
        assertThat(authorised("max-age=3600, proxy-revalidate")).isEqualTo(AUTHORIZATION);
        assertThat(authorised("max-age=3600, public=1")).isEqualTo(AUTHORIZATION);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599})
    void anExplicitLifetimeIsStoredForAlmostAnyStatus(int status) {
        assertThat(of(status, "Cache-Control: max-age=3600")).isEqualTo(STORABLE);
        assertThat(of(status, "Expires: Fri, 01 Jan 2100 00:00:00 GMT")).isEqualTo(STORABLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103, 304, 407, 412, 417, 421, 425, 426, 428, 429, 431, 511, 199, 600})
    void answersAboutThisExchangeAreNotStored(int status) {
        assertThat(of(status, "Cache-Control: public, max-age=3600")).isEqualTo(STATUS);
    }

    @ParameterizedTest
    @ValueSource(ints = {206, 416})
    void partsAreNotStored(int status) {
        assertThat(of(status, "Cache-Control: public, max-age=3600")).isEqualTo(PARTIAL);
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 202, 302, 303, 307, 403, 500, 502, 503, 504, 599})
    void withoutALifetimeOnlyHeuristicStatusesAreStored(int status) {
        assertThat(of(status, MODIFIED)).isEqualTo(NO_LIFETIME);
        assertThat(of(status, MODIFIED, "Cache-Control: public")).isEqualTo(STORABLE);
        assertThat(of(404, MODIFIED)).isEqualTo(STORABLE);
    }

    @Test
    void mustUnderstandOverridesNoStoreWhereTheStatusIsUnderstood() {
        assertThat(of(200, "Cache-Control: must-understand, no-store, max-age=60"))
                .isEqualTo(STORABLE);
        assertThat(of(299, "Cache-Control: must-understand, no-store, max-age=60"))
                .isEqualTo(NOT_UNDERSTOOD);
        assertThat(of(299, "Cache-Control: must-understand, max-age=60")).isEqualTo(NOT_UNDERSTOOD);
        assertThat(of(200, "Cache-Control: must-understand=1, no-store, max-age=60"))
                .isEqualTo(NO_STORE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*, *", ", *", "*, Foo", "Foo, *", "Foo bar", "Foo;x", "\"Foo\""})
    void aVaryThatNothingMatchesIsNotStored(String vary) {
        assertThat(of(200, "Cache-Control: max-age=60", "Vary: " + vary)).isEqualTo(VARY_STAR);
        assertThat(of(200, "Cache-Control: max-age=60", "Vary: a", "Vary: " + vary))
                .isEqualTo(VARY_STAR);
    }

    @Test
    void aVaryOfTooManyNamesIsNotStored() {
        String names = IntStream.range(0, Vary.MAX_NAMES).mapToObj(i -> "n" + i).collect(Collectors.joining(","));
        assertThat(of(200, "Cache-Control: max-age=60", "Vary: " + names)).isEqualTo(STORABLE);
        assertThat(of(200, "Cache-Control: max-age=60", "Vary: " + names + ",more"))
                .isEqualTo(VARY_LIMIT);
    }

    @Test
    void cookiesAreStoredOnlyWhenTheOriginSaysTheyAreForAll() {
        String cookie = "Set-Cookie: a=b";
        assertThat(of(200, cookie, "Cache-Control: max-age=60")).isEqualTo(SET_COOKIE);
        assertThat(of(200, cookie, "Cache-Control: public, max-age=60")).isEqualTo(STORABLE);
        assertThat(of(200, cookie, "Cache-Control: s-maxage=60")).isEqualTo(STORABLE);
        Policy refuse = new Policy(SetCookie.REFUSE, 0, false);
        assertThat(of(Method.GET, PLAIN, 200, refuse, cookie, "Cache-Control: public, max-age=60"))
                .isEqualTo(SET_COOKIE);
        Policy store = new Policy(SetCookie.STORE, 0, false);
        assertThat(of(Method.GET, PLAIN, 200, store, cookie, "Cache-Control: max-age=60"))
                .isEqualTo(STORABLE);
    }

    @Test
    void aRequestWithACookieIsLikeAnyOther() {
        assertThat(of(Method.GET, fields("Cookie: a=b"), 200, Policy.DEFAULT, "Cache-Control: max-age=60"))
                .isEqualTo(STORABLE);
    }

    @Test
    void everyReasonHasALabelOfItsOwn() {
        assertThat(Storability.values())
                .extracting(Storability::label)
                .doesNotHaveDuplicates()
                .allMatch(label -> label.matches("[a-z-]+"));
    }
}
