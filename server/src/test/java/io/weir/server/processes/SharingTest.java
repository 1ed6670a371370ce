package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which workers are told to ask each other. */
class SharingTest {
    private final FakeWorkers all = new FakeWorkers(3);

    SharingTest() {
        all.crew.start();
        all.settle();
        quiet();
    }

    private void quiet() {
        while (all.busy()) {
            all.step();
        }
    }

    private void shares(FakeWorkers.Fake worker) {
        worker.say("to 0 shares " + (1000 + worker.pid));
        all.settle();
    }

    private static List<String> told(FakeWorkers.Fake worker) {
        return worker.told.stream().filter(l -> l.startsWith("share ")).toList();
    }

    private String share(FakeWorkers.Fake... workers) {
        StringBuilder text = new StringBuilder("share ");
        for (FakeWorkers.Fake w : workers) {
            text.append(text.length() > 6 ? "," : "").append(w.slot).append('=').append(1000 + w.pid);
        }
        return text.toString();
    }

    @Test
    void allHaveTheSameSecretAndKnowWhoIsReady() {
        FakeWorkers.Fake one = all.in(1);
        FakeWorkers.Fake two = all.in(2);
        FakeWorkers.Fake three = all.in(3);
        assertThat(one.told).anyMatch(l -> l.matches("share-secret [0-9a-f]{64}"));
        assertThat(two.told)
                .containsAll(one.told.stream()
                        .filter(l -> l.startsWith("share-secret"))
                        .toList());
        shares(one);
        shares(two);
        assertThat(told(three)).as("it does not share").isEmpty();
        assertThat(told(one)).containsExactly(share(one), share(one, two));
        all.kill(two);
        assertThat(told(one)).last().isEqualTo(share(one));
        for (int i = 0; i < 20 && all.living.size() < 3; i++) {
            all.step(Duration.ofMillis(100));
        }
        quiet();
        FakeWorkers.Fake next = all.in(2);
        shares(next);
        assertThat(told(one)).last().isEqualTo(share(one, next));
        assertThat(told(next)).last().isEqualTo(share(one, next));
    }

    /** A crew of which the processes have connected and are not ready. */
    private static FakeWorkers starting() {
        FakeWorkers fresh = new FakeWorkers(3);
        fresh.crew.start();
        fresh.settle();
        for (int i = 0; i < 3; i++) {
            fresh.step();
        }
        return fresh;
    }

    private static void says(FakeWorkers among, FakeWorkers.Fake worker, String port) {
        worker.say("to 0 shares " + port);
        among.settle();
    }

    private String all(FakeWorkers of) {
        return share(of.in(1), of.in(2), of.in(3));
    }

    private static String port(FakeWorkers.Fake worker) {
        return Long.toString(1000 + worker.pid);
    }

    @Test
    void thoseThatStartTogetherLearnOfEachOtherAtOnceAndBeforeTheyServe() {
        FakeWorkers some = starting();
        says(some, some.in(1), port(some.in(1)));
        says(some, some.in(3), port(some.in(3)));
        assertThat(told(some.in(1))).as("the second has not said it yet").isEmpty();
        assertThat(some.living.values()).noneMatch(f -> f.serves);
        says(some, some.in(2), port(some.in(2)));
        for (int slot = 1; slot <= 3; slot++) {
            assertThat(told(some.in(slot))).containsExactly(all(some));
        }
    }

    @Test
    void nobodyWaitsForOneThatCannotBeAskedOrHasEnded() {
        FakeWorkers some = starting();
        says(some, some.in(1), port(some.in(1)));
        says(some, some.in(2), "0");
        assertThat(told(some.in(1))).isEmpty();
        some.kill(some.in(3));
        assertThat(told(some.in(1))).containsExactly(share(some.in(1)));
        assertThat(told(some.in(2))).isEmpty();
    }

    @Test
    void whoStartsBesideOthersThatServeWaitsForNobody() {
        shares(all.in(1));
        all.kill(all.in(2));
        all.kill(all.in(3));
        for (int i = 0; i < 20 && all.living.size() < 3; i++) {
            all.step(Duration.ofMillis(100));
        }
        all.step();
        all.step();
        FakeWorkers.Fake two = all.in(2);
        assertThat(two.serves).isFalse();
        shares(two);
        assertThat(told(two)).containsExactly(share(all.in(1), two));
        assertThat(told(all.in(1)))
                .as("it can be asked before it serves")
                .last()
                .isEqualTo(share(all.in(1), two));
    }

    @Test
    void whoDrainsOrHangsIsNotAsked() {
        FakeWorkers.Fake one = all.in(1);
        FakeWorkers.Fake two = all.in(2);
        FakeWorkers.Fake three = all.in(3);
        shares(one);
        shares(two);
        shares(three);
        two.say("draining 1000");
        all.settle();
        assertThat(told(one)).last().isEqualTo(share(one, three));
        three.hangs = true;
        for (int i = 0; i < 3; i++) {
            all.crew.living().forEach(Worker::probe);
            all.settle();
        }
        all.step(Duration.ofSeconds(1));
        assertThat(told(one)).last().isEqualTo(share(one));
        three.hangs = false;
        all.crew.living().forEach(Worker::probe);
        all.settle();
        all.step(Duration.ofSeconds(1));
        assertThat(told(one)).last().isEqualTo(share(one, three));
    }

    @Test
    void theOldAndTheNewOnesOfAnUpgradeDoNotAskEachOther() {
        List<FakeWorkers.Fake> old = List.copyOf(all.living.values());
        old.forEach(this::shares);
        CompletableFuture<Void> upgrade =
                new Upgrade(all.crew, FakeWorkers.NEW, Duration.ofSeconds(30), all.main.eventLoop(), all.log).run();
        all.settle();
        for (int i = 0; i < 5; i++) {
            all.step();
        }
        all.living.values().stream().filter(f -> f.serves && !old.contains(f)).forEach(this::shares);
        quiet();
        assertThat(upgrade).isCompleted();
        List<FakeWorkers.Fake> fresh = List.copyOf(all.living.values());
        assertThat(fresh).hasSize(3).doesNotContainAnyElementsOf(old);
        fresh.forEach(this::shares);
        assertThat(told(all.in(1))).last().isEqualTo(share(all.in(2), all.in(3), all.in(1)));
        for (FakeWorkers.Fake f : old) {
            assertThat(told(f)).allMatch(l -> fresh.stream().noneMatch(n -> l.contains("=" + (1000 + n.pid))));
        }
        for (FakeWorkers.Fake f : fresh) {
            assertThat(told(f)).allMatch(l -> old.stream().noneMatch(n -> l.contains("=" + (1000 + n.pid))));
        }
    }
}
