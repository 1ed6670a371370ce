package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigProblem;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code ./weir check} says of routes that never match, compared with what answers: all requests of a small world are
 * made to random routes of that world.
 */
@Tag("slow")
class UnreachableRoutesTest {
    /** The status by which a route is told apart: its number more than this. */
    private static final int FIRST = 200;

    private static final String[] HOSTS = {"x.test", "y.x.test", "z.test", "q.test", "other.invalid"};
    private static final String[] METHODS = {"GET", "POST", "PUT"};
    private static final List<String> PATHS = paths();

    /** All of up to four letters, a or b, with slashes between them. */
    private static List<String> paths() {
        List<String> all = new ArrayList<>(List.of("/"));
        for (int i = 0; i < all.size() && all.size() < 120; i++) {
            String path = all.get(i);
            all.add(path + "a");
            all.add(path + "b");
            if (!path.endsWith("/")) {
                all.add(path + "/");
            }
        }
        return all;
    }

    private static String text(RandomGenerator r, String letters, int most) {
        StringBuilder text = new StringBuilder("/");
        for (int i = r.nextInt(most + 1); i > 0; i--) {
            char c = letters.charAt(r.nextInt(letters.length()));
            text.append(c == '.' && r.nextBoolean() ? ".*" : String.valueOf(c));
        }
        return text.toString().replaceAll("//+", "/");
    }

    private static void servers(RandomGenerator r, Bench bench) {
        List<List<String>> hosts = List.of(
                List.of("x.test"), List.of("*.x.test"), List.of("X.test.", "z.test"), List.of("*.test"), List.of());
        Map<String, VirtualServerConfig> servers = new LinkedHashMap<>();
        for (String name : List.of("v", "w")) {
            servers.put(name, new VirtualServerConfig(hosts.get(r.nextInt(hosts.size())), List.of()));
        }
        bench.servers = servers;
    }

    private static void route(RandomGenerator r, Bench bench, int number) {
        String match = List.of("prefix", "exact", "wildcard", "regex").get(r.nextInt(4));
        String path = switch (match) {
            case "wildcard" -> text(r, "ab*/", 3);
            case "regex" -> text(r, "ab./", 3);
            default -> text(r, "ab/", 2);
        };
        List<String> hosts = List.of(
                        List.<String>of(), List.of("x.test"), List.of("*.x.test"), List.of("x.test", "*.test"))
                .get(r.nextInt(8) % 4 * (r.nextInt(3) / 2));
        List<String> methods = List.of(List.<String>of(), List.of("GET"), List.of("POST"), List.of("GET", "POST"))
                .get(r.nextInt(4) * r.nextInt(2));
        List<Object> route = new ArrayList<>();
        if (!bench.servers.isEmpty() && r.nextInt(3) == 0) {
            route.addAll(List.of("virtual-server", r.nextBoolean() ? "v" : "w"));
        }
        route.addAll(List.of(
                "path",
                path,
                "path-match",
                match,
                "hosts",
                hosts,
                "methods",
                methods,
                "respond",
                Bench.map("status", FIRST + number)));
        bench.route(route.toArray());
    }

    /** The routes that answered anything. */
    private static BitSet answering(Bench bench) {
        BitSet answering = new BitSet();
        Program program = bench.program();
        for (String path : PATHS) {
            for (String host : HOSTS) {
                for (String method : METHODS) {
                    ProgramRun run = bench.run(program, Bench.host(method + " " + path, host), "127.0.0.1");
                    if (run.action() instanceof Action.Respond respond) {
                        answering.set(respond.status() - FIRST);
                    }
                }
            }
        }
        return answering;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsSaidToNeverMatchAnswersNothingAndWhatAnswersNothingIsSaid(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        int said = 0;
        int unsaid = 0;
        for (int i = 0; i < 150; i++) {
            Bench bench = new Bench();
            if (i % 2 == 0) {
                servers(r, bench);
            }
            int routes = 2 + r.nextInt(5);
            for (int n = 0; n < routes; n++) {
                route(r, bench, n);
            }
            List<ConfigProblem> never =
                    Programs.unreachable(bench.config(), bench.servers, Map.of("http", ""), bench.tree());
            BitSet answering = answering(bench);
            for (int n = 0; n < routes; n++) {
                String key = "proxy.routes[" + n + "]";
                boolean told = never.stream().anyMatch(p -> p.key().equals(key));
                assertThat(told && answering.get(n))
                        .as(
                                "seed %d, %s of %s, %s: %s",
                                seed, key, bench.config().routes(), bench.servers, never)
                        .isFalse();
                said += told ? 1 : 0;
                unsaid += !told && !answering.get(n) ? 1 : 0;
            }
        }
        assertThat(said).as("of them many are found").isGreaterThan(25);
        assertThat(unsaid)
                .as("seed %d: what answers nothing here and is not said to", seed)
                .isZero();
    }

    @Test
    void aRouteForAHostThatOnlyAVirtualServerGetsIsBehindTheRoutesOfThatServer() {
        Bench bench = new Bench();
        bench.servers = Map.of("v", new VirtualServerConfig(List.of("v.test"), List.of()));
        bench.route("virtual-server", "v", "deny", "on").route("hosts", List.of("V.test."), "demo", "on");
        assertThat(never(bench)).singleElement().satisfies(p -> {
            assertThat(p.key()).isEqualTo("proxy.routes[1]");
            assertThat(p.what()).contains("proxy.routes[0] takes all of its requests before it");
        });
    }

    @Test
    void connectAndOtherMethodsDoNotMeet() {
        Bench bench = new Bench();
        bench.route("methods", List.of("CONNECT"), "demo", "on")
                .route("methods", List.of("GET"), "connect", Bench.map("enabled", "on"))
                .route("methods", List.of("GET", "CONNECT"), "path", "/x", "demo", "on");
        assertThat(never(bench)).extracting(ConfigProblem::key).containsExactly("proxy.routes[0]", "proxy.routes[1]");
        assertThat(never(bench)).extracting(ConfigProblem::what).allMatch(w -> w.contains("CONNECT"));
    }

    private static List<ConfigProblem> never(Bench bench) {
        return Programs.unreachable(bench.config(), bench.servers, Map.of("http", ""), bench.tree());
    }
}
