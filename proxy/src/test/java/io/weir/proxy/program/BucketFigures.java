package io.weir.proxy.program;

import io.weir.base.ConfigBinder;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.BucketConfig;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Prints nanoseconds that a request with ten directives takes in its program: without profiling, with it but without
 * buckets, and with one, three and ten calls in buckets. Run with the test class path: {@code java
 * io.weir.proxy.program.BucketFigures}.
 */
final class BucketFigures {
    private static final int DIRECTIVES = 10;
    private static final int ROUNDS = 41;
    private static final int REQUESTS = 100_000;
    private static final int[] NAMED = {-1, 0, 1, 3, 10};

    private BucketFigures() {}

    public static void main(String[] args) {
        Case[] cases = new Case[NAMED.length];
        for (int i = 0; i < NAMED.length; i++) {
            cases[i] = new Case(NAMED[i]);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (Case one : cases) {
                one.measure();
            }
        }
        for (Case one : cases) {
            String what = one.named < 0 ? "no profiling" : one.named + " calls with a bucket";
            System.out.printf("%-22s %7.1f ns a request%n", what, one.best);
        }
    }

    /** A program whose first directives name a bucket. */
    private static final class Case {
        private final int named;
        private final Program program;
        private final ProgramRun run;
        private final SyntheticRequest request;
        private double best = Double.MAX_VALUE;

        /** @param named how many directives name a bucket; -1: nothing is counted */
        private Case(int named) {
            this.named = named;
            Stats stats = new Stats();
            this.program = program(named);
            program.begin(stats);
            ProgramHost host = new ProgramHost(WorkPools.NONE, SystemClock.INSTANCE, stats, new RecordingLog());
            this.run = new ProgramRun(host, null);
            this.request = Bench.request(program, "GET /x", "127.0.0.1");
        }

        private void measure() {
            long began = SystemClock.INSTANCE.nanos();
            for (int i = 0; i < REQUESTS; i++) {
                run.start(request, program);
                run.finish();
            }
            best = Math.min(best, (double) (SystemClock.INSTANCE.nanos() - began) / REQUESTS);
        }

        private static Program program(int named) {
            ProgramBuilder builder =
                    new ProgramBuilder(FunctionCatalogue.builtin(), WorkPools.NONE, VirtualServers.DEFAULT);
            Map<String, BucketConfig> buckets = new LinkedHashMap<>();
            for (int i = 0; i < named; i++) {
                buckets.put("b" + i, new BucketConfig(null));
            }
            builder.buckets(
                    named < 0
                            ? PerformanceBuckets.OFF
                            : PerformanceBuckets.of(buckets, VirtualServers.DEFAULT, (_, what) -> {
                                throw new IllegalArgumentException(what);
                            }));
            for (int i = 0; i < DIRECTIVES; i++) {
                builder.add(
                        "default",
                        Stage.PATH_CHECK,
                        "url-check",
                        Map.of(),
                        RuleCondition.ALWAYS,
                        new ProgramBuilder.Common(i < named ? "b" + i : null, null, null),
                        Bench.AT,
                        "test");
            }
            return Objects.requireNonNull(
                    builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2));
        }
    }
}
