package io.weir.base;

/**
 * The machine's clocks. A test of several servers can shift a server's wall clock by the system property {@code
 * weir.test.clock-offset}, in milliseconds. Stateless.
 */
public enum SystemClock implements Clock {
    INSTANCE;

    private static final long TEST_OFFSET = Long.getLong("weir.test.clock-offset", 0);

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis() + TEST_OFFSET;
    }
}
