package io.weir.proxy.program.match;

import io.weir.base.SystemClock;
import io.weir.proxy.program.Bench;
import io.weir.proxy.program.server.VirtualServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints nanoseconds for each match with 10 to 10,000 rules, the request matching the first, the middle, the last or no
 * rule. Run with the test class path: {@code java io.weir.proxy.program.match.RuleIndexFigures}.
 */
final class RuleIndexFigures {
    private static final int[] SIZES = {10, 100, 1000, 10_000};
    private static final int ROUNDS = 9;
    private static final int CALLS = 100_000;

    private static int sink;

    private RuleIndexFigures() {}

    enum Kind {
        EXACT,
        PREFIX,
        WILDCARD,
        SUFFIX_WILDCARD,
        REGEX,
        HOST
    }

    public static void main(String[] args) {
        System.out.printf(
                "%-16s %-7s %8s %8s %8s %8s   ratio 10,000/10%n",
                "ns per match", "match", "10", "100", "1000", "10000");
        for (Kind kind : Kind.values()) {
            warmUp(kind);
        }
        for (Kind kind : Kind.values()) {
            for (String where : List.of("first", "middle", "last", "none", "spread")) {
                row(kind, where);
            }
        }
        compile();
        System.out.println("(" + sink % 10 + ")");
    }

    /** How long a live change of 10,000 routes takes. */
    private static void compile() {
        Bench bench = new Bench();
        for (int i = 0; i < 10_000; i++) {
            bench.route(
                    "path",
                    "/app" + i + (i % 2 == 0 ? "/*.html" : ""),
                    "path-match",
                    i % 2 == 0 ? "wildcard" : "prefix",
                    "deny",
                    "on");
        }
        long began = SystemClock.INSTANCE.nanos();
        sink += bench.program().objects().size();
        System.out.printf(
                "10,000 routes, half of them wildcards, compile in %d ms%n",
                (SystemClock.INSTANCE.nanos() - began) / 1_000_000);
    }

    private static void warmUp(Kind kind) {
        RuleIndex index = index(kind, 10);
        for (int i = 0; i < 20; i++) {
            measure(index, new MatchInput[] {input(kind, i % 12)});
        }
    }

    private static void row(Kind kind, String where) {
        double[] ns = new double[SIZES.length];
        RuleIndex[] indexes = new RuleIndex[SIZES.length];
        MatchInput[][] inputs = new MatchInput[SIZES.length][];
        for (int s = 0; s < SIZES.length; s++) {
            indexes[s] = index(kind, SIZES[s]);
            int i = switch (where) {
                case "first" -> 0;
                case "middle" -> SIZES[s] / 2;
                case "last" -> SIZES[s] - 1;
                default -> 99_999;
            };
            inputs[s] = where.equals("spread") ? spread(kind, SIZES[s]) : new MatchInput[] {input(kind, i)};
        }
        double[][] samples = new double[SIZES.length][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int s = 0; s < SIZES.length; s++) {
                samples[s][round] = measure(indexes[s], inputs[s]);
            }
        }
        for (int s = 0; s < SIZES.length; s++) {
            java.util.Arrays.sort(samples[s]);
            ns[s] = samples[s][ROUNDS / 2];
        }
        System.out.printf(
                "%-16s %-7s %8.1f %8.1f %8.1f %8.1f   %+.0f ns, %.2f%n",
                kind, where, ns[0], ns[1], ns[2], ns[3], ns[3] - ns[0], ns[3] / ns[0]);
    }

    /** Requests all over the rules, so that caches do not hold what a request needs. */
    private static MatchInput[] spread(Kind kind, int size) {
        MatchInput[] inputs = new MatchInput[1024];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = input(kind, (int) (i * 7919L % size));
        }
        return inputs;
    }

    private static double measure(RuleIndex index, MatchInput[] in) {
        long began = SystemClock.INSTANCE.nanos();
        for (int i = 0; i < CALLS; i++) {
            sink += index.first(in[i & in.length - 1], 0);
        }
        return (SystemClock.INSTANCE.nanos() - began) / (double) CALLS;
    }

    private static RuleIndex index(Kind kind, int size) {
        List<RuleCondition> rules = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String n = String.format("%05d", i);
            rules.add(
                    switch (kind) {
                        case EXACT -> RuleCondition.path(PathMatch.EXACT, "/app" + n + "/index.html");
                        case PREFIX -> RuleCondition.path(PathMatch.PREFIX, "/app" + n);
                        case WILDCARD -> RuleCondition.path(PathMatch.WILDCARD, "/app" + n + "/*.html");
                        case SUFFIX_WILDCARD -> RuleCondition.path(PathMatch.WILDCARD, "*/app" + n + "/index.html");
                        case REGEX -> RuleCondition.path(PathMatch.REGEX, "/app" + n + "/[a-z]+\\.html");
                        case HOST ->
                            new RuleCondition(
                                    List.of("app" + n + ".example.com"),
                                    null,
                                    null,
                                    java.util.Set.of(),
                                    java.util.Set.of());
                    });
        }
        return new RuleIndex(rules, VirtualServers.DEFAULT.ordinals());
    }

    private static MatchInput input(Kind kind, int i) {
        MatchInput in = new MatchInput();
        byte[] path = String.format("/app%05d/index.html", i).getBytes(StandardCharsets.ISO_8859_1);
        in.pathBytes = path;
        in.pathTo = path.length;
        String host = kind == Kind.HOST ? String.format("app%05d.example.com", i) : "www.example.com";
        byte[] name = host.getBytes(StandardCharsets.ISO_8859_1);
        in.host(name, 0, name.length);
        return in;
    }
}
