package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whichever process dies at whichever step: each slot has one that serves in the end, and an upgrade says what it did. */
@Tag("slow")
class CrewTest {
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofMillis(500);

    /** Longer than all patience there is. */
    private static final int TICKS = 2000;

    /** More than there are of a start or an upgrade. */
    private static final int STEPS = 30;

    /** Kills the process with this place among the living before this step, or tells it to end. */
    private record Kill(int step, int process, boolean hard) {
        /** Whether there was one to kill. */
        boolean done(FakeWorkers all) {
            List<FakeWorkers.Fake> living = List.copyOf(all.living.values());
            if (process >= living.size()) {
                return false;
            }
            if (hard) {
                all.kill(living.get(process));
            } else {
                living.get(process).destroy();
            }
            return true;
        }
    }

    /** One life of a crew. */
    private static final class Run {
        final FakeWorkers all;
        final List<Kill> kills;
        final List<Kill> left;
        final List<Kill> missed = new ArrayList<>();
        int steps;

        Run(int slots, Kill... kills) {
            this.all = new FakeWorkers(slots);
            this.kills = List.of(kills);
            this.left = new ArrayList<>(this.kills);
        }

        Run started() {
            all.crew.start();
            all.settle();
            quiet();
            return this;
        }

        /** Everything happens that is to happen at once. */
        private void quiet() {
            while (all.busy()) {
                all.step();
            }
        }

        /** The same, with the kills, and an eye on who stands in. */
        void play() {
            kill();
            while (all.busy()) {
                all.step();
                steps++;
                assertThat(all.left()).as("%s step %s", kills, steps).isEmpty();
                kill();
            }
        }

        private void kill() {
            for (Kill k : kills) {
                if (k.step() == steps && left.remove(k) && !k.done(all)) {
                    missed.add(k);
                }
            }
        }

        /** Time goes on until all is well. */
        void end() {
            for (int i = 0; i < TICKS && (all.busy() || !all.wrong().isEmpty()); i++) {
                all.step(TICK);
                play();
            }
            assertThat(all.wrong()).as("%s %s", kills, all.log.entries()).isEmpty();
            assertThat(all.left()).as("%s", kills).isEmpty();
            assertThat(all.living.values())
                    .as("nobody stands in any more, %s", kills)
                    .allMatch(f -> f.standsIn.isEmpty());
        }
    }

    /** Plays with each process killed before each step, as long as there is one and a step. */
    private static int each(Function<Kill, Run> play) {
        return each(true, play);
    }

    private static int each(boolean hard, Function<Kill, Run> play) {
        int played = 0;
        for (int step = 0; ; step++) {
            boolean reached = false;
            for (int process = 0; ; process++) {
                Kill kill = new Kill(step, process, hard);
                Run run = play.apply(kill);
                if (run.missed.contains(kill) || run.left.contains(kill)) {
                    reached |= run.missed.contains(kill);
                    break;
                }
                reached = true;
                played++;
            }
            if (!reached) {
                return played;
            }
        }
    }

    private static Run start(int slots, Kill... kills) {
        Run run = new Run(slots, kills);
        run.all.crew.start();
        run.all.settle();
        run.play();
        run.end();
        return run;
    }

    private static Run upgrade(int slots, Kill... kills) {
        Run run = new Run(slots, kills).started();
        @Nullable Throwable[] failure = new Throwable[1];
        CompletableFuture<Void> done = new Upgrade(
                        run.all.crew, FakeWorkers.NEW, DRAIN, run.all.main.eventLoop(), run.all.log)
                .run()
                .whenComplete((_, e) -> failure[0] = e);
        run.all.settle();
        run.play();
        run.end();
        for (int i = 0; i < TICKS && !done.isDone(); i++) {
            run.all.step(TICK);
            run.play();
        }
        assertThat(done).as("%s", run.kills).isDone();
        assertThat(run.all.by())
                .as("%s, which ended with %s", run.kills, failure[0])
                .isEqualTo(failure[0] == null ? FakeWorkers.NEW : FakeWorkers.OLD);
        assertThat(run.all.crew.launch()).isEqualTo(run.all.by());
        return run;
    }

    private static Run stop(int slots, Kill... kills) {
        Run run = new Run(slots, kills).started();
        CompletableFuture<Boolean> stopped = run.all.stop();
        for (int i = 0; i < TICKS && !stopped.isDone(); i++) {
            while (run.all.busy()) {
                run.kill();
                if (run.all.busy()) {
                    run.all.step();
                }
                run.steps++;
            }
            run.all.step(TICK);
        }
        assertThat(stopped).as("%s", run.kills).isCompletedWithValue(true);
        assertThat(run.all.living).isEmpty();
        run.all.step(Duration.ofMinutes(1));
        assertThat(run.all.living).as("nobody is started again").isEmpty();
        return run;
    }

