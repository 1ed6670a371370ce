package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ByteSize;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.work.ConstraintsConfig;
import io.weir.kernel.work.WorkConfig;
import io.weir.kernel.work.WorkManagerConfig;
import io.weir.proxy.context.KernelPools;
import io.weir.proxy.function.ParameterSpec;
import io.weir.proxy.function.Parameters;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.build.ProgramBuilder;
import io.weir.proxy.program.config.DestinationsConfig;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.match.RuleCondition;
import io.weir.proxy.program.run.FunctionContext;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps of requests on the threads of real work managers. */
class PooledRequestsTest {
    private static final long PATIENCE_MILLIS = 120_000;

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final Live<WorkConfig> work = new Live<>(managers(Map.of("one", threads(1), "two", threads(2))));
    private final Kernel kernel =
            new Kernel(new KernelParts(new Live<>(settings()), Map.of(), SystemClock.INSTANCE, stats, log).with(work));
    private final KernelPools pools = new KernelPools(kernel);
    private final ProgramHost host = new ProgramHost(pools, SystemClock.INSTANCE, stats, log);
    private final Room room = new Room();

    @AfterEach
    void close() {
        room.leave.release(100_000);
        kernel.close();
    }

    private static KernelConfig settings() {
        return new ConfigBinder().bind(ConfigNode.Mapping.empty(ConfigNode.Place.of("test")), KernelConfig.class);
    }

    private static WorkConfig managers(Map<String, WorkManagerConfig> named) {
        return new WorkConfig(Map.of(), ConstraintsConfig.NONE, named);
    }

    private static WorkManagerConfig threads(int most) {
        return new WorkManagerConfig(0, most, 10, ByteSize.parse("0"), Duration.ofMinutes(1));
    }

    /** A function whose work enters, and leaves when the test lets it. */
    private static final class Room implements ServerFunction, ServerFunction.Step {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final Semaphore entered = new Semaphore(0);
        private final Semaphore leave = new Semaphore(0);

        @Override
        public String name() {
            return "room";
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
            return "Waits until it is let go.";
        }

        @Override
        public boolean blocks() {
            return true;
        }

        @Override
        public Step prepare(Parameters parameters) {
            return this;
        }

        @Override
        public Supplier<Step> detach(FunctionContext run) {
            return () -> {
                int now = inside.incrementAndGet();
                most.accumulateAndGet(now, Math::max);
                entered.release();
                leave.acquireUninterruptibly();
                inside.decrementAndGet();
                return this;
            };
        }

        @Override
        public StepOutcome run(FunctionContext run) {
            return StepOutcome.PROCEED;
        }

