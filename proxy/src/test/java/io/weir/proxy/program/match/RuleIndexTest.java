package io.weir.proxy.program.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.http.Method;
import io.weir.http.TargetForm;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleIndexTest {
    private static final String[] SEGMENTS = {"a", "b", "ab", "app", "shop", "x1", "index.html", "aaaaaaaaaa", ""};
    private static final String[] HOSTS = {"a.example", "b.example", "x.a.example", "example", "y.x.a.example"};
    private static final String[] GLOBS = {
        "*",
        "/*",
        "*.html",
        "/a*",
        "/app/*",
        "*/b/*",
        "/?",
        "/[a-c]*",
        "(/a|/b/*)",
        "*app*",
        "/a*b",
        "/*~*html",
        "/index.html",
        "(*1|*l)",
        "/shop/(a|b)/*",
        "/\\*",
        "*aaaaaaaa*",
        "[^/]*"
    };
    private static final String[] REGEXES = {
        ".*",
        "/a+",
        "/(a|b)/.*",
        "/[a-z]+/x\\d",
        "(/app|/app/.*)",
        "/.*\\.html",
        "/a{2,3}.*",
        "/shop(/b)?",
        "",
        "/(ab)*",
        ".*/x1/.*|/b",
        "/a?b?(?:/.*)?"
    };
    private static final VirtualServers SERVERS = VirtualServers.of(Map.of(
            "one", new VirtualServerConfig(List.of("a.example"), List.of()),
            "two", new VirtualServerConfig(List.of("b.example"), List.of())));

    private static String pick(RandomGenerator r, String... from) {
        return from[r.nextInt(from.length)];
    }

    private static String path(RandomGenerator r) {
        StringBuilder b = new StringBuilder();
        for (int i = r.nextInt(4); i >= 0; i--) {
            b.append('/').append(pick(r, SEGMENTS));
        }
        return b.toString();
    }

    private static RuleCondition rule(RandomGenerator r) {
        RuleCondition.PathRule path = switch (r.nextInt(5)) {
            case 0 -> new RuleCondition.PathRule(PathMatch.EXACT, path(r));
            case 1 -> new RuleCondition.PathRule(PathMatch.PREFIX, path(r));
            case 2 -> new RuleCondition.PathRule(PathMatch.WILDCARD, pick(r, GLOBS));
            case 3 -> new RuleCondition.PathRule(PathMatch.REGEX, pick(r, REGEXES));
            default -> r.nextInt(8) == 0 ? null : new RuleCondition.PathRule(PathMatch.WILDCARD, path(r) + "*");
        };
        List<String> hosts = switch (r.nextInt(4)) {
            case 0 -> List.of(pick(r, HOSTS));
            case 1 -> List.of("*." + pick(r, HOSTS), pick(r, HOSTS));
            default -> List.of();
        };
        Set<String> methods = r.nextInt(3) == 0 ? Set.of(pick(r, "GET", "POST", "FROB")) : Set.of();
        Set<TargetForm> forms = r.nextInt(5) == 0 ? Set.of(TargetForm.ORIGIN) : Set.of();
        return new RuleCondition(hosts, r.nextInt(4) == 0 ? pick(r, "one", "two") : null, path, methods, forms);
    }

    private static MatchInput input(RandomGenerator r) {
        String method = pick(r, "GET", "POST", "FROB", "PUT");
        MatchInput in = input(path(r), pick(r, HOSTS));
        in.methodName = method;
        in.method = Method.of(method);
        in.form = r.nextBoolean() ? TargetForm.ORIGIN : TargetForm.ABSOLUTE;
        in.virtualServer = r.nextInt(SERVERS.all().size());
        return in;
    }

    private static MatchInput input(String path, String host) {
        MatchInput in = new MatchInput();
        byte[] text = ("xx" + path + "?q").getBytes(StandardCharsets.ISO_8859_1);
        in.pathBytes = text;
        in.pathFrom = 2;
        in.pathTo = text.length - 2;
        byte[] name = host.getBytes(StandardCharsets.ISO_8859_1);
        in.host(name, 0, name.length);
        return in;
    }

    private static int first(String path, PathMatch match, String... texts) {
        List<RuleCondition> rules = new ArrayList<>();
        for (String text : texts) {
            rules.add(RuleCondition.path(match, text));
        }
        return new RuleIndex(rules, SERVERS.ordinals()).first(input(path, "h"), 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42, 20_061_121, 7_777_777})
    void indexAgreesWithRulesReadOneByOne(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        for (int round = 0; round < 60; round++) {
            List<RuleCondition> rules = new ArrayList<>();
            int size = 1 + r.nextInt(60);
            for (int i = 0; i < size; i++) {
                rules.add(rule(r));
            }
            RuleIndex index = new RuleIndex(rules, SERVERS.ordinals());
            NaiveRules naive = new NaiveRules(rules, SERVERS.ordinals());
            for (int k = 0; k < 60; k++) {
                MatchInput in = input(r);
                int from = r.nextInt(4) == 0 ? r.nextInt(size) : 0;
                assertThat(index.first(in, from))
                        .as("seed %d round %d request %d", seed, round, k)
                        .isEqualTo(naive.first(in, from));
            }
        }
    }

    @Test
    void firstRuleInOrderWinsWhateverItsKind() {
        List<RuleCondition> rules = List.of(
                RuleCondition.path(PathMatch.WILDCARD, "*.html"),
                RuleCondition.path(PathMatch.EXACT, "/a/index.html"),
                RuleCondition.path(PathMatch.PREFIX, "/a"),
                RuleCondition.path(PathMatch.REGEX, "/a/.*"));
        RuleIndex index = new RuleIndex(rules, SERVERS.ordinals());
        MatchInput in = input("/a/index.html", "h");
        assertThat(index.first(in, 0)).isEqualTo(0);
        assertThat(index.first(in, 1)).isEqualTo(1);
        assertThat(index.first(in, 2)).isEqualTo(2);
        assertThat(index.first(in, 3)).isEqualTo(3);
        assertThat(index.first(in, 4)).isEqualTo(-1);
    }

    @Test
    void patternsThatShareTheirLiteralsAreToldApart() {
        assertThat(first("/app12/x.html", PathMatch.WILDCARD, "/app1/*.html", "/app12/*.html", "/app123/*.html"))
                .isEqualTo(1);
        assertThat(first("/app12/x.gif", PathMatch.WILDCARD, "/app1/*.html", "/app12/*.html"))
                .isEqualTo(-1);
    }

    @Test
    void thousandsOfRulesKeepTheirOrder() {
        List<RuleCondition> rules = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            rules.add(RuleCondition.path(
                    i % 2 == 0 ? PathMatch.PREFIX : PathMatch.WILDCARD, i % 2 == 0 ? "/p" + i : "/w" + i + "/*.gif"));
        }
        rules.add(RuleCondition.path(PathMatch.REGEX, "/.*"));
        RuleIndex index = new RuleIndex(rules, SERVERS.ordinals());
        assertThat(index.first(input("/p2998/x", "h"), 0)).isEqualTo(2998);
        assertThat(index.first(input("/w2999/x.gif", "h"), 0)).isEqualTo(2999);
        assertThat(index.first(input("/w2999/x.png", "h"), 0)).isEqualTo(3000);
        assertThat(index.first(input("nothing", "h"), 0)).isEqualTo(-1);
    }
}