    /** Stops a crew after some steps, with no time going on: nobody waits for what still starts. */
    private static void stopAt(Run run, int steps) {
        for (int i = 0; i < steps && run.all.busy(); i++) {
            run.all.step();
        }
        CompletableFuture<Boolean> stopped = run.all.stop();
        run.quiet();
        assertThat(stopped)
                .as("after %s steps: %s", steps, run.all.log.entries())
                .isCompletedWithValue(true);
        assertThat(run.all.living).isEmpty();
        run.all.step(Duration.ofMinutes(1));
        run.quiet();
        assertThat(run.all.living).as("nobody is started again").isEmpty();
    }

    @Test
    void stopAtEachStepOfAStartWaitsForNobodyWhoStarts() {
        for (int steps = 0; steps < STEPS; steps++) {
            Run run = new Run(3);
            run.all.crew.start();
            run.all.settle();
            stopAt(run, steps);
        }
    }

    @Test
    void stopWhileADeadOnesSuccessorStartsWaitsForNobodyWhoStarts() {
        for (int steps = 0; steps < STEPS; steps++) {
            Run run = new Run(2).started();
            run.all.kill(run.all.living.values().iterator().next());
            run.all.step(Slot.YOUNG);
            stopAt(run, steps);
        }
    }

    @Test
    void stopAtEachStepOfAnUpgradeWaitsForNobodyWhoStarts() {
        for (int steps = 0; steps < STEPS; steps++) {
            Run run = new Run(3).started();
            @Nullable Throwable[] failure = new Throwable[1];
            var _ = new Upgrade(run.all.crew, FakeWorkers.NEW, DRAIN, run.all.main.eventLoop(), run.all.log)
                    .run()
                    .whenComplete((_, e) -> failure[0] = e);
            run.all.settle();
            stopAt(run, steps);
            // nothing failed, and nobody goes on
            assertThat(failure[0])
                    .satisfiesAnyOf(
                            e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(CancellationException.class));
            assertThat(run.all.log.entries()).noneMatch(e -> e.arguments().contains("the old ones serve"));
        }
    }

    @Test
    void eachProcessMayDieAtEachStepOfAStart() {
        assertThat(each(k -> start(2, k))).isGreaterThan(5);
        assertThat(each(k -> start(3, k))).isGreaterThan(10);
    }

    @Test
    void eachProcessMayDieAtEachStepOfAnUpgrade() {
        assertThat(each(k -> upgrade(2, k))).isGreaterThan(30);
        assertThat(each(k -> upgrade(3, k))).isGreaterThan(50);
    }

    @Test
    void eachProcessMayDieAtEachStepOfAStop() {
        assertThat(each(k -> stop(2, k))).isGreaterThan(3);
        assertThat(each(k -> stop(3, k))).isGreaterThan(5);
    }

    /** As by SIGTERM: it says that it drains, and ends; nobody of the crew told it to. */
    @Test
    void eachProcessMayEndByItselfAtEachStep() {
        assertThat(each(false, k -> start(2, k))).isGreaterThan(5);
        assertThat(each(false, k -> upgrade(2, k))).isGreaterThan(30);
        assertThat(each(false, k -> stop(2, k))).isGreaterThan(3);
    }

    @Test
    void anyTwoMayDieInAnUpgrade() {
        int[] played = new int[1];
        each(one -> {
            played[0] += each(two -> upgrade(2, one, two));
            return upgrade(2, one);
        });
        assertThat(played[0]).isGreaterThan(900);
    }

    @Test
    @Tag("nightly")
    void anyThreeMayDieInAnUpgrade() {
        int[] played = new int[1];
        each(one -> {
            each(two -> {
                played[0] += each(three -> upgrade(2, one, two, three));
                return upgrade(2, one, two);
            });
            return upgrade(2, one);
        });
        assertThat(played[0]).isGreaterThan(20_000);
    }

    @Test
    void upgradeWhoseNewSecondDiesBetweenItsReadinessAndTheSwapFailsAndSaysWho() {
        Run run = new Run(2).started();
        List<Throwable> failures = new ArrayList<>();
        var _ = new Upgrade(run.all.crew, FakeWorkers.NEW, DRAIN, run.all.main.eventLoop(), run.all.log)
                .run()
                .whenComplete((_, e) -> {
                    if (e != null) {
                        failures.add(e);
                    }
                });
        run.all.settle();
        FakeWorkers.Fake second = run.all.living.values().stream()
                .filter(f -> f.by.equals(FakeWorkers.NEW))
                .findFirst()
                .orElseThrow();
        while (!second.serves) {
            run.all.step();
        }
        run.all.kill(second);
        run.play();
        run.end();
        assertThat(failures)
                .singleElement()
                .satisfies(e -> assertThat(e)
                        .hasMessage("worker 2 (process " + second.pid + ") ended with signal 9 before it took over"));
    }

