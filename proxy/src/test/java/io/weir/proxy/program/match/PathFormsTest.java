package io.weir.proxy.program.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigProblem;
import io.weir.proxy.program.Bench;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathFormsTest {
    private static final Bench GUARDED =
            new Bench().route("path", "/admin", "deny", "on").route("respond", Bench.map("status", 200));

    private static Object result(String path) {
        ProgramRun run = GUARDED.run("GET " + path);
        return run.action() == null ? String.valueOf(run.fault()) : "passes";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/admin",
                "/admin/",
                "/admin/x",
                "/./admin",
                "/x/../admin",
                "/x/%2e%2e/admin",
                "/%61dmin",
                "/%61%64%6D%69n/x",
                "/../admin",
                "/../../admin",
                "/.%2e/admin",
                "/x/y/../../admin",
                "/admin/.",
                "/admin/x/..",
            })
    void otherSpellingsOfAPathFallUnderItsRule(String path) {
        assertThat(result(path)).isEqualTo("DENIED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//admin",
                "/x/..//admin",
                "/x%2f..%2fadmin",
                "/%2fadmin",
                "/\\admin",
                "/x/..%5cadmin",
                "/x/..;/admin",
                "/x/..;a=b/admin",
                "/x/.;/..;/admin",
                "/admin;a=b",
                "/admin;a=b/x",
                "/;/admin",
                "/x;/%2e%2e;/admin;",
            })
    void pathsThatOriginsReadOtherwiseAreRefusedWhenThatGoesAroundARule(String path) {
        assertThat(result(path)).isIn("PATH_AMBIGUOUS", "DENIED");
        assertThat(ProxyFault.PATH_AMBIGUOUS.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a//b",
                "/web/2026/http://www.example.com/",
                "/a%2Fb",
                "/a;b=c/d",
                "/...",
                "/.hidden",
                "/..x",
                "/x/...;/admin",
                "/administrator",
                "/a/..",
                "/%zz%",
            })
    void otherPathsPassAsTheyAre(String path) {
        assertThat(result(path)).isIn("passes", "URL_MALFORMED");
        assertThat(result("/a%2Fb")).isEqualTo("passes");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/./b, /a/b",
        "/a/../b, /b",
        "/a/b/.., /a/",
        "/a/b/., /a/b/",
        "/.., /",
        "/%7Euser/%41, /~user/A",
        "/a%2fb, /a%2Fb",
        "/caf%c3%A9, /caf%C3%A9",
        "/a//../b, /a/b",
        "/a%, /a%",
        "/%%361dmin, /%%361dmin",
        "/%6%31dmin, /%6%31dmin",
        "/%2E%2E/%2e/x, /x",
    })
    void normalFormIsThatOfRfc3986(String path, String normal) {
        Bench bench = new Bench().route("origins", List.of("http://o"));
        Program program = bench.program();
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(Bench.request(program, "OPTIONS " + path, "127.0.0.1"), program);
        MatchInput in = run.input;
        assertThat(new String(
                        in.pathBytes, in.pathFrom, in.pathTo - in.pathFrom, java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(normal);
    }

    /** A rule means what is asked for, however the operator spells its path. */
    @ParameterizedTest
    @CsvSource({
        "/%61dmin, /admin/x",
        "/%61dmin, /%61dmin",
        "/top%2Dsecret, /top-secret",
        "/caf%c3%a9, /caf%C3%A9/x",
        "/caf%C3%A9, /caf%c3%a9",
        "/café, /caf%c3%a9",
        "/a b, /a%20b/c",
        "/x/./y/../admin, /x/admin",
    })
    void rulesAreKeptInTheFormThatPathsAreMatchedIn(String rule, String path) {
        for (String match : List.of("prefix", "exact")) {
            Bench bench = new Bench()
                    .route("path", rule, "path-match", match, "deny", "on")
                    .route("respond", Bench.map("status", 200));
            String asked = match.equals("exact") ? path.replaceAll("/[xc]$", "") : path;
            assertThat(bench.run("GET " + asked).fault())
                    .as(match + " " + asked)
                    .isEqualTo(ProxyFault.DENIED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "wildcard, /%61dmin*, a",
        "wildcard, /caf%c3%A9*, %C3",
        "wildcard, /café*, %C3%A9",
        "wildcard, /a b*, %20",
        "regex, /%61dmin.*, a",
        "regex, /a%2db, -",
    })
    void aPatternThatNoPathMatchesAsItIsMeantIsRefused(String match, String pattern, String instead) {
        assertThat(problems(match, pattern))
                .singleElement()
                .asString()
                .contains("write that")
                .contains('"' + instead + '"');
    }

    @Test
    void dotsInAShellExpressionAreRefused() {
        assertThat(problems("wildcard", "/a/../b*"))
                .singleElement()
                .asString()
                .contains("requests are matched after dot segments are resolved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://www.example.com/*", "admin/*", "2026/*"})
    void aShellExpressionThatDoesNotBeginWithASlashIsRefused(String pattern) {
        assertThat(problems("wildcard", pattern))
                .singleElement()
                .asString()
                .contains("paths begin with a slash, so \"" + pattern + "\" matches none");
    }

    @ParameterizedTest
    @CsvSource({
        "wildcard, '*.gif'",
        "wildcard, '(/a|/b)*'",
        "wildcard, /a%2Fb*",
        "wildcard, '*[% ]*'",
        "regex, '/[^ ]+'",
        "regex, '/%[0-9A-F]{2}.*'",
        "regex, /../x",
    })
    void otherPatternsMayBe(String match, String pattern) {
        assertThat(problems(match, pattern)).isEmpty();
    }

    /** RFC 3986 leaves open whether reserved characters mean the same encoded: to origins that decode paths they do. */
    @Test
    void encodedReservedCharactersDoNotBypassARule() {
        Bench bench = new Bench()
                .route("path", "/a+b@c:d,e!f=g&h$i;j(k)", "deny", "on")
                .route("path", "/*mail@example*", "path-match", "wildcard", "deny", "on")
                .route("respond", Bench.map("status", 200));
        for (String path : List.of(
                "/a%2Bb@c:d,e!f=g&h$i;j(k)",
                "/a+b%40c:d,e!f=g&h$i;j(k)/x", "/a+b@c%3ad%2ce%21f%3dg%26h%24i%3Bj%28k%29", "/x/mail%40example.com")) {
            assertThat(bench.run("GET " + path).fault()).as(path).isEqualTo(ProxyFault.PATH_AMBIGUOUS);
        }
        for (String path : List.of("/a%2Bb", "/other%40example", "/a%20b", "/%C3%A9", "/100%25")) {
            assertThat(bench.run("GET " + path).action()).as(path).isInstanceOf(Action.Respond.class);
        }
    }

    /** Sessions in URLs, as Java's containers write them. */
    @Test
    void parametersAreRefusedOnlyWhereACheckWouldApplyWithoutThem() {
        Bench bench = new Bench()
                .route("path", "/shop", "respond", Bench.map("status", 201))
                .route("path", "/secret", "deny", "on")
                .route("respond", Bench.map("status", 200));
        for (String path : List.of("/shop;jsessionid=1", "/shop/cart;jsessionid=1", "/other;jsessionid=1/secret")) {
            assertThat(bench.run("GET " + path).action()).as(path).isInstanceOf(Action.Respond.class);
        }
        assertThat(bench.run("GET /secret;jsessionid=1").fault()).isEqualTo(ProxyFault.PATH_AMBIGUOUS);
    }

    private static List<ConfigProblem> problems(String match, String pattern) {
        return new Bench()
                .route("path", pattern, "path-match", match, "deny", "on")
                .problems();
    }

    @Test
    void longPathsAreNormalisedWhole() {
        String path = "/x/.." + "/%61".repeat(2000);
        Bench bench = new Bench().route("path", "/a".repeat(200), "respond", Bench.map("status", 200));
        assertThat(bench.run("GET " + path).action()).isInstanceOf(Action.Respond.class);
    }

    @Test
    void absoluteTargetWithoutPathIsTheRoot() {
        Bench bench = new Bench().route("hosts", List.of("www.example.com"), "respond", Bench.map("status", 200));
        assertThat(bench.run("GET http://www.example.com").action()).isInstanceOf(Action.Respond.class);
    }
}
