package io.weir.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Sun proxy's map rule; RFC 3986 5.2.4. */
class PathsTest {

    @ParameterizedTest
    @CsvSource({
        "/shop, /shop, true",
        "/shop, /shop/, true",
        "/shop, /shop/cart, true",
        "/shop, /shop?q=1, true",
        "/shop, /shopping, false",
        "/shop, /Shop, false",
        "/shop, /sho, false",
        "/shop, /shop;x, false",
        "/shop, /shop%2Fa, false",
        "/shop/, /shop/a, true",
        "/shop/, /shop, false",
        "/shop/, /shop/, true",
        "/, /, true",
        "/, /anything, true",
        "/, /?q, true",
        "/, *, false",
    })
    void aPrefixEndsWhereASegmentEnds(String prefix, String path, boolean under) {
        assertThat(Paths.isUnder(prefix, path)).isEqualTo(under);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.",
                "/..",
                "/a/../b",
                "/a/./b",
                "/a/..",
                "/a/.",
                "/%2e",
                "/%2E%2e/x",
                "/.%2e",
                "/%2e./x?y",
                "/../x",
                "/a/..?q"
            })
    void dotSegmentsAreSeenPlainAndEncoded(String path) {
        assertThat(Paths.hasDotSegments(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a.b",
                "/...",
                "/..a",
                "/a..",
                "/a/...",
                "/a?b/../c",
                "//",
                "/%2e%2e%2e",
                "/.a/",
                "/%2f..a",
                "*"
            })
    void otherDotsAreNot(String path) {
        assertThat(Paths.hasDotSegments(path)).isFalse();
        assertThat(Paths.removeDotSegments(path)).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b/c/./../../g, /a/g",
        "/a/.., /",
        "/.., /",
        "/., /",
        "/../../x, /x",
        "/a/b/.., /a/",
        "/a/%2e%2E/b, /b",
        "/a/%2e/b, /a/b",
        "/a/.%2e/b, /b",
        "/a/..?q=/../, /?q=/../",
        "/a//../b, /a/b",
        "/a/./?x, /a/?x",
    })
    void removesDotSegmentsAndKeepsTheQuery(String path, String expected) {
        assertThat(Paths.removeDotSegments(path)).isEqualTo(expected);
    }

    @Test
    void nothingIsLeftToRemoveAfterOnePass() {
        var random = Chance.seeded(5).random();
        String[] pieces = {"/", ".", "..", "a", "%2e", "%2E%2e", "/../", "?", "b/"};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder path = new StringBuilder("/");
            for (int n = random.nextInt(8); n > 0; n--) {
                path.append(pieces[random.nextInt(pieces.length)]);
            }
            String clean = Paths.removeDotSegments(path.toString());
            assertThat(clean).startsWith("/");
            assertThat(Paths.hasDotSegments(clean)).as(path.toString()).isFalse();
        }
    }
}
