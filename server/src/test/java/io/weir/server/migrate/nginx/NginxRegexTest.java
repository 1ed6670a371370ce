package io.weir.server.migrate.nginx;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.semantics.NormalPath;
import io.weir.proxy.program.match.PathMatch;
import io.weir.proxy.program.match.PathPattern;
import io.weir.proxy.program.match.Patterns;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions over decoded paths against those over normal ones. */
class NginxRegexTest {
    private static final String[] ATOMS = {
        "a",
        "b",
        "/",
        "\\.",
        ".",
        "[^/]",
        "[a-z]",
        "[^a]",
        "[ /b]",
        "\\d",
        "\\w",
        "\\s",
        "\\W",
        "[^\\s]",
        "[%a]",
        "\\x20",
        "2",
        "0",
        "(a|b/)",
        "(?:%|c)",
        "[0-9A-F]",
        "é",
        "\\S",
        "-",
        "[[:punct:]]",
        "[^[:alpha:]]",
        "[[:space:]a]"
    };
    private static final String[] TIMES = {"", "", "", "*", "+", "?", "{2}", "{1,2}", "+?"};
    private static final String CHARACTERS = "aab/ /.%20é-cF\t!\n";

    private static PathPattern translated(String regex, boolean ignoreCase) {
        String whole = NginxRegex.overPaths(regex, ignoreCase);
        assertThat(whole).as(regex).isNotNull();
        return Patterns.parse(PathMatch.REGEX, String.valueOf(whole));
    }

    private static boolean matches(String regex, String normal) {
        return Patterns.matches(translated(regex, false), normal);
    }

    @ParameterizedTest
    @CsvSource({
        "'\\.php$', false, '.*(\\.php)(?:%0A)?'",
        "'^/a/[^/]*/b', false, '(/a/[^/]*/b).*'",
        "'^/(.*)', true, '(?i)(/(.*)).*'",
        "'^/a|x$', false, '(/a).*|.*(x)(?:%0A)?'",
    })
    void usualOnesStayAsTheyAre(String regex, boolean ignoreCase, String whole) {
        assertThat(NginxRegex.overPaths(regex, ignoreCase)).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?=a)",
                "a(?!b)",
                "(a)\\1",
                "\\bx",
                "a++",
                "[[:letter:]]",
                "[[.a.]]",
                "(a",
                "a)",
                "a)(b",
                "[a",
                "a$b",
                "(^a|b)",
                "[z-a]",
                "\\"
            })
    void whatWeirHasNotIsNotTranslated(String regex) {
        assertThat(NginxRegex.overPaths(regex, false)).isNull();
    }

    @Test
    void aBlankIsOneCharacter() {
        assertThat(matches("^/a.b$", "/a%20b")).isTrue();
        assertThat(matches("^/a[^/]b$", "/a%20b")).isTrue();
        assertThat(matches("^/a..b$", "/a%20b")).isFalse();
        assertThat(matches("^/a\\sb$", "/a%20b")).isTrue();
        assertThat(matches("^/20", "/%20")).isFalse();
        assertThat(matches("^/.20", "/%20")).isFalse();
        assertThat(matches("^/.*20$", "/%20")).isFalse();
        assertThat(matches("^/é$", "/%C3%A9")).isTrue();
        assertThat(matches("^/..$", "/%C3%A9")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomOnesMatchTheSamePaths(long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        int found = 0;
        for (int i = 0; i < 150; i++) {
            StringBuilder regex = new StringBuilder(random.nextInt(3) == 0 ? "" : "^/");
            for (int n = random.nextInt(5); n >= 0; n--) {
                regex.append(ATOMS[random.nextInt(ATOMS.length)]).append(TIMES[random.nextInt(TIMES.length)]);
            }
            regex.append(random.nextInt(2) == 0 ? "$" : "");
            boolean ignoreCase = random.nextInt(4) == 0;
            // as nginx: over the bytes
            String java = regex.toString()
                    .replace("[:punct:]", "\\p{Punct}")
                    .replace("[:alpha:]", "\\p{Alpha}")
                    .replace("[:space:]", "\\s");
            Pattern source = Pattern.compile(
                    new String(java.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1),
                    Pattern.UNIX_LINES | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0));
            PathPattern pattern = translated(regex.toString(), ignoreCase);
            for (int k = 0; k < 20; k++) {
                StringBuilder path = new StringBuilder("/");
                for (int n = random.nextInt(7); n > 0; n--) {
                    path.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
                }
                byte[] decoded = path.toString().getBytes(StandardCharsets.UTF_8);
                boolean expected = source.matcher(new String(decoded, StandardCharsets.ISO_8859_1))
                        .find();
                found += expected ? 1 : 0;
                assertThat(Patterns.matches(pattern, normal(decoded)))
                        .as("%s of %s: %s", regex, path, NginxRegex.overPaths(regex.toString(), ignoreCase))
                        .isEqualTo(expected);
            }
        }
        assertThat(found).isGreaterThan(200);
    }

    private static String normal(byte[] decoded) {
        StringBuilder path = new StringBuilder();
        for (byte b : decoded) {
            boolean plain = b > ' ' && b < 0x7f && b != '%';
            path.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b & 0xff));
        }
        String text = path.toString();
        return text.contains("/.") ? text : NormalPath.of(text);
    }
}