    /** What is heard of its death comes after what makes the swap possible. */
    @Test
    void upgradeWhoseNewSecondDiesInTheMomentOfTheSwapFails() {
        Run run = new Run(2).started();
        FakeWorkers all = run.all;
        List<Throwable> failures = new ArrayList<>();
        var _ = new Upgrade(all.crew, FakeWorkers.NEW, DRAIN, all.main.eventLoop(), all.log)
                .run()
                .whenComplete((_, e) -> {
                    if (e != null) {
                        failures.add(e);
                    }
                });
        all.settle();
        while (fresh(all).size() < 2) {
            all.step();
        }
        // the new first connects; what it does next is to be ready
        all.step();
        FakeWorkers.Fake second = fresh(all).getFirst();
        assertThat(second.serves).isTrue();
        boolean _ = second.destroyForcibly().isAlive();
        all.main.eventLoop().execute(all::step);
        all.settle();
        run.play();
        run.end();
        assertThat(failures)
                .singleElement()
                .satisfies(
                        e -> assertThat(e).hasMessageStartingWith("worker 2 (process " + second.pid + ") ended with"));
    }

    private static List<FakeWorkers.Fake> fresh(FakeWorkers all) {
        return all.living.values().stream()
                .filter(f -> f.by.equals(FakeWorkers.NEW))
                .toList();
    }

    @Test
    void slotWithoutAReadyProcessIsAnAlarmAgainAndAgainUntilItHasOne() {
        Run run = new Run(2).started();
        FakeWorkers all = run.all;
        all.kill(all.in(2));
        // another is started, and does not even connect
        wait(all, Crew.ALARM.minusSeconds(2));
        assertThat(all.log.count(ProcessMessages.UNSERVED)).isZero();
        wait(all, Duration.ofSeconds(4));
        assertThat(all.log.entries())
                .filteredOn(e -> e.message() == ProcessMessages.UNSERVED)
                .singleElement()
                .satisfies(e -> assertThat(e.arguments()).startsWith(2).endsWith("are accepted by process 1"));
        wait(all, Crew.ALARM);
        assertThat(all.log.count(ProcessMessages.UNSERVED)).isEqualTo(2);
        run.end();
        wait(all, Crew.ALARM.multipliedBy(3));
        assertThat(all.log.count(ProcessMessages.UNSERVED)).isEqualTo(2);
    }

    /** No other process can accept its connections. */
    @Test
    void onlyProcessThatIsMissingIsNotReplacedByOthers() {
        Run run = new Run(1).started();
        FakeWorkers all = run.all;
        all.kill(all.in(1));
        wait(all, Crew.ALARM.plusSeconds(2));
        assertThat(all.log.entries())
                .filteredOn(e -> e.message() == ProcessMessages.UNSERVED || e.message() == ProcessMessages.DIED)
                .isNotEmpty()
                .allSatisfy(e -> assertThat(e.arguments()).endsWith("wait, because no process is ready,"));
        run.end();
    }

    @Test
    void slotSaysWhatIsInItWhileNobodyServesThere() {
        Run run = new Run(2);
        FakeWorkers all = run.all;
        all.crew.start();
        assertThat(all.crew.unserving()).isEqualTo(Map.of(1, Worker.State.STARTING, 2, Worker.State.STARTING));
        all.settle();
        run.quiet();
        assertThat(all.crew.unserving()).isEmpty();
        all.kill(all.in(2));
        assertThat(all.crew.unserving())
                .as("the next one is started a moment later")
                .isEqualTo(Map.of(2, Worker.State.GONE));
        assertThat(ProcessViews.word(Worker.State.GONE)).isEqualTo("no process");
        wait(all, Duration.ofSeconds(2));
        assertThat(all.crew.unserving()).isEqualTo(Map.of(2, Worker.State.STARTING));
        run.end();
        all.in(2).destroy();
        all.step();
        assertThat(all.crew.unserving()).isEqualTo(Map.of(2, Worker.State.DRAINING));
        run.end();
        assertThat(all.crew.unserving()).isEmpty();
    }

    /** Time goes on, and no process does anything. */
    private static void wait(FakeWorkers all, Duration by) {
        for (long i = 0; i < by.dividedBy(TICK); i++) {
            all.step(TICK);
        }
    }

    @Test
    void stopAtEachStepOfAStartKillsNobody() {
        int steps = 0;
        for (boolean starting = true; starting; steps++) {
            FakeWorkers all = new FakeWorkers(2);
            all.crew.start();
            all.settle();
            for (int i = 0; i < steps; i++) {
                all.step();
            }
            starting = all.busy();
            CompletableFuture<Boolean> stopped = all.crew.stop();
            all.settle();
            for (int i = 0; i < TICKS && !stopped.isDone(); i++) {
                while (all.busy()) {
                    all.step();
                }
                all.step(TICK);
            }
            assertThat(stopped).as("after %s steps", steps).isCompletedWithValue(true);
        }
        assertThat(steps).isGreaterThan(3);
    }
}
