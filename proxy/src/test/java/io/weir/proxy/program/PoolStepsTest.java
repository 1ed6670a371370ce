package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigProblem;
import io.weir.http.Fields;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.objconf.ObjConfSource;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.FunctionContext;
import io.weir.proxy.program.run.Guard;
import io.weir.proxy.program.run.OriginAnswer;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyMessages;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.server.VirtualServers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pools and busy functions of directives, and failures of what directives call. */
class PoolStepsTest {
    private static final byte[] NOTHING = {};

    private final List<ServerFunction> functions =
            new ArrayList<>(FunctionCatalogue.builtin().all());
    private final Probe probe = new Probe("probe");
    private final Probe service = new Probe("testmod_service");
    private final ManualPools pools = new ManualPools("default", "my-custom-pool", "my-custom-pool2");
    private final Bench bench = new Bench(pools);
    private final ProgramRun run = new ProgramRun(bench.host, null);

    PoolStepsTest() {
        functions.add(probe);
        functions.add(service);
    }

    private ProgramBuilder builder() {
        return new ProgramBuilder(new FunctionCatalogue(functions), pools, VirtualServers.DEFAULT);
    }

    private ProgramBuilder compiled(String text) {
        ProgramBuilder builder = builder();
        new ObjConfSource("obj.conf", text, Map.of(), Chance.seeded(1)).compile(builder);
        return builder;
    }

