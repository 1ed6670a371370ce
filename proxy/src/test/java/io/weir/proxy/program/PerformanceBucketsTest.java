package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigProblem;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.http.Fields;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.BucketConfig;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.config.VirtualServerConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.OriginAnswer;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.PerformanceBucket;
import io.weir.proxy.program.run.PerformanceBuckets;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramHost;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.server.VirtualServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Performance buckets: what {@code bucket=} counts of which calls, and what it costs to count nothing. */
class PerformanceBucketsTest {
    private final Probe probe = new Probe("probe");
    private final ManualPools pools = new ManualPools("slow");
    private final Bench bench = new Bench(pools);
    private final Map<String, BucketConfig> declared = new LinkedHashMap<>();
    private VirtualServers servers = VirtualServers.DEFAULT;
    private boolean profiling = true;

    private ProgramBuilder compiled(String text) {
        List<ServerFunction> all = new ArrayList<>(FunctionCatalogue.builtin().all());
        all.add(probe);
        ProgramBuilder builder = new ProgramBuilder(new FunctionCatalogue(all), pools, servers);
        builder.buckets(profiling ? buckets(builder) : PerformanceBuckets.OFF);
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        return builder;
    }

    private PerformanceBuckets buckets(ProgramBuilder builder) {
        return PerformanceBuckets.of(declared, servers, (key, what) -> builder.problem(Bench.AT, key, what));
    }

