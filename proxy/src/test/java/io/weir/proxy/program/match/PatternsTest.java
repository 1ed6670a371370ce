package io.weir.proxy.program.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternsTest {
    private static boolean matches(PathMatch match, String pattern, String text) {
        return Patterns.matches(Patterns.parse(match, pattern), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "* /x true",
                "/a/* /a/b/c true",
                "/a/* /a false",
                "/a? /ab true",
                "/a? /a false",
                "/[a-c]x /bx true",
                "/[a-c]x /dx false",
                "/[^a-c]x /dx true",
                "(/a|/a/*) /a true",
                "(/a|/a/*) /ab false",
                "*~*.gif /x.gif false",
                "*~*.gif /x.png true",
                "/\\* /* true",
                "/\\* /x false",
                "/x\\~y /x~y true",
                "/a.b /axb false",
                "/[]x]y /]y true",
            })
    void shellExpressions(String pattern, String path, boolean holds) {
        assertThat(matches(PathMatch.WILDCARD, pattern, path)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/a.c /abc true",
                "^/a$ /a true",
                "/a /ab false",
                "/a+ /aaa true",
                "/a{2} /aa true",
                "/a{2} /aaa false",
                "/a{2,} /aaaa true",
                "/a{1,2} /aaa false",
                "/(a|b)*c /ababc true",
                "/\\d+ /42 true",
                "/\\D /4 false",
                "/[\\w-]+ /a_b-1 true",
                "(?i)/ABC /aBc true",
                "/ABC /abc false",
                "/a*?b /aab true",
                "/(?:x|y) /y true",
                "/\\. /. true",
                "/\\. /x false",
            })
    void regularExpressions(String pattern, String path, boolean holds) {
        assertThat(matches(PathMatch.REGEX, pattern, path)).isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/(a", "/a)", "/[a", "/a{", "/a{2", "/a{3,2}", "*a", "/a*+", "/(?=a)", "/\\1", "/a$b", "/a\\", "[z-a]",
                "/\u20ac"
            })
    void wrongExpressionsAreRefusedWithTheirPlace(String pattern) {
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, pattern)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "/(?=a) look-ahead",
                "/(?!a) look-ahead",
                "/(?<=a) look-behind",
                "/(?<!a) look-behind",
                "/(a)\\1 references"
            })
    void whatNeedsToReadAPathTwiceIsNamed(String pattern, String word) {
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, pattern)).hasMessageContaining(word);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/(a", "/a)", "/[a", "/a\\", "/[z-a]", "/x~(y"})
    void wrongShellExpressionsAreRefused(String pattern) {
        assertThatThrownBy(() -> Patterns.parse(PathMatch.WILDCARD, pattern))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatNeedsTooManyStatesIsRefused() {
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, "/.*a.{200}")).hasMessageContaining("too complex");
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, "((a{200}){200}){200}"))
                .hasMessageContaining("too complex");
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, "(".repeat(40) + ")".repeat(40)))
                .hasMessageContaining("nested");
        assertThatThrownBy(() -> Patterns.parse(PathMatch.REGEX, "a".repeat(1025)))
                .hasMessageContaining("1024");
    }

    @Test
    void expressionThatMakesOthersSlowTakesOneStepAByte() {
        assertThat(matches(PathMatch.REGEX, "(a+)+b", "a".repeat(100_000))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 99, 1_234_567})
    void expressionsAgreeWithTheJdks(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        String letters = "ab/.*+?()|[]{2}\\d^-$1";
        for (int i = 0; i < 3000; i++) {
            StringBuilder b = new StringBuilder();
            for (int n = r.nextInt(10); n >= 0; n--) {
                b.append(letters.charAt(r.nextInt(letters.length())));
            }
            agree(b.toString(), r, seed);
        }
    }

    private static void agree(String pattern, RandomGenerator r, long seed) {
        PathPattern ours;
        Pattern theirs;
        try {
            ours = Patterns.parse(PathMatch.REGEX, pattern);
            theirs = Pattern.compile(pattern, Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            return;
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        // the JDK's sets have intersections and nested sets: another language
        if (pattern.matches(".*(\\[.*\\[|&&|\\[\\^?\\]|\\$).*")) {
            return;
        }
        for (int k = 0; k < 20; k++) {
            StringBuilder text = new StringBuilder();
            for (int n = r.nextInt(6); n > 0; n--) {
                text.append("ab/.2d1".charAt(r.nextInt(7)));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
            assertThat(ours.matches(bytes, 0, bytes.length))
                    .as("seed %d, pattern %s, text %s", seed, pattern, text)
                    .isEqualTo(theirs.matcher(text).matches());
        }
    }
}
