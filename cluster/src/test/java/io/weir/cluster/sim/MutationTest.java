package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the simulation's silence is worth: with a rule of leasing switched off it finds a violation within the normal seeds.
 * The nightly run counts the seeds that do: it is not by a lucky one.
 */
@Tag("slow")
class MutationTest {
    private static final int SEEDS = 200;
    private static final int ENOUGH = 2;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRuleThatIsSwitchedOffIsMissed(Mutation mutation) {
        assertThat(found(mutation, 1)).as("seeds that find " + mutation).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @Tag("nightly")
    void soManySeedsMissIt(Mutation mutation) {
        List<Long> found = found(mutation, SEEDS);
        System.out.println(mutation + " is found by " + found.size() + " of " + SEEDS + " seeds: " + found);
        assertThat(found).hasSizeGreaterThanOrEqualTo(ENOUGH);
    }

    /** The first seeds that find it. */
    private static List<Long> found(Mutation mutation, int enough) {
        List<Long> found = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS && found.size() < enough; seed++) {
            if (Run.of(Plan.of(seed), mutation).violation() != null) {
                found.add(seed);
            }
        }
        return found;
    }
}
