package io.weir.journal.recovery;

import io.weir.base.Clock;
import io.weir.base.DeclaredMessage;
import io.weir.base.Log;
import java.util.concurrent.TimeUnit;

/** Says how far a start is, not more often than each few seconds. Confined to the opening thread; good for one start. */
public final class RecoveryProgress {
    /** Between two lines. */
    public static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Steps between two looks at the clock. */
    private static final int STEPS = 64;

    private final Clock clock;
    private final Log log;
    private long said;
    private int steps;

    public RecoveryProgress(Clock clock, Log log) {
        this.clock = clock;
        this.log = log;
        this.said = clock.nanos();
    }

    /** A step was done; true when it is time to {@link #say} how far that is. */
    public boolean step() {
        return ++steps % STEPS == 0 && clock.nanos() - said >= EVERY_NANOS;
    }

    public void say(DeclaredMessage message, Object... values) {
        said = clock.nanos();
        log.log(message, values);
    }
}
