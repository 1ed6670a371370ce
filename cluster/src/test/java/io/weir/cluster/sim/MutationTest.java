package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the simulation's silence is worth: with a rule of leasing switched off it finds a violation within the normal seeds. */
class MutationTest {
    private static final int SEEDS = 200;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aRuleThatIsSwitchedOffIsMissed(Mutation mutation) {
        long found = 0;
        for (long seed = 1; seed <= SEEDS && found == 0; seed++) {
            found = Run.of(Plan.of(seed), mutation).violation() == null ? 0 : seed;
        }
        assertThat(found).as("the first seed that finds " + mutation).isPositive();
    }
}