        private void awaitEntered(int times) throws InterruptedException {
            assertThat(entered.tryAcquire(times, PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isTrue();
        }
    }

    private Program program(@Nullable String pool, @Nullable String busy, Stage... stages) {
        List<ServerFunction> all = new ArrayList<>(FunctionCatalogue.builtin().all());
        all.add(room);
        ProgramBuilder builder = new ProgramBuilder(new FunctionCatalogue(all), pools, VirtualServers.DEFAULT);
        ProgramBuilder.Common common = new ProgramBuilder.Common(null, pool, busy);
        for (Stage stage : stages) {
            builder.add("default", stage, "room", Map.of(), RuleCondition.ALWAYS, common, Bench.AT, "test");
        }
        Program program = builder.build(DestinationRules.of(ConfigBinder.defaults(DestinationsConfig.class)), 2);
        assertThat(builder.problems()).isEmpty();
        return Objects.requireNonNull(program);
    }

    private record Asked(SyntheticRequest request, ProgramRun run, RunState state) {
        private @Nullable RunState await() {
            return state == RunState.WAITING ? request.await(PATIENCE_MILLIS) : state;
        }
    }

    private Asked ask(Program program) {
        SyntheticRequest request = Bench.request(program, "GET /x", "127.0.0.1");
        ProgramRun run = new ProgramRun(host, null);
        return new Asked(request, run, run.start(request, program));
    }

    @Test
    void poolOfOneThreadLetsOneRequestInAtATime() throws Exception {
        Program program = program("one", null, Stage.PATH_CHECK);
        Asked first = ask(program);
        Asked second = ask(program);
        room.awaitEntered(1);
        assertThat(kernel.workManager("one").queued()).as("the second waits").isEqualTo(1);
        room.leave.release();
        assertThat(first.await()).isEqualTo(RunState.READY);
        room.awaitEntered(1);
        room.leave.release();
        assertThat(second.await()).isEqualTo(RunState.READY);
        assertThat(room.most.get()).isEqualTo(1);
    }

    /** That two would be inside at once if the pool let them. */
    @Test
    void poolOfTwoThreadsLetsTwoRequestsIn() throws Exception {
        Program program = program("two", null, Stage.PATH_CHECK);
        Asked first = ask(program);
        Asked second = ask(program);
        room.awaitEntered(2);
        room.leave.release(2);
        assertThat(first.await()).isEqualTo(RunState.READY);
        assertThat(second.await()).isEqualTo(RunState.READY);
        assertThat(room.most.get()).isEqualTo(2);
    }

    @Test
    void requestsElsewhereGoOnWhileAPoolIsBlocked() throws Exception {
        Asked blocked = ask(program("one", null, Stage.PATH_CHECK));
        room.awaitEntered(1);
        assertThat(ask(program(null, null)).await()).isEqualTo(RunState.READY);
        Asked other = ask(program("two", null, Stage.PATH_CHECK));
        room.awaitEntered(1);
        room.leave.release(2);
        assertThat(other.await()).isEqualTo(RunState.READY);
        assertThat(blocked.await()).isEqualTo(RunState.READY);
    }

    /** On default settings: 128 threads, or as many as processors, and a queue of 4096. */
    @Test
    void beyondThreadsAndQueueTheBusyFunctionRuns() throws Exception {
        int threads = kernel.workManager(Kernel.DEFAULT).maxThreads();
        int bound = threads + kernel.workManager(Kernel.DEFAULT).queueCapacity();
        assertThat(bound).isGreaterThanOrEqualTo(128 + 4096);
        Program program = program(null, null, Stage.PATH_CHECK);
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < bound; i++) {
            all.add(ask(program));
        }
        assertThat(all).allMatch(a -> a.state() == RunState.WAITING);
        room.awaitEntered(threads);
        Asked refused = ask(program);
        assertThat(refused.state()).isEqualTo(RunState.FAILED);
        assertThat(refused.run().fault()).isEqualTo(ProxyFault.POOL_FULL);
        assertThat(ask(program(null, "url-check", Stage.PATH_CHECK)).state())
                .as("its own busy function lets it pass")
                .isEqualTo(RunState.READY);
        assertThat(ask(program(null, null)).state()).isEqualTo(RunState.READY);
        assertThat(stats.value(ProxyStats.POOL_REFUSALS)).isEqualTo(2);
        room.leave.release(bound);
        for (Asked one : all) {
            assertThat(one.await()).isEqualTo(RunState.READY);
        }
        room.leave.release();
        assertThat(ask(program).await()).as("there is room again").isEqualTo(RunState.READY);
    }

    /** A change of the configuration: the pool goes while a step runs in it, one waits for it, and one has yet to come. */
    @Test
    void requestsOfAPoolThatGoesEndAsTheyBegan() throws Exception {
        Program before = program("one", null, Stage.PATH_CHECK, Stage.SERVICE);
        Asked running = ask(before);
        Asked queued = ask(before);
        room.awaitEntered(1);
        work.set(managers(Map.of("two", threads(2))));
        assertThat(kernel.workManagers()).doesNotContainKey("one");
        Program after = program("two", null, Stage.PATH_CHECK);
        room.leave.release(4);
        assertThat(running.await()).isEqualTo(RunState.READY);
        assertThat(queued.await()).isEqualTo(RunState.READY);
        // their Service function names the pool, too: it runs on the default one
        for (Asked one : List.of(running, queued)) {
            assertThat(one.run().service()).isEqualTo(RunState.WAITING);
            one.request().await(PATIENCE_MILLIS);
            assertThat(one.run().fault()).isNotEqualTo(ProxyFault.FUNCTION);
        }
        room.leave.release(1);
        assertThat(ask(after).await()).isEqualTo(RunState.READY);
        assertThat(stats.value(ProxyStats.POOL_REFUSALS)).isZero();
    }

    @Test
    void callsOfRequestsThatLeftWhileTheyWaitedAreNotMade() throws Exception {
        Program program = program("one", null, Stage.PATH_CHECK);
        Asked first = ask(program);
        room.awaitEntered(1);
        List<Asked> leaving = List.of(ask(program), ask(program));
        Asked last = ask(program);
        leaving.forEach(a -> a.run().abandon());
        room.leave.release(2);
        assertThat(first.await()).isEqualTo(RunState.READY);
        assertThat(last.await()).isEqualTo(RunState.READY);
        assertThat(stats.value(ProxyStats.POOL_SKIPS)).isEqualTo(2);
        assertThat(room.entered.availablePermits())
                .as("only the last one entered")
                .isEqualTo(1);
    }
}
