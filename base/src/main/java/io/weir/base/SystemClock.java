package io.weir.base;

/**
 * The machine's clocks. A test of several servers sets the wall clock of one wrong by the system property
 * {@code weir.test.clock-offset}, in milliseconds. Stateless.
 */
public enum SystemClock implements Clock {
    INSTANCE;

    private static final long WRONG_BY = Long.getLong("weir.test.clock-offset", 0);

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis() + WRONG_BY;
    }
}
