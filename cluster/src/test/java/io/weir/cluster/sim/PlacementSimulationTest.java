package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many services of every {@link Shape} on three members through one fault after the other: never two of one at once, as they
 * themselves say; none is forgotten; fences rise; all are active in the end. {@code -Dsim.seed=N} runs one seed alone.
 */
@Tag("slow")
class PlacementSimulationTest {
    private static final int SEEDS = 16;

    @Test
    void ofManyServicesInManyClustersNoTwoAreActiveAtOnce() {
        Long one = Long.getLong("sim.seed");
        for (long seed = one == null ? 1 : one; seed <= (one == null ? SEEDS : one); seed++) {
            placed(Placements.of(seed, 30, 10), one != null);
        }
    }

    @Test
    void aHundredServicesGoThroughFaults() {
        placed(Placements.of(1, 100, 40), true);
    }

    @Test
    @Tag("nightly")
    void aHundredServicesGoThroughAHundredFaultsAgainAndAgain() {
        for (long seed = 1; seed <= Integer.getInteger("sim.placements", 60); seed++) {
            placed(Placements.of(seed, 100, 100), true);
        }
    }

    private static void placed(Plan plan, boolean tell) {
        Run.Result r = Run.of(plan, Mutation.NONE);
        if (tell) {
            System.out.println("placement, seed " + plan.seed() + ": "
                    + plan.singletons().size() + " services, " + plan.faults().size() + " faults: " + r.summary());
        }
        assertThat(told(r)).isEmpty();
    }

    private static String told(Run.Result r) {
        if (r.violation() == null) {
            return "";
        }
        Run.Result small = Shrink.of(r, Mutation.NONE);
        return "\n-Dsim.seed=" + r.plan().seed() + "\n" + r.violation().getMessage() + "\nSHRUNK to "
                + small.plan().faults() + "\n" + small.log() + "\n"
                + Objects.requireNonNull(small.violation()).getMessage();
    }
}
