package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.WorkPools;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any routes compile or are refused with a reason, and any request through what compiled ends in a defined state. */
class RouteFuzzTest {
    private static final String[] HOSTS = {
        "a.example", "*.a.example", "*", "[::1]", "", "a b", "*.", "*.*", "A.Example", "é"
    };
    private static final String[] PATHS = {
        "/", "/a", "/a/", "/a/b", "a", "//", "/(", "/*", "/[a-", "/.*", "/%41", "/a|b", "~", "/é"
    };
    private static final String[] MATCHES = {"prefix", "exact", "wildcard", "regex"};
    private static final String[] ORIGINS = {"http://o", "https://o:1", "o", "http://o/x", "http://[::1]:9", ""};
    private static final String[] TARGETS = {
        "/", "/a", "/a/b?q", "/a//b", "/%41/../x", "/..;/a", "*", "http://a.example/a", "http://a.example", "/a%2fb"
    };

    private static String pick(RandomGenerator r, String... from) {
        return from[r.nextInt(from.length)];
    }

    private static void route(RandomGenerator r, Bench bench) {
        Object[] action = switch (r.nextInt(8)) {
            case 0 -> new Object[] {"deny", "on"};
            case 1 -> new Object[] {"demo", "on"};
            case 2 -> new Object[] {"forward", "on"};
            case 3 ->
                new Object[] {"connect", Bench.map("enabled", "on", "ports", List.of(pick(r, "443", "1-65535", "x")))};
            case 4 ->
                new Object[] {"respond", Bench.map("status", r.nextInt(600), "content-type", pick(r, "a/b", "x\ny"))};
            case 5 -> new Object[] {"redirect", Bench.map(pick(r, "url", "url-prefix"), pick(r, "http://x", "/", " "))};
            case 6 -> new Object[] {"origins", List.of(pick(r, ORIGINS)), "rewrite-path", pick(r, PATHS)};
            default -> new Object[] {"origins", List.of(pick(r, ORIGINS), pick(r, ORIGINS))};
        };
        Object[] all = new Object[action.length + 8];
        System.arraycopy(action, 0, all, 8, action.length);
        Object[] match = {
            "path",
            pick(r, PATHS),
            "path-match",
            pick(r, MATCHES),
            "hosts",
            r.nextBoolean() ? List.of() : List.of(pick(r, HOSTS), pick(r, HOSTS)),
            "methods",
            r.nextInt(3) > 0 ? List.of() : List.of(pick(r, "GET", "X", "a b"))
        };
        System.arraycopy(match, 0, all, 0, 8);
        bench.route(all);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 20_061_121, 123_456_789})
    void anyRoutesCompileOrSayWhy(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        int compiled = 0;
        for (int i = 0; i < 300; i++) {
            Bench bench = new Bench();
            for (int n = r.nextInt(3); n >= 0; n--) {
                route(r, bench);
            }
            Programs.Compiled c = Programs.compile(
                    bench.config(), bench.servers, WorkPools.NONE, FunctionCatalogue.builtin(), Chance.seeded(1), null);
            assertThat(c.program() == null)
                    .as("seed %d", seed)
                    .isEqualTo(!c.problems().isEmpty());
            assertThat(c.problems()).allSatisfy(p -> assertThat(p.what()).isNotBlank());
            if (c.program() != null) {
                compiled++;
                requests(r, bench, c.program(), seed);
            }
        }
        assertThat(compiled).isPositive();
    }

    private static void requests(RandomGenerator r, Bench bench, Program program, long seed) {
        for (int k = 0; k < 10; k++) {
            String target = pick(r, TARGETS);
            String method = target.equals("*") ? "OPTIONS" : pick(r, "GET", "X", "POST");
            String host = target.startsWith("http") ? "a.example" : pick(r, "a.example", "x.a.example", "[::1]");
            ProgramRun run = bench.run(program, Bench.host(method + " " + target, host), "127.0.0.1");
            assertThat(run.action() != null || run.fault() != null)
                    .as("seed %d, %s %s", seed, method, target)
                    .isTrue();
            assertThat(run.fault()).isNotEqualTo(ProxyFault.FUNCTION);
        }
    }
}
