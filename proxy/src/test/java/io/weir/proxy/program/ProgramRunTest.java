package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.http.Fields;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.OriginAnswer;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.ProxyFault;
import io.weir.proxy.program.run.ProxyMessages;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.program.run.RunState;
import io.weir.proxy.program.run.RunValues;
import io.weir.proxy.program.run.ServerFunction;
import io.weir.proxy.program.run.StepOutcome;
import io.weir.proxy.program.run.WorkPools;
import io.weir.proxy.program.server.VirtualServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProgramRunTest {
    private static final ConfigNode.Place AT = ConfigNode.Place.of("test");

    private final Probe probe = new Probe("probe");
    private final Pool pool = new Pool();
    private final Bench bench = new Bench(pool);
    private final ProgramBuilder builder =
            new ProgramBuilder(new FunctionCatalogue(functions()), pool, VirtualServers.DEFAULT);

    /** One pool, {@code slow}, that runs when it is told to, and is full when told so. */
    private static final class Pool implements WorkPools {
        private final List<Runnable> tasks = new ArrayList<>();
        private boolean full;

        @Override
        public Set<String> names() {
            return Set.of("slow");
        }

        @Override
        public boolean execute(String pool, Runnable task) {
            return !full && tasks.add(task);
        }
    }

    private List<ServerFunction> functions() {
        List<ServerFunction> all = new ArrayList<>(FunctionCatalogue.builtin().all());
        all.add(probe);
        return all;
    }

    private void add(String object, Stage stage, String mark) {
        builder.add(object, stage, "probe", Map.of("mark", mark), AT);
    }

    private void name(String object) {
        builder.add("default", Stage.NAME_TRANS, "assign-name", Map.of("from", "*", "name", object), AT);
    }

    private Program program() {
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private ProgramRun run() {
        return new ProgramRun(bench.host, null);
    }

    private RunState start(ProgramRun run) {
        Program program = program();
        return run.start(Bench.request(program, "GET /x", "127.0.0.1"), program);
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.class,
            names = {"INPUT", "PATH_CHECK", "OUTPUT", "FILTER", "OBJECT_TYPE", "ROUTE", "ADD_LOG"})
    void stagesThatApplyAllGoOnAfterProceed(Stage stage) {
        add("default", stage, "1");
        add("default", stage, "2");
        probe.answers("1", StepOutcome.PROCEED);
        whole(run());
        assertThat(probe.marks).containsExactly("1", "2");
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.class,
            names = {"AUTH_TRANS", "NAME_TRANS", "SERVICE", "DNS", "CONNECT", "ERROR"})
    void stagesThatApplyOneEndWithTheFirstThatDoesNotDecline(Stage stage) {
        add("default", stage, "1");
        add("default", stage, "2");
        add("default", stage, "3");
        probe.answers("2", StepOutcome.PROCEED);
        whole(run());
        assertThat(probe.marks).containsExactly("1", "2");
    }

    private void whole(ProgramRun run) {
        start(run);
        run.connect();
        run.output(new OriginAnswer(200, new Fields()));
        run.service();
        run.error(ProxyFault.DENIED);
        run.finish();
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void objectsComeInTheOrderOfTheStage(Stage stage) {
        builder.object("named", null);
        if (stage != Stage.INPUT && stage != Stage.AUTH_TRANS) {
            name("named");
            add("default", stage, "default");
            add("named", stage, "named");
            whole(run());
            List<String> expected = stage.reverse() ? List.of("named", "default") : List.of("default", "named");
            if (stage == Stage.NAME_TRANS) {
                // assign-name ends the default object's turn
                expected = List.of("named");
            }
            assertThat(probe.marks).isEqualTo(expected);
        }
    }

    @Test
    void nameTransGoesOnUntilNoObjectIsNew() {
        name("first");
        builder.add("first", Stage.NAME_TRANS, "assign-name", Map.of("from", "/x", "name", "second"), AT);
        add("second", Stage.PATH_CHECK, "second");
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.READY);
        assertThat(run.objectCount()).isEqualTo(3);
        assertThat(probe.marks).containsExactly("second");
    }

    @Test
    void objectsOfAMatchingPathAreAddedShortestPatternFirst() {
        builder.object("long", "/x*");
        builder.object("short", "/*");
        builder.object("other", "/y");
        for (String object : List.of("long", "short", "other")) {
            add(object, Stage.PATH_CHECK, object);
        }
        start(run());
        assertThat(probe.marks).containsExactly("short", "long");
    }

    @Test
    void tooManyObjectsFail() {
        name("o0");
        for (int i = 0; i < ProgramRun.MAX_OBJECTS; i++) {
            builder.add("o" + i, Stage.NAME_TRANS, "assign-name", Map.of("from", "*", "name", "o" + (i + 1)), AT);
        }
        builder.object("o" + ProgramRun.MAX_OBJECTS, null);
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
    }

    @Test
    void abortedStopsThePathChecksAndWithoutAFaultIsAnInternalError() {
        add("default", Stage.PATH_CHECK, "1");
        add("default", Stage.PATH_CHECK, "2");
        probe.answers("1", StepOutcome.ABORTED);
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        assertThat(probe.marks).containsExactly("1");
    }

    @Test
    void exitClosesTheConnection() {
        add("default", Stage.PATH_CHECK, "1");
        probe.answers("1", StepOutcome.EXIT);
        assertThat(start(run())).isEqualTo(RunState.CLOSE);
    }

    @Test
    void functionThatThrowsIsAnInternalErrorAndLogged() {
        add("default", Stage.PATH_CHECK, "1");
        probe.does("1", _ -> {
            throw new IllegalStateException("oops");
        });
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        assertThat(bench.log.count(ProxyMessages.FUNCTION_FAILED)).isEqualTo(1);
    }

    @Test
    void restartBeginsAgainAndForgetsAllButVariables() {
        add("default", Stage.AUTH_TRANS, "auth");
        add("default", Stage.PATH_CHECK, "1");
        probe.does("1", run -> {
            if (probe.marks.size() > 2) {
                return run.location() == null ? StepOutcome.PROCEED : StepOutcome.ABORTED;
            }
            run.location("/seen");
            return StepOutcome.RESTART;
        });
        assertThat(start(run())).isEqualTo(RunState.READY);
        assertThat(probe.marks).containsExactly("auth", "1", "auth", "1");
        assertThat(bench.stats.value(ProxyStats.RESTARTS)).isEqualTo(1);
    }

    @Test
    void restartsAreLimited() {
        add("default", Stage.PATH_CHECK, "1");
        probe.answers("1", StepOutcome.RESTART);
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.RESTART_LIMIT);
        assertThat(probe.marks).hasSize(3);
    }

    @Test
    void withoutAnyServiceThereIsNoRoute() {
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.READY);
        assertThat(run.service()).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.NO_ROUTE);
    }

    @Test
    void errorStageAnswersOrLeavesItToThePages() {
        add("default", Stage.ERROR, "1");
        ProgramRun run = run();
        start(run);
        assertThat(run.error(ProxyFault.DENIED)).isEqualTo(RunState.FAILED);
        assertThat(bench.stats.value(ProxyStats.FAULTS, "denied")).isEqualTo(1);
        probe.does("1", r -> {
            r.action(new Action.Respond(r.fault() == ProxyFault.DENIED ? 403 : 0, "text/plain", new byte[0]));
            return StepOutcome.PROCEED;
        });
        assertThat(run.error(ProxyFault.DENIED)).isEqualTo(RunState.READY);
        assertThat(run.action()).isInstanceOf(Action.Respond.class);
    }

    @Test
    void failuresInAddLogChangeNothing() {
        for (StepOutcome outcome : StepOutcome.values()) {
            add("default", Stage.ADD_LOG, outcome.name());
            probe.answers(outcome.name(), outcome);
        }
        ProgramRun run = run();
        start(run);
        run.finish();
        assertThat(probe.marks).hasSize(StepOutcome.values().length);
        assertThat(run.fault()).isNull();
    }

    @Test
    void waitingFunctionIsResumedOnTheLoop() {
        add("default", Stage.PATH_CHECK, "1");
        add("default", Stage.PATH_CHECK, "2");
        List<PendingStep> promises = new ArrayList<>();
        probe.does("1", run -> {
            promises.add(run.pend());
            return StepOutcome.WAITING;
        });
        Program program = program();
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = run();
        assertThat(run.start(request, program)).isEqualTo(RunState.WAITING);
        promises.getFirst().complete(StepOutcome.PROCEED);
        assertThat(probe.marks).containsExactly("1");
        assertThat(request.turn()).isTrue();
        assertThat(probe.marks).containsExactly("1", "2");
        assertThat(request.resumedWith()).isEqualTo(RunState.READY);
        promises.getFirst().complete(StepOutcome.ABORTED);
        request.turn();
        assertThat(run.fault()).isNull();
    }

    @Test
    void completionAfterTheRunWasAbandonedDoesNothing() {
        add("default", Stage.PATH_CHECK, "1");
        List<PendingStep> promises = new ArrayList<>();
        probe.does("1", run -> {
            promises.add(run.pend());
            return StepOutcome.WAITING;
        });
        Program program = program();
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = run();
        run.start(request, program);
        run.abandon();
        promises.getFirst().complete(StepOutcome.ABORTED);
        request.turn();
        assertThat(request.resumedWith()).isNull();
    }

    private void pooled(String busy) {
        builder.add(
                "default",
                Stage.PATH_CHECK,
                "probe",
                Map.of("mark", List.of("1")),
                RuleCondition.ALWAYS,
                new ProgramBuilder.Common(null, "slow", busy.isEmpty() ? null : busy),
                AT,
                "test");
    }

    @Test
    void pooledFunctionRunsOnItsPoolAndTheRequestGoesOnOnItsLoop() {
        pooled("");
        probe.answers("1", StepOutcome.PROCEED);
        Program program = program();
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = run();
        assertThat(run.start(request, program)).isEqualTo(RunState.WAITING);
        assertThat(probe.marks).isEmpty();
        pool.tasks.getFirst().run();
        turn(request);
        assertThat(request.resumedWith()).isEqualTo(RunState.READY);
        assertThat(probe.marks).containsExactly("1 elsewhere", "1");
    }

    @Test
    void waitForAThreadOfWhatNamesNoBucketIsOfTheDefaultOne() {
        pooled("");
        probe.answers("1", StepOutcome.PROCEED);
        Program program = program();
        ProgramRun run = run();
        run.start(Bench.request(program, "GET /x", "127.0.0.1"), program);
        bench.clock.step(Duration.ofNanos(700));
        pool.tasks.getFirst().run();
        assertThat(bench.stats.value(ProxyStats.BUCKET_DISPATCH, "default-bucket", "default"))
                .isEqualTo(700);
    }

    @Test
    void whatAPoolDoesForAnAbandonedRunIsForgotten() {
        pooled("");
        Program program = program();
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        SyntheticRequest next = Bench.request(program, "GET /y", "127.0.0.1");
        ProgramRun run = run();
        probe.works("1", () -> {
            run.abandon();
            assertThat(run.start(next, program)).isEqualTo(RunState.WAITING);
        });
        run.start(request, program);
        pool.tasks.getFirst().run();
        turn(request);
        turn(next);
        assertThat(request.resumedWith()).isNull();
        assertThat(next.resumedWith()).isNull();
        assertThat(probe.marks).containsExactly("1 elsewhere");
    }

    /** A client that left, or a time-out: when its turn comes nobody waits for the call any longer. */
    @Test
    void abandonedCallThatNoThreadHasTakenIsDropped() {
        pooled("");
        Program program = program();
        ProgramRun run = run();
        run.start(Bench.request(program, "GET /x", "127.0.0.1"), program);
        run.abandon();
        SyntheticRequest next = Bench.request(program, "GET /y", "127.0.0.1");
        run.start(next, program);
        pool.tasks.forEach(Runnable::run);
        turn(next);
        assertThat(probe.marks).containsExactly("1 elsewhere", "1");
        assertThat(next.resumedWith()).isEqualTo(RunState.READY);
        assertThat(bench.stats.value(ProxyStats.POOL_SKIPS)).isEqualTo(1);
    }

    private static void turn(SyntheticRequest request) {
        while (request.turn()) {
            // the loop's turn
        }
    }

    @Test
    void outputMayNotWait() {
        add("default", Stage.OUTPUT, "1");
        probe.answers("1", StepOutcome.WAITING);
        ProgramRun run = run();
        start(run);
        assertThat(run.output(new OriginAnswer(200, new Fields()))).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
        assertThat(run.answer()).isNull();
    }

    @Test
    void restartAfterTheLookUpFails() {
        add("default", Stage.SERVICE, "1");
        probe.answers("1", StepOutcome.RESTART);
        ProgramRun run = run();
        start(run);
        assertThat(run.service()).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.FUNCTION);
    }

    @Test
    void variablesOutliveARestart() {
        add("default", Stage.PATH_CHECK, "1");
        probe.does("1", run -> {
            boolean again = run.variable("seen") != null;
            run.variable("seen", "yes");
            return again ? StepOutcome.PROCEED : StepOutcome.RESTART;
        });
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.READY);
        assertThat(run.restarts()).isEqualTo(1);
    }

    @Test
    void fullPoolIsBusy() {
        pooled("");
        pool.full = true;
        ProgramRun run = run();
        assertThat(start(run)).isEqualTo(RunState.FAILED);
        assertThat(run.fault()).isEqualTo(ProxyFault.POOL_FULL);
        assertThat(ProxyFault.POOL_FULL.status()).isEqualTo(503);
        assertThat(bench.stats.value(ProxyStats.POOL_REFUSALS)).isEqualTo(1);
    }

    @Test
    void busyFunctionRunsWhereThePoolIsFull() {
        pooled("probe");
        probe.answers("1", StepOutcome.PROCEED);
        pool.full = true;
        assertThat(start(run())).isEqualTo(RunState.READY);
        assertThat(probe.marks).as("with the directive's parameters").containsExactly("1");
    }

    @Test
    void variablesAreBounded() {
        ProgramRun run = run();
        for (int i = 0; i < RunValues.MAX_VARIABLES; i++) {
            assertThat(run.variable("v" + i, "x")).isTrue();
        }
        assertThat(run.variable("more", "x")).isFalse();
        assertThat(run.variable("v0", "y")).isTrue();
        assertThat(run.variable("v0")).isEqualTo("y");
    }

    @Test
    void problemsOfDirectivesNameTheNearest() {
        builder.add("default", Stage.PATH_CHECK, "deny-servise", Map.of(), AT);
        builder.add("default", Stage.ADD_LOG, "deny-service", Map.of(), AT);
        builder.add("default", Stage.NAME_TRANS, "assign-name", Map.of("form", "/x", "name", "o"), AT);
        builder.add("default", Stage.NAME_TRANS, "assign-name", Map.of("from", "/x", "name", "nobody"), AT);
        builder.add("default", Stage.NAME_TRANS, "map", Map.of("from", "x", "to", "/"), AT);
        builder.add("default", Stage.PATH_CHECK, "user_agent_check", Map.of("ua", "("), AT);
        builder.add(
                "default",
                Stage.PATH_CHECK,
                "url-check",
                Map.of(),
                RuleCondition.ALWAYS,
                new ProgramBuilder.Common(null, "slwo", null),
                AT,
                "k");
        assertThat(builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 1))
                .isNull();
        assertThat(builder.problems())
                .extracting(p -> p.what())
                .satisfiesExactly(
                        what -> assertThat(what).contains("did you mean \"deny-service\"?"),
                        what -> assertThat(what).contains("cannot stand in AddLog, only in PathCheck, Service"),
                        what -> assertThat(what).contains("unknown parameter \"form\"; did you mean \"from\"?"),
                        what -> assertThat(what).contains("parameter \"from\" is missing"),
                        what -> assertThat(what).contains("begins with a slash"),
                        what -> assertThat(what).contains("pattern"),
                        what -> assertThat(what).contains("there is no work manager \"slwo\"; did you mean \"slow\"?"),
                        what -> assertThat(what).contains("no object is called \"nobody\""));
    }
}
