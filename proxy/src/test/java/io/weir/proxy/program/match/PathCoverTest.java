package io.weir.proxy.program.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.program.match.RuleCondition.PathRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathCoverTest {
    private static final long PLENTY = 200_000_000;

    private final PathCover cover = new PathCover(PLENTY);

    /** {@code regex:/a.*}, {@code wildcard:/a*}, {@code exact:/a} or {@code prefix:/a}. */
    private static PathRule rule(String text) {
        int colon = text.indexOf(':');
        return new PathRule(
                PathMatch.valueOf(text.substring(0, colon).toUpperCase(Locale.ROOT)), text.substring(colon + 1));
    }

    private boolean covered(String rule, String... by) {
        List<@Nullable PathRule> those = new ArrayList<>();
        for (String b : by) {
            those.add(rule(b));
        }
        return cover.covered(rule(rule), those);
    }

    @ParameterizedTest
    @CsvSource({
        "prefix:/a, regex:/.*",
        "prefix:/, regex:/.*",
        "prefix:/, wildcard:/*",
        "prefix:/, regex:/[^?]*",
        "regex:/a[0-9]+, wildcard:/a*",
        "wildcard:/img/*.png, regex:/(img|css)/.*",
        "regex:/(a|b), regex:/[a-c]",
        "exact:/a/b, regex:/a/.",
        "prefix:/a/b, prefix:/a",
        "wildcard:/a*~*.html, wildcard:/a*~*.html",
        "regex:/ab*c, regex:/a.*",
    })
    void oneTakesAll(String rule, String by) {
        assertThat(covered(rule, by)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "prefix:/a, regex:/a/.*",
        "prefix:/, regex:/.+",
        "prefix:/, wildcard:/*~*.html",
        "prefix:/shop, prefix:/shop/",
        "regex:/.*, wildcard:/a*",
        "regex:/a+, 'regex:/a{1,50}'",
        "exact:/a, regex:/A",
    })
    void somethingIsLeft(String rule, String by) {
        assertThat(covered(rule, by)).isFalse();
    }

    @Test
    void severalTakeAllTogether() {
        assertThat(covered("prefix:/a", "exact:/a", "wildcard:/a/*")).isTrue();
        assertThat(covered("prefix:/a", "exact:/a", "wildcard:/a/?*")).isFalse();
        assertThat(covered("prefix:/", "wildcard:/*~*.html", "wildcard:*.html")).isTrue();
        assertThat(covered("regex:/[ab]", "exact:/a", "exact:/b")).isTrue();
        assertThat(covered("regex:/[abc]", "exact:/a", "exact:/b")).isFalse();
    }

    @Test
    void patternsThatNoPathMatchesAreFound() {
        assertThat(cover.matchesNothing(rule("wildcard:[a-z]*.html"))).isTrue();
        assertThat(cover.matchesNothing(rule("regex:[^/].*"))).isTrue();
        assertThat(cover.matchesNothing(rule("regex:/a\\?b"))).isTrue();
        assertThat(cover.matchesNothing(rule("wildcard:*.html"))).isFalse();
        assertThat(cover.example(rule("regex:.?/ab?c"))).isEqualTo("/ac");
    }

    @Test
    void whatTakesTooLongIsNotCovered() {
        PathCover hasty = new PathCover(1000);
        assertThat(hasty.covered(rule("regex:/a[0-9]+"), List.of(rule("wildcard:/a*"))))
                .isFalse();
        assertThat(hasty.matchesNothing(rule("regex:/aaaaaaaa\\?"))).isFalse();
    }

    /** What is called covered has no path left, among thousands of paths of the same letters. */
    @Test
    void agreesWithMatching() {
        Chance random = Chance.seeded(7);
        List<String> paths = new ArrayList<>(List.of("/"));
        for (int i = 0; i < paths.size() && paths.size() < 400; i++) {
            for (String c : List.of("a", "b", "/")) {
                paths.add(paths.get(i) + c);
            }
        }
        int covered = 0;
        for (int i = 0; i < 3000; i++) {
            PathRule rule = random(random);
            List<@Nullable PathRule> by = List.of(random(random), random(random));
            if (cover.covered(rule, by)) {
                covered++;
                assertThat(paths)
                        .as("%s by %s", rule, by)
                        .noneMatch(p -> cover.matches(rule, p) && by.stream().noneMatch(b -> cover.matches(b, p)));
            } else if (cover.example(rule) == null) {
                assertThat(paths).noneMatch(p -> cover.matches(rule, p));
            }
        }
        assertThat(covered).isGreaterThan(100);
    }

    private static PathRule random(Chance random) {
        String[] kinds = {"regex:/", "wildcard:/", "prefix:/", "exact:/"};
        String kind = kinds[random.random().nextInt(kinds.length)];
        StringBuilder text = new StringBuilder(kind);
        String letters = kind.startsWith("regex") ? "ab./" : kind.startsWith("wildcard") ? "ab*/" : "ab";
        for (int i = random.random().nextInt(4); i > 0; i--) {
            char c = letters.charAt(random.random().nextInt(letters.length()));
            text.append(c == '.' && random.random().nextInt(2) == 0 ? ".*" : String.valueOf(c));
        }
        return rule(text.toString().replaceAll("//+", "/"));
    }
}