    private static Program built(ProgramBuilder builder) {
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private Program program(String... lines) {
        return built(compiled(object(lines)));
    }

    private List<String> problems(String... lines) {
        return compiled(object(lines)).problems().stream()
                .sorted(ConfigProblem.IN_ORDER)
                .map(ConfigProblem::toString)
                .toList();
    }

    private static String object(String... lines) {
        return "<Object name=\"default\">\n" + String.join("\n", lines) + "\n</Object>\n";
    }

    private static SyntheticRequest get(Program program, String path) {
        return Bench.request(program, "GET " + path, "127.0.0.1");
    }

    /**
     * The example of the tuning guide's section "Custom Thread Pools", as written: thread A1 runs the request, B1 of
     * my-custom-pool the NameTrans, C1 of my-custom-pool2 the Service function; in between A1 goes on.
     */
    @Test
    void requestGoesFromItsThreadToThoseOfBothPoolsAndBack() {
        functions.removeIf(f -> f.name().equals("force-type"));
        functions.add(new ForceType());
        Program program = built(compiled("""
                <Object name="default">
                NameTrans fn="assign-name" from="/testmod" name="testmod" pool="my-custom-pool"
                </Object>
                <Object name="testmod">
                ObjectType fn="force-type" type="magnus-internal/testmod"
                Service method=(GET|HEAD|POST) type="magnus-internal/testmod"
                fn="testmod_service" pool="my-custom-pool2"
                </Object>
                """));
        service.does("busy", of -> {
            of.answerWith(new Action.Respond(200, "text/plain", NOTHING), null);
            return StepOutcome.PROCEED;
        });
        SyntheticRequest request = get(program, "/testmod");
        assertThat(run.start(request, program)).as("A1 waits for B1").isEqualTo(RunState.WAITING);
        assertThat(pools.submitted).containsExactly("my-custom-pool assign-name");
        assertThat(run.objectCount()).isEqualTo(1);
        pools.run();
        assertThat(request.turn()).as("A1 goes on").isTrue();
        assertThat(request.resumedWith()).as("ObjectType ran on A1").isEqualTo(RunState.READY);
        assertThat(run.type()).isEqualTo("magnus-internal/testmod");
        assertThat(run.service()).as("A1 waits for C1").isEqualTo(RunState.WAITING);
        assertThat(pools.submitted).containsExactly("my-custom-pool assign-name", "my-custom-pool2 testmod_service");
        pools.run();
        assertThat(service.marks).as("C1 ran the function").containsExactly("busy elsewhere");
        request.turn();
        assertThat(service.marks).containsExactly("busy elsewhere", "busy");
        assertThat(run.action()).isInstanceOf(Action.Respond.class);

        SyntheticRequest other = get(program, "/other");
        run.start(other, program);
        assertThat(pools.tasks).as("a request of another URI does not wait").isEmpty();
        pools.submitted.clear();
        SyntheticRequest put = Bench.request(program, "PUT /testmod", "127.0.0.1");
        run.start(put, program);
        pools.run();
        put.turn();
        run.service();
        assertThat(pools.submitted)
                .as("nor does one of another method wait for C1")
                .hasSize(1);
    }

    /** The function of the example, as far as it is needed here. */
    private record ForceType() implements ServerFunction {
        @Override
        public String name() {
            return "force-type";
        }

        @Override
        public Set<Stage> stages() {
            return EnumSet.of(Stage.OBJECT_TYPE);
        }

        @Override
        public List<ParameterSpec> parameters() {
            return List.of(ParameterSpec.required("type", ParameterSpec.Type.TEXT, "the type"));
        }

        @Override
        public String doc() {
            return "Sets the type.";
        }

        @Override
        public Step prepare(Parameters parameters) {
            return of -> {
                of.type(parameters.need("type"));
                return StepOutcome.PROCEED;
            };
        }
    }

    @Test
    void poolsHaveTheSameNameInAnyCaseAndUnknownOnesAreNamed() {
        Program program = program("PathCheck fn=probe pool=MY-custom-POOL");
        run.start(get(program, "/x"), program);
        Program nativePool = program("PathCheck fn=probe pool=NativePool");
        run.start(get(nativePool, "/x"), nativePool);
        assertThat(pools.submitted).containsExactly("my-custom-pool probe", "default probe");
        assertThat(problems("PathCheck fn=probe pool=my-custom-pol"))
                .singleElement()
                .asString()
                .contains(
                        "obj.conf:2:1", "there is no work manager \"my-custom-pol\"; did you mean \"my-custom-pool\"?");
    }

    @ParameterizedTest
    @EnumSource(names = {"FILTER", "OUTPUT", "ADD_LOG"})
    void stagesThatMustNotWaitRefuseAPool(Stage stage) {
        assertThat(problems(stage.word() + " fn=probe pool=my-custom-pool"))
                .singleElement()
                .asString()
                .contains("functions of " + stage.word() + " run on the request's loop");
    }

    @Test
    void functionHasItsWorkManagerUnlessItsDirectiveNamesOne() {
        ProgramBuilder builder = builder();
        builder.functionPool("probe", "my-custom-pool", Bench.AT, "k");
        new ObjConfSource(
                        "obj.conf",
                        object(
                                "PathCheck fn=probe mark=1",
                                "ObjectType fn=probe mark=2 pool=my-custom-pool2",
                                "AddLog fn=probe mark=3"),
                        Map.of(),
                        Chance.seeded(1))
                .compile(builder);
        Program program = built(builder);
        SyntheticRequest request = get(program, "/x");
        run.start(request, program);
        pools.run();
        request.turn();
        pools.run();
        request.turn();
        run.finish();
        assertThat(pools.submitted).containsExactly("my-custom-pool probe", "my-custom-pool2 probe");
        assertThat(probe.marks).containsExactly("1 elsewhere", "1", "2 elsewhere", "2", "3");

        builder.functionPool("prob", "nowhere", Bench.AT, "k");
        assertThat(builder.problems())
                .extracting(ConfigProblem::what)
                .anyMatch(p -> p.startsWith("there is no function \"prob\"; did you mean \"probe\"?"))
                .anyMatch(p -> p.startsWith("there is no work manager \"nowhere\""));
    }

    // ---- busy functions

    private static SimpleBusy answering(String name, String... parameters) {
        return new SimpleBusy(name, false, Set.of(parameters));
    }

    /** Answers with the text of its parameters. */
    private record SimpleBusy(String name, boolean blocks, Set<String> words) implements ServerFunction {
        @Override
        public Set<Stage> stages() {
            return EnumSet.of(Stage.SERVICE);
        }

        @Override
        public List<ParameterSpec> parameters() {
            return words.stream()
                    .map(w -> ParameterSpec.required(w, ParameterSpec.Type.TEXT, "what it says"))
                    .toList();
        }

        @Override
        public String doc() {
            return "Answers.";
        }

        @Override
        public Step prepare(Parameters parameters) {
            String text = String.join(" ", words.stream().map(parameters::need).toList());
            return of -> {
                of.answerWith(new Action.Respond(200, text, NOTHING), null);
                return StepOutcome.PROCEED;
            };
        }
    }

    private @Nullable String answered(Program program) {
        SyntheticRequest request = get(program, "/x");
        pools.full = true;
        if (run.start(request, program) == RunState.READY) {
            run.service();
        }
        assertThat(pools.tasks).isEmpty();
        return run.action() instanceof Action.Respond r ? r.contentType() : String.valueOf(run.fault());
    }

    @Test
    void fullPoolIsAnsweredByTheBusyFunctionWithTheParametersThatItKnows() {
        functions.add(answering("sorry", "text"));
        assertThat(answered(program("Service fn=probe pool=my-custom-pool busy=sorry text=later")))
                .isEqualTo("later");
        assertThat(answered(program("Service fn=probe pool=my-custom-pool busy=service-toobusy")))
                .isEqualTo("POOL_FULL");
        assertThat(answered(program("Service fn=probe pool=my-custom-pool"))).isEqualTo("POOL_FULL");
        assertThat(probe.marks).isEmpty();
    }

    @Test
    void busyFunctionOfTheWholeServerIsTheOneWithTheNameOfTheDefaultOne() {
        functions.removeIf(f -> f.name().equals("service-toobusy"));
        functions.add(answering("service_toobusy"));
        assertThat(answered(program("Service fn=probe pool=my-custom-pool"))).isEmpty();
    }

    @Test
    void busyFunctionMayDeclineAndMayFail() {
        Program declining = program("PathCheck fn=probe mark=no pool=my-custom-pool busy=probe");
        pools.full = true;
        assertThat(run.start(get(declining, "/x"), declining)).isEqualTo(RunState.READY);
        probe.does("no", _ -> {
            throw new IllegalStateException("so busy");
        });
        assertThat(run.start(get(declining, "/x"), declining)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        assertThat(bench.log.count(ProxyMessages.FUNCTION_FAILED)).isEqualTo(1);
        pools.full = false;
        assertThat(run.start(get(declining, "/x"), declining)).isEqualTo(RunState.WAITING);
    }

    @Test
    void busyFunctionsThatCannotBeAreNamed() {
        functions.add(new SimpleBusy("blocking", true, Set.of()));
        functions.add(answering("needy", "text"));
        assertThat(problems(
                        "Service fn=probe pool=my-custom-pool busy=blocking",
                        "Service fn=probe pool=my-custom-pool busy=service-toobussy",
                        "Service fn=probe pool=my-custom-pool busy=needy",
                        "Service fn=probe pool=my-custom-pool text=x"))
                .hasSize(4)
                .anyMatch(p -> p.contains("\"blocking\" cannot stand in busy: it blocks"))
                .anyMatch(p -> p.contains("in busy; did you mean \"service-toobusy\"?"))
                .anyMatch(p -> p.contains("busy: needy: parameter \"text\" is missing"))
                .anyMatch(p -> p.contains("probe: unknown parameter \"text\""));
    }

    // ---- failures

    private RunState through(ProgramRun of, Program program, Stage until) {
        SyntheticRequest request = get(program, "/x");
        RunState state = of.start(request, program);
        if (state != RunState.READY || until.compareTo(Stage.OBJECT_TYPE) <= 0) {
            return state;
        }
        return switch (until) {
            case ROUTE, SERVICE -> of.service();
            case DNS, CONNECT -> of.connect();
            case FILTER, OUTPUT -> of.output(new OriginAnswer(200, new Fields()));
            case ERROR -> of.error(ProxyFault.DENIED);
            default -> state;
        };
    }

    private void failsAlone(Program program, Stage stage) {
        RunState state = through(run, program, stage);
        run.finish();
        assertThat(bench.log.count(ProxyMessages.FUNCTION_FAILED)).isEqualTo(1);
        if (stage == Stage.ADD_LOG) {
            assertThat(state).isEqualTo(RunState.READY);
        } else if (stage != Stage.ERROR) {
            assertThat(state).isEqualTo(RunState.FAILED);
            assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        }
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void functionThatThrowsFailsItsRequestAndNoOther(Stage stage) {
        Program program = program(stage.word() + " fn=probe mark=1", "Service fn=probe mark=2");
        probe.does("1", _ -> {
            throw new IllegalStateException("thrown");
        });
        failsAlone(program, stage);
        probe.answers("1", StepOutcome.NOACTION);
        through(run, program, stage);
        run.finish();
        assertThat(bench.log.count(ProxyMessages.FUNCTION_FAILED)).isEqualTo(1);
        assertThat(run.fault()).isNotEqualTo(ProxyFault.FUNCTION);
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void conditionThatThrowsFailsItsRequestAndNoOther(Stage stage) {
        boolean[] broken = {true};
        Guard guard = _ -> {
            if (broken[0]) {
                throw new IllegalStateException("thrown");
            }
            return false;
        };
        ProgramBuilder builder = builder();
        builder.add(
                "default",
                stage,
                probe,
                new ProgramBuilder.Written(Map.of("mark", List.of("1")), Map.of()),
                RuleCondition.ALWAYS,
                guard,
                ProgramBuilder.Common.NONE,
                Bench.AT,
                "test");
        Program program = built(builder);
        failsAlone(program, stage);
        assertThat(probe.marks).isEmpty();
        broken[0] = false;
        through(run, program, stage);
        run.finish();
        assertThat(bench.log.count(ProxyMessages.FUNCTION_FAILED)).isEqualTo(1);
        assertThat(run.fault()).isNotEqualTo(ProxyFault.FUNCTION);
    }

    @Test
    void objectWhoseConditionThrowsFailsItsRequest() {
        ProgramBuilder builder = builder();
        builder.object("broken", "x", _ -> {
            throw new IllegalStateException("thrown");
        });
        Program program = built(builder);
        failsAlone(program, Stage.NAME_TRANS);
    }

    /** What a pooled function copies from the request, before it is queued. */
    @Test
    void functionThatThrowsBeforeItIsQueuedFailsItsRequest() {
        functions.add(new Undetached());
        Program program = program("PathCheck fn=undetached pool=my-custom-pool");
        failsAlone(program, Stage.PATH_CHECK);
        assertThat(pools.tasks).isEmpty();
    }

    private static final class Undetached implements ServerFunction {
        @Override
        public String name() {
            return "undetached";
        }

        @Override
        public Set<Stage> stages() {
            return EnumSet.allOf(Stage.class);
        }

        @Override
        public List<ParameterSpec> parameters() {
            return List.of();
        }

        @Override
        public String doc() {
            return "Throws when it copies the request.";
        }

        @Override
        public Step prepare(Parameters parameters) {
            return new Step() {
                @Override
                public StepOutcome run(FunctionContext of) {
                    return StepOutcome.PROCEED;
                }

                @Override
                public Supplier<Step> detach(FunctionContext of) {
                    throw new IllegalStateException("thrown");
                }
            };
        }
    }

    @Test
    void workThatThrowsInItsPoolFailsItsRequestAndThePoolGoesOn() {
        Program program = program("PathCheck fn=probe mark=1 pool=my-custom-pool");
        probe.works("1", () -> {
            throw new IllegalStateException("thrown");
        });
        SyntheticRequest request = get(program, "/x");
        run.start(request, program);
        pools.run();
        request.turn();
        assertThat(request.resumedWith()).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        run.finish();
        probe.works("1", () -> {});
        SyntheticRequest next = get(program, "/x");
        run.start(next, program);
        pools.run();
        next.turn();
        assertThat(next.resumedWith()).isEqualTo(RunState.READY);
    }
}
