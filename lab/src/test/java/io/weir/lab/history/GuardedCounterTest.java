package io.weir.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lost updates are found, unknown ones forgiven. */
class GuardedCounterTest {
    private final OperationHistory history = new OperationHistory();

    @Test
    void everyIncrementCounts() {
        increment(1);
        increment(2);
        assertThat(GuardedCounter.violation(history.operations(), 2)).isEmpty();
    }

    @Test
    void twoIncrementsThatMadeTheSameValueAreALostUpdate() {
        increment(1);
        increment(1);
        assertThat(GuardedCounter.violation(history.operations(), 1))
                .hasValueSatisfying(told -> assertThat(told).contains("two increments made 1"));
    }

    @Test
    void anIncrementThatIsOverwrittenIsALostUpdate() {
        increment(1);
        increment(2);
        assertThat(GuardedCounter.violation(history.operations(), 1)).isPresent();
    }

    @Test
    void anUnknownIncrementMayCountOrNot() {
        increment(1);
        history.info(history.invoke(1, "c", "increment", 0, 5));
        assertThat(GuardedCounter.violation(history.operations(), 1)).isEmpty();
        assertThat(GuardedCounter.violation(history.operations(), 2)).isEmpty();
        assertThat(GuardedCounter.violation(history.operations(), 3)).isPresent();
    }

    @Test
    void aRefusedIncrementDoesNotCount() {
        history.fail(history.invoke(1, "c", "increment", 0, 5), 6);
        assertThat(GuardedCounter.violation(history.operations(), 0)).isEmpty();
        assertThat(GuardedCounter.violation(history.operations(), 1)).isPresent();
    }

    private void increment(long made) {
        history.ok(history.invoke(1, "c", "increment", 0, made), made, made + 1);
    }
}
