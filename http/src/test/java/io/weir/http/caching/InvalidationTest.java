package io.weir.http.caching;

import static io.weir.http.semantics.Lines.fields;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.http.Method;
import io.weir.http.semantics.UriTarget;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111 4.4. */
class InvalidationTest {

    private static final UriTarget TARGET = requireNonNull(UriTarget.parse("http://example.com/a/b?c"));

    private static List<String> of(Method method, int status, String... lines) {
        return Invalidation.of(method, TARGET, status, fields(lines)).stream()
                .map(UriTarget::cacheKey)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"POST", "PUT", "DELETE", "PATCH", "OTHER", "PURGE", "MOVE", "LOCK"})
    void anUnsafeOrUnknownMethodInvalidatesItsTarget(Method method) {
        assertThat(of(method, 200)).containsExactly("http://example.com/a/b?c");
        assertThat(of(method, 303)).hasSize(1);
        assertThat(of(method, 399)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Method.class,
            names = {"GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"})
    void aSafeMethodInvalidatesNothing(Method method) {
        assertThat(of(method, 200, "Location: /x")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 199, 400, 404, 500, 502})
    void anAnswerThatIsNoSuccessInvalidatesNothing(int status) {
        assertThat(of(Method.POST, status, "Location: /x")).isEmpty();
    }

    @Test
    void locationAndContentLocationOfTheSameOriginGoToo() {
        assertThat(of(Method.POST, 201, "Location: /new", "Content-Location: c"))
                .containsExactly("http://example.com/a/b?c", "http://example.com/new", "http://example.com/a/c");
        assertThat(of(Method.POST, 201, "Location: HTTP://EXAMPLE.com:80/new#part"))
                .containsExactly("http://example.com/a/b?c", "http://example.com/new");
        assertThat(of(Method.PUT, 200, "Content-Location: ")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://other.example/x",
                "https://example.com/x",
                "http://example.com:8080/x",
                "//other.example/x",
                "mailto:a@b",
                "http://exa mple.com/",
                "/a b"
            })
    void anotherOriginOrNonsenseIsLeftAlone(String location) {
        assertThat(of(Method.POST, 201, "Location: " + location)).hasSize(1);
        assertThat(of(Method.POST, 201, "Content-Location: " + location)).hasSize(1);
    }

    @Test
    void twoLinesOfLocationNameNothing() {
        assertThat(of(Method.POST, 201, "Location: /x", "Location: /y")).hasSize(1);
    }
}
