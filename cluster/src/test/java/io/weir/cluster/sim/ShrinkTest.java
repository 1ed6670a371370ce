package io.weir.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A failing run is told with as few faults as it needs. */
@Tag("slow")
class ShrinkTest {
    private static final Mutation BROKEN = Mutation.NO_DEADLINE;

    @Test
    void aFailingPlanLosesTheFaultsThatDoNotMatter() {
        Run.Result failed = firstFailure();
        Run.Result small = Shrink.of(failed, BROKEN);
        assertThat(small.plan().faults()).hasSizeLessThan(failed.plan().faults().size());
        assertThat(failed.plan().faults()).containsAll(small.plan().faults());
        assertThat(Objects.requireNonNull(small.violation()).rule())
                .isEqualTo(Objects.requireNonNull(failed.violation()).rule());
        assertThat(small.log()).contains("FAULT");
    }

    private static Run.Result firstFailure() {
        for (long seed = 1; seed <= 200; seed++) {
            Plan plan = Plan.of(seed);
            Run.Result r = Run.of(plan, BROKEN);
            if (r.violation() != null && plan.faults().size() > 5) {
                return r;
            }
        }
        throw new AssertionError("nothing fails without a deadline");
    }
}
