package io.weir.lab.history;

import io.weir.lab.history.Operation.Outcome;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The decisive test of a lock: an external counter, read, incremented and written back by the lease's holder. If two
 * hold it at once, updates are lost. Operations: {@code increment}, whose result is the value after it. Stateless.
 */
public final class GuardedCounter {
    private GuardedCounter() {}

    /**
     * The lost or duplicated updates.
     *
     * @param finalValue the counter's value at the end
     */
    public static Optional<String> violation(List<Operation> operations, long finalValue) {
        Set<Long> seen = new HashSet<>();
        long sure = 0;
        long perhaps = 0;
        for (Operation o : operations) {
            if (!o.action().equals("increment") || o.outcome() == Outcome.FAIL) {
                continue;
            }
            if (!o.certain()) {
                perhaps++;
                continue;
            }
            sure++;
            if (!seen.add(o.answer())) {
                return Optional.of("an update was lost: two increments made " + o.answer() + ", the second is " + o);
            }
        }
        if (finalValue < sure) {
            return Optional.of("updates were lost: " + sure + " increments succeeded, the counter is " + finalValue);
        }
        if (finalValue > sure + perhaps) {
            return Optional.of("the counter is " + finalValue + " after at most " + (sure + perhaps) + " increments");
        }
        return Optional.empty();
    }
}
