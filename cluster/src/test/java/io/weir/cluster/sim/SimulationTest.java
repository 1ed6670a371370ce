package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clusters with everything that may go wrong, one for each seed. {@code -Dsim.seed=N} runs one alone and prints what it did;
 * a seed that failed once is kept in {@code sim/regressions.txt}.
 */
@Tag("slow")
class SimulationTest {
    private static final int NORMAL = 100;
    private static final int NIGHTLY = 10_000;

    @Test
    void aHundredClustersKeepTheirPromises() {
        Long one = Long.getLong("sim.seed");
        if (one == null) {
            keepTheirPromises(1, NORMAL);
        } else {
            Run.Result r = Run.of(Plan.of(one), Mutation.NONE);
            System.out.println(r.plan().told() + r.summary());
            assertThat(told(r)).isEmpty();
        }
    }

    @Test
    @Tag("nightly")
    void tenThousandClustersKeepTheirPromises() {
        keepTheirPromises(1, Integer.getInteger("sim.seeds", NIGHTLY));
    }

    @Test
    void whatFailedOnceFailsNoMore() throws IOException {
        for (long seed : regressions()) {
            assertThat(told(Run.of(Plan.of(seed), Mutation.NONE))).isEmpty();
        }
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(Run.of(Plan.of(seed), Mutation.NONE).summary())
                    .isEqualTo(Run.of(Plan.of(seed), Mutation.NONE).summary());
        }
    }

    private static void keepTheirPromises(long from, long to) {
        for (long seed = from; seed <= to; seed++) {
            assertThat(told(Run.of(Plan.of(seed), Mutation.NONE))).isEmpty();
        }
    }

    /** What to read when it failed: the smallest plan that fails likewise, and the last of what happened in it. */
    private static String told(Run.Result r) {
        Violation v = r.violation();
        if (v == null) {
            return "";
        }
        Run.Result small = Shrink.of(r, Mutation.NONE);
        return "\n-Dsim.seed=" + r.plan().seed() + "\n" + v.getMessage() + "\nSHRUNK from "
                + r.plan().faults().size() + " to " + small.plan().faults().size() + " faults:\n"
                + small.plan().told() + small.log() + "\n"
                + Objects.requireNonNull(small.violation()).getMessage();
    }

    private static List<Long> regressions() throws IOException {
        List<Long> seeds = new ArrayList<>();
        try (InputStream in = SimulationTest.class.getResourceAsStream("/sim/regressions.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                String seed = line.replaceAll("#.*", "").strip();
                if (!seed.isEmpty()) {
                    seeds.add(Long.parseLong(seed));
                }
            }
        }
        return seeds;
    }
}
