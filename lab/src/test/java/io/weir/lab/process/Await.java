package io.weir.lab.process;

import io.weir.base.SystemClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what other processes bring about, by looking again and again. Stateless. */
public final class Await {
    /** How long something may take that happens at once on a machine with nothing else to do. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK = Duration.ofMillis(10);

    private Await() {}

    /** Something that becomes true. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Looks until the condition holds; false when it does not within the time. */
    public static boolean within(Duration time, Condition condition) throws Exception {
        return within(time, LOOK, condition);
    }

    private static boolean within(Duration time, Duration look, Condition condition) throws Exception {
        long begun = SystemClock.INSTANCE.nanos();
        while (!condition.holds()) {
            if (SystemClock.INSTANCE.nanos() - begun > time.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(look.toNanos());
        }
        return true;
    }

    /**
     * Looks until the condition holds, and fails when it never does.
     *
     * @param what is awaited
     * @param then what is told beside it when it never comes
     */
    public static void until(String what, Supplier<String> then, Condition condition) throws Exception {
        until(what, then, LOOK, condition);
    }

    /**
     * The same for what costs more than a look at a variable.
     *
     * @param look how long between two looks
     */
    public static void until(String what, Supplier<String> then, Duration look, Condition condition) throws Exception {
        boolean came;
        try {
            came = within(PATIENCE, look, condition);
        } catch (Exception e) {
            throw new AssertionError("awaited: " + what + "\n" + then.get(), e);
        }
        if (!came) {
            throw new AssertionError("awaited in vain: " + what + "\n" + then.get());
        }
    }
}
