package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Letters between workers, and who is told which others there are. */
class LettersTest {
    private final FakeWorkers all = new FakeWorkers(3);

    private void quiet() {
        while (all.busy()) {
            all.step();
        }
    }

    private FakeWorkers.Fake started(int slot) {
        if (all.living.isEmpty()) {
            all.crew.start();
            all.settle();
            quiet();
        }
        return all.in(slot);
    }

    @Test
    void aLetterArrivesWithItsSender() {
        FakeWorkers.Fake one = started(1);
        FakeWorkers.Fake two = started(2);
        one.say(Orders.TO + " " + two.pid + " purge 7 1 whole http%3A%2F%2Fx");
        one.say(Orders.TO + " 1 to nobody");
        all.settle();
        assertThat(two.heard).containsExactly("from " + one.pid + " purge 7 1 whole http%3A%2F%2Fx");
        assertThat(one.heard).isEmpty();
        assertThat(all.in(3).heard).isEmpty();
    }

    @Test
    void whoAskedLastLearnsOfEachChange() {
        FakeWorkers.Fake one = started(1);
        FakeWorkers.Fake two = started(2);
        long three = started(3).pid;
        one.say(Orders.OTHERS + " 5");
        all.settle();
        assertThat(one.heard).containsExactly("others 5 " + two.pid + "," + three);
        all.kill(two);
        assertThat(one.heard).last().isEqualTo("others 5 " + three);
        for (int i = 0; i < 10 && all.living.size() < 3; i++) {
            all.step(Duration.ofMillis(500));
        }
        assertThat(one.heard).as("its successor may not serve yet").last().isEqualTo("others 5 " + three);
        quiet();
        assertThat(one.heard).last().isEqualTo("others 5 " + three + "," + all.in(2).pid);
        int heard = one.heard.size();
        all.in(3).say(Orders.OTHERS + " 1");
        all.kill(all.in(2));
        assertThat(one.heard).as("another asked").hasSize(heard);
        assertThat(all.in(3).heard).last().isEqualTo("others 1 " + one.pid);
    }
}
