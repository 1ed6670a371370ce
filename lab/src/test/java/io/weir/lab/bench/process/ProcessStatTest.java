package io.weir.lab.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static final String REST = " 0 -1 4194560 1037 0 0 0 123 45 0 0 20 0 1 0 5 0 0";

    @Test
    void timeIsUserAndSystemTime() {
        assertThat(ProcessStat.parse("42 (java) S 7 42 42" + REST)).isEqualTo(new ProcessStat(42, 7, 168));
    }

    @Test
    void nameMayHoldSpacesAndParentheses() {
        assertThat(ProcessStat.parse("42 (a) S (b c) R 7 42 42" + REST)).isEqualTo(new ProcessStat(42, 7, 168));
    }

    @Test
    void otherTextIsRefused() {
        assertThatThrownBy(() -> ProcessStat.parse("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProcessStat.parse("42 (java) S 7")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ProcessStat.parse("(java) S 7 1 1" + REST))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void familyIsTheProcessAndAllThatDescendFromIt() {
        List<ProcessStat> all = List.of(
                new ProcessStat(12, 11, 3), // listed before its parent
                new ProcessStat(1, 0, 100),
                new ProcessStat(10, 1, 1),
                new ProcessStat(11, 10, 2),
                new ProcessStat(20, 1, 50));
        assertThat(ProcessStat.family(10, all)).isEqualTo(Map.of(10L, 1L, 11L, 2L, 12L, 3L));
    }

    @Test
    void ticksAreTenMilliseconds() {
        assertThat(ProcessStat.microsBetween(Map.of(1L, 100L), Map.of(1L, 103L)))
                .isEqualTo(30_000);
    }

    @Test
    void processesThatBeganCountAndThoseThatEndedDoNot() {
        assertThat(ProcessStat.microsBetween(Map.of(1L, 100L, 2L, 50L), Map.of(1L, 101L, 3L, 4L)))
                .isEqualTo(50_000);
    }

    @Test
    void ourOwnFamilyIsRead() throws Exception {
        long self = ProcessHandle.current().pid();
        assertThat(BenchProcesses.family(self)).containsKey(self);
        assertThat(BenchProcesses.residentBytes(self)).isPositive();
    }
}
