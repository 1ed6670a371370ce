package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.state.bytes.StateLimits;
import io.weir.server.siblings.PurgeLetter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The purges of a server reach its workers in their order, and who takes a number gets what its predecessor missed. */
class NumberedPurgesTest {
    private static final Duration LATER = Duration.ofSeconds(6);

    private final FakeWorkers all = new FakeWorkers(2);

    NumberedPurgesTest() {
        all.crew.start();
        all.settle();
        quiet();
    }

    private void quiet() {
        while (all.busy()) {
            all.step();
        }
    }

    private CompletableFuture<Boolean> purge(String url) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        all.crew.purges().purge(url, done);
        all.settle();
        return done;
    }

    /** It has applied the last letter; returns that. */
    private String apply(FakeWorkers.Fake worker) {
        String letter = letters(worker).getLast();
        String[] words = letter.split(" ", -1);
        worker.say("to 0 forget-done " + words[1] + " " + words[2] + " " + words[3]);
        all.settle();
        return words.length < 5 ? "" : letter.split(" ", 5)[4];
    }

    private static List<String> letters(FakeWorkers.Fake worker) {
        return worker.told.stream()
                .filter(l -> l.startsWith(PurgeLetter.SERVER + " "))
                .toList();
    }

    private FakeWorkers.Fake next(int slot, FakeWorkers.Fake before) {
        for (int i = 0; i < 20 && (all.living.values().stream().noneMatch(f -> f.slot == slot) || all.busy()); i++) {
            all.step(Duration.ofMillis(100));
            quiet();
        }
        assertThat(all.in(slot)).isNotEqualTo(before);
        return all.in(slot);
    }

    @Test
    void aPurgeIsDoneWhenAllHaveAppliedIt() {
        FakeWorkers.Fake one = all.in(1);
        FakeWorkers.Fake two = all.in(2);
        assertThat(apply(one)).isEmpty();
        assertThat(apply(two)).isEmpty();
        CompletableFuture<Boolean> done = purge("http://x/a");
        assertThat(apply(one)).isEqualTo("http%3A%2F%2Fx%2Fa");
        assertThat(done).isNotDone();
        assertThat(all.crew.purges().behind()).containsExactly(2);
        assertThat(apply(two)).isEqualTo("http%3A%2F%2Fx%2Fa");
        assertThat(done).isCompletedWithValue(true);
        assertThat(all.crew.purges().behind()).isEmpty();
    }

    @Test
    void oneLetterWaitsBeforeAWorkerThatHangs() {
        FakeWorkers.Fake two = all.in(2);
        apply(two);
        int before = letters(two).size();
        for (int i = 0; i < 10; i++) {
            var _ = purge("http://x/" + i);
        }
        assertThat(letters(two)).hasSize(before + 1);
        apply(two);
        assertThat(letters(two)).hasSize(before + 2);
        assertThat(letters(two).getLast().split(" ", -1)).as("all the others").hasSize(4 + 9);
    }

    @Test
    void whoHasNotAnsweredYetIsNotWaitedFor() {
        apply(all.in(1));
        CompletableFuture<Boolean> done = purge("");
        assertThat(done).as("the first has to").isNotDone();
        assertThat(apply(all.in(1))).isEqualTo("*");
        assertThat(done).as("the second starts").isCompletedWithValue(true);
    }

    @Test
    void aSuccessorGetsWhatItsPredecessorMayHaveLost() {
        FakeWorkers.Fake two = all.in(2);
        apply(two);
        var _ = purge("http://x/1");
        apply(two);
        all.step(LATER);
        var _ = purge("http://x/2");
        apply(two);
        var _ = purge("http://x/3");
        all.kill(two);
        FakeWorkers.Fake next = next(2, two);
        assertThat(letters(next)).hasSize(1);
        assertThat(apply(next))
                .as("the first one is on the disk, the second perhaps not, the third was not applied")
                .isEqualTo("http%3A%2F%2Fx%2F2 http%3A%2F%2Fx%2F3");
    }

    @Test
    void ifMoreWereMissedThanAreKeptTheCacheIsEmptied() {
        FakeWorkers.Fake two = all.in(2);
        apply(two);
        all.kill(two);
        for (int i = 0; i <= StateLimits.PURGES; i++) {
            all.crew.purges().purge("http://x/" + i, new CompletableFuture<>());
        }
        assertThat(apply(next(2, two))).isEqualTo("?");
        CompletableFuture<Boolean> done = purge("http://x/more");
        apply(all.in(1));
        while (all.crew.purges().behind().contains(1)) {
            apply(all.in(1));
        }
        assertThat(apply(all.in(2))).isEqualTo("http%3A%2F%2Fx%2Fmore");
        assertThat(done).isCompletedWithValue(true);
    }
}