    private Program program(String text) {
        ProgramBuilder builder = compiled(text);
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private static String object(String... lines) {
        return "<Object name=\"default\">\n" + String.join("\n", lines) + "\n</Object>\n";
    }

    private void declare(String... names) {
        for (String name : names) {
            declared.put(name, new BucketConfig(null));
        }
    }

    private long value(StatSpec spec, String bucket) {
        return bench.stats.value(spec, bucket, "default");
    }

    private long requests(String bucket) {
        return value(ProxyStats.BUCKET_REQUESTS, bucket);
    }

    private long calls(String bucket) {
        return value(ProxyStats.BUCKET_INVOCATIONS, bucket);
    }

    private long time(String bucket) {
        return value(ProxyStats.BUCKET_TIME, bucket);
    }

    private long waited(String bucket) {
        return value(ProxyStats.BUCKET_DISPATCH, bucket);
    }

    private void spends(String mark, long nanos, StepOutcome outcome) {
        probe.does(mark, _ -> {
            bench.clock.step(Duration.ofNanos(nanos));
            return outcome;
        });
    }

    /** A whole exchange: all stages. */
    private void exchange(Program program) {
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        assertThat(run.start(request, program)).isEqualTo(RunState.READY);
        run.service();
        run.connect();
        run.output(new OriginAnswer(200, new Fields()));
        run.error(ProxyFault.DENIED);
        run.finish();
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void callsInEachStageAreCountedOnceWithTheirTime(Stage stage) {
        declare("mine", "other");
        spends("1", 500, StepOutcome.NOACTION);
        Program program = program(object(stage.word() + " fn=probe mark=1 bucket=mine"));
        exchange(program);
        exchange(program);
        assertThat(requests("mine")).isEqualTo(2);
        assertThat(calls("mine")).isEqualTo(2);
        assertThat(time("mine")).isEqualTo(1000);
        assertThat(waited("mine")).isZero();
        assertThat(calls("other") + calls("default-bucket")).isZero();
    }

    @Test
    void requestCountsOnceHoweverManyCallsItMakesAndHoweverOftenItStarts() {
        declare("mine");
        spends("1", 5, StepOutcome.NOACTION);
        probe.does("2", run -> run.restarts() == 0 ? StepOutcome.RESTART : StepOutcome.PROCEED);
        Program program = program(object(
                "PathCheck fn=probe mark=1 bucket=mine",
                "PathCheck fn=probe mark=2 bucket=mine",
                "ObjectType fn=probe mark=1 bucket=mine"));
        bench.run(program, "GET /x", "127.0.0.1");
        assertThat(calls("mine")).isEqualTo(5);
        assertThat(requests("mine")).isEqualTo(1);
        assertThat(time("mine")).isEqualTo(15);
    }

    @Test
    void callsWithoutABucketAreInTheDefaultOneOnceTheRequestHasEnded() {
        Program program = program(object(
                "PathCheck fn=probe mark=1",
                "PathCheck fn=probe mark=1 bucket=default-bucket",
                "ObjectType fn=probe mark=1",
                "AddLog fn=probe mark=1"));
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(request, program);
        assertThat(calls("default-bucket")).isZero();
        run.finish();
        assertThat(calls("default-bucket")).isEqualTo(4);
        run.start(request, program);
        run.finish();
        assertThat(calls("default-bucket")).isEqualTo(8);
        assertThat(program.notes()).isEmpty();
    }

    private List<PendingStep> pending(String mark) {
        List<PendingStep> promises = new ArrayList<>();
        probe.does(mark, run -> {
            promises.add(run.pend());
            return StepOutcome.WAITING;
        });
        return promises;
    }

    @Test
    void functionThatDecidesLaterIsTimedUntilItHasDecided() {
        declare("mine");
        List<PendingStep> promises = pending("1");
        Program program = program(object("PathCheck fn=probe mark=1 bucket=mine"));
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(request, program);
        bench.clock.step(Duration.ofNanos(300));
        promises.getFirst().complete(_ -> {
            bench.clock.step(Duration.ofNanos(20));
            return StepOutcome.PROCEED;
        });
        request.turn();
        bench.clock.step(Duration.ofNanos(7_000));
        run.finish();
        assertThat(request.resumedWith()).isEqualTo(RunState.READY);
        assertThat(calls("mine")).isEqualTo(1);
        assertThat(time("mine")).isEqualTo(320);
    }

    @Test
    void functionThatNobodyWaitsForAnyLongerIsTimedUntilThen() {
        declare("mine");
        List<PendingStep> promises = pending("1");
        Program program = program(object("PathCheck fn=probe mark=1 bucket=mine"));
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(request, program);
        bench.clock.step(Duration.ofNanos(300));
        run.abandon();
        bench.clock.step(Duration.ofNanos(7_000));
        promises.getFirst().complete(StepOutcome.PROCEED);
        request.turn();
        run.finish();
        assertThat(calls("mine")).isEqualTo(1);
        assertThat(time("mine")).isEqualTo(300);
    }

    @Test
    void callInAPoolHasItsWaitAndItsTimeApart() {
        declare("mine");
        spends("1", 40, StepOutcome.PROCEED);
        probe.works("1", () -> bench.clock.step(Duration.ofNanos(2_000)));
        Program program = program(object("PathCheck fn=probe mark=1 bucket=mine pool=slow"));
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(bench.host, null);
        run.start(request, program);
        bench.clock.step(Duration.ofNanos(700));
        pools.run();
        bench.clock.step(Duration.ofNanos(9_000));
        request.turn();
        run.finish();
        assertThat(request.resumedWith()).isEqualTo(RunState.READY);
        assertThat(requests("mine")).isEqualTo(1);
        assertThat(calls("mine")).isEqualTo(1);
        assertThat(waited("mine")).isEqualTo(700);
        assertThat(time("mine")).isEqualTo(2_040);
        assertThat(waited("default-bucket")).isZero();
    }

    @Test
    void busyFunctionIsPartOfTheCallThatWasRefused() {
        declare("mine");
        spends("busy", 30, StepOutcome.PROCEED);
        pools.full = true;
        exchange(program(object("PathCheck fn=probe mark=1 bucket=mine pool=slow busy=probe")));
        assertThat(calls("mine")).isEqualTo(1);
        assertThat(time("mine")).isZero();
        exchange(program(object("PathCheck fn=probe bucket=mine pool=slow busy=probe")));
        assertThat(calls("mine")).isEqualTo(2);
        assertThat(time("mine")).isEqualTo(30);
    }

    @Test
    void bucketThatIsNotDeclaredIsReportedAndItsCallsAreInTheDefaultOne() {
        declare("acl-bucket");
        Program program = program(object("PathCheck fn=probe mark=1 bucket=acl-buckt"));
        exchange(program);
        assertThat(calls("default-bucket")).isEqualTo(1);
        assertThat(calls("acl-bucket")).isZero();
        assertThat(program.notes())
                .singleElement()
                .asString()
                .contains("obj.conf:2:1", "there is no bucket \"acl-buckt\"; did you mean \"acl-bucket\"?")
                .contains("Known: acl-bucket, cache-bucket, default-bucket", "counted in default-bucket");
    }

    @Test
    void predefinedBucketsComeFirstThenTheDeclaredOnesAsDeclared() {
        declared.put("z", new BucketConfig("The last letter"));
        declare("a");
        assertThat(program(object("PathCheck fn=probe mark=1")).buckets().all())
                .extracting(b -> b.name() + ": " + b.description())
                .containsExactly(
                        "default-bucket: Default bucket",
                        "cache-bucket: Cached responses",
                        "z: The last letter",
                        "a: a");
    }

    @Test
    void nothingIsCountedAndNoClockReadWithoutProfiling() {
        profiling = false;
        CountingClock clock = new CountingClock(bench.clock);
        Stats stats = new Stats();
        ProgramHost host = new ProgramHost(pools, clock, stats, bench.log);
        Program program =
                program(object("PathCheck fn=probe mark=1 bucket=mine", "PathCheck fn=probe mark=2 pool=slow"));
        program.begin(stats);
        run(host, program);
        pools.run();
        assertThat(clock.readings).isZero();
        assertThat(program.buckets().all()).isEmpty();
        assertThat(program.notes()).isEmpty();
        assertThat(stats.names()).noneMatch(name -> name.contains("bucket"));
    }

    @Test
    void clockIsReadForCallsWithABucketOnly() {
        declare("mine");
        CountingClock clock = new CountingClock(bench.clock);
        ProgramHost host = new ProgramHost(pools, clock, bench.stats, bench.log);
        run(host, program(object("PathCheck fn=probe mark=1", "ObjectType fn=probe mark=2")));
        assertThat(clock.readings).isZero();
        run(host, program(object("PathCheck fn=probe mark=1 bucket=mine", "ObjectType fn=probe mark=2")));
        assertThat(clock.readings).isEqualTo(2);
    }

    private static void run(ProgramHost host, Program program) {
        ProgramRun run = new ProgramRun(host, null);
        run.start(Bench.request(program, "GET /x", "127.0.0.1"), program);
        run.finish();
    }

    private static final class CountingClock implements Clock {
        private final Clock clock;
        private int readings;

        private CountingClock(Clock clock) {
            this.clock = clock;
        }

        @Override
        public long nanos() {
            readings++;
            return clock.nanos();
        }

        @Override
        public long millis() {
            readings++;
            return clock.millis();
        }
    }

    @Test
    void asManyBucketsAsTheBoundAreCountedApart() {
        declare(IntStream.rangeClosed(1, 62).mapToObj(i -> "b" + i).toArray(String[]::new));
        String[] lines = IntStream.rangeClosed(1, 62)
                .mapToObj(i -> "PathCheck fn=probe mark=1 bucket=b" + i)
                .toArray(String[]::new);
        exchange(program(object(lines)));
        assertThat(IntStream.rangeClosed(1, 62).mapToLong(i -> requests("b" + i)))
                .containsOnly(1L);
    }

    private List<String> problems() {
        return compiled(object("PathCheck fn=probe mark=1")).problems().stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void moreBucketsThanTheBoundAreRefused() {
        declare(IntStream.rangeClosed(1, 63).mapToObj(i -> "b" + i).toArray(String[]::new));
        assertThat(problems()).singleElement().asString().contains("at most 62 buckets can be declared, found 63");
    }

    @Test
    void bucketsAreCountedForEachVirtualServerWithinABound() {
        declare("mine");
        servers = VirtualServers.of(Map.of("shop", server("shop.example.com")));
        Program program = program(object("PathCheck fn=probe mark=1 bucket=mine"));
        bench.run(program, "GET /x HTTP/1.1\r\nHost: shop.example.com\r\n\r\n", "127.0.0.1");
        bench.run(program, "GET /x HTTP/1.1\r\nHost: other.example.com\r\n\r\n", "127.0.0.1");
        bench.run(program, "GET /y HTTP/1.1\r\nHost: other.example.com\r\n\r\n", "127.0.0.1");
        assertThat(bench.stats.value(ProxyStats.BUCKET_REQUESTS, "mine", "shop"))
                .isEqualTo(1);
        assertThat(bench.stats.value(ProxyStats.BUCKET_REQUESTS, "mine", "default"))
                .isEqualTo(2);
        Map<String, VirtualServerConfig> many = new LinkedHashMap<>();
        IntStream.range(0, 400).forEach(i -> many.put("v" + i, server("v" + i + ".example.com")));
        servers = VirtualServers.of(many);
        assertThat(problems())
                .singleElement()
                .asString()
                .contains("3 buckets, with the two predefined ones, of 401 virtual servers are more than 1000");
    }

    private static VirtualServerConfig server(String host) {
        VirtualServerConfig standard = ConfigBinder.defaults(VirtualServerConfig.class);
        return new VirtualServerConfig(List.of(host), standard.listeners(), null, null, standard.limits());
    }

    @Test
    void namesAndDescriptionsStayInOneLine() {
        declared.put("all-requests", new BucketConfig(null));
        declared.put("two\nlines", new BucketConfig(null));
        declared.put("described", new BucketConfig("in\ntwo lines"));
        assertThat(problems()).hasSize(3).anyMatch(p -> p.contains("all-requests: is the sum of all buckets"));
    }

    @Test
    void bucketsThatAProgramLacksAreShownNoLonger() {
        declare("old", "kept");
        program(object("PathCheck fn=probe mark=1 bucket=kept")).begin(bench.stats);
        assertThat(shown()).containsExactly("default-bucket", "kept", "old");
        Program before = program(object("PathCheck fn=probe mark=1 bucket=kept"));
        before.begin(bench.stats);
        ProgramRun late = new ProgramRun(bench.host, null);
        late.start(Bench.request(before, "GET /x", "127.0.0.1"), before);
        declared.remove("old");
        declare("new");
        Program after = program(object("PathCheck fn=probe mark=1 bucket=kept", "ObjectType fn=probe bucket=new"));
        after.begin(bench.stats);
        late.finish();
        assertThat(shown()).containsExactly("default-bucket", "kept", "new");
        assertThat(calls("kept")).as("counts go on").isEqualTo(1);
    }

    private List<String> shown() {
        return bench.stats.samples(ProxyStats.BUCKET_INVOCATIONS.name()::equals).stream()
                .map(s -> s.labels().getFirst())
                .toList();
    }

    @Test
    void predefinedCacheBucketIsShownOnceADirectiveNamesIt() {
        program(object("PathCheck fn=probe mark=1")).begin(bench.stats);
        assertThat(shown()).containsExactly("default-bucket");
        Program program = program(object("PathCheck fn=probe mark=1 bucket=cache-bucket"));
        program.begin(bench.stats);
        assertThat(shown()).containsExactly("cache-bucket", "default-bucket");
        assertThat(named(program, "cache-bucket")).isNotNull();
    }

    private static @Nullable PerformanceBucket named(Program program, String name) {
        return program.buckets().named(name);
    }
}
