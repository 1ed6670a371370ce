package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.bench.process.PauseLog;
import org.junit.jupiter.api.Test;

/** A row of the collectors: medians of the turns, the longest of all, and what the log says of all. */
final class CollectorTableTest {
    private static SteadyLoad.Tail tail(double p999, double most) {
        return new SteadyLoad.Tail(0, 1, 2, p999, most, 5, 0.1);
    }

    @Test
    void turnsAreMediansButForTheLongest() {
        CollectedTurns turns = new CollectedTurns();
        turns.add(tail(30, 900), new PauseLog.Pauses(1, 1, 4, 4, 7, 0, 0));
        turns.add(tail(10, 40), new PauseLog.Pauses(2, 6, 2.5, 5, 0, 1, 12.5));
        turns.add(tail(20, 50), PauseLog.NONE);
        assertThat(turns.median(SteadyLoad.Tail::p999)).isEqualTo(20);
        assertThat(turns.most()).isEqualTo(900);
        assertThat(turns.pauses()).isEqualTo(new PauseLog.Pauses(3, 7, 4, 9, 7, 1, 12.5));
    }

    @Test
    void rowHasPausesAndStallsOfBothKindsOfTurns() {
        CollectedTurns plain = new CollectedTurns();
        plain.add(tail(300, 400), new PauseLog.Pauses(3, 3, 1.25, 3.5, 0, 0, 0));
        CollectedTurns whole = new CollectedTurns();
        whole.add(tail(70_000, 80_000), new PauseLog.Pauses(1, 2, 70.04, 71, 0, 2, 33.3));
        CollectorTable table = new CollectorTable();
        table.row("ZGC, 512 MiB", 400_000, 144L << 20, 500L << 20, plain, whole);
        String row = table.text().lines().toList().getLast().replaceAll(" +", " ");
        assertThat(row)
                .isEqualTo("| ZGC, 512 MiB | 400000 | 144 | 500 | 1 | 2 | 300 | 400 | 5 | 3 | 1.3 / 4 | - |"
                        + " 70000 | 80000 | 70.0 / 71 | 33.3 / 2 |");
    }

    @Test
    void serverWithoutTurnsHasNoFigures() {
        assertThatThrownBy(() -> new CollectedTurns().median(SteadyLoad.Tail::p50))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
