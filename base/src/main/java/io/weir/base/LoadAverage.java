package io.weir.base;

/**
 * A value's exponentially damped averages over 1, 5 and 15 minutes, like the system's load average. Confined to the
 * thread that calls {@link #sample}; reads from other threads see a recent value.
 */
public final class LoadAverage {
    private static final double[] MINUTES = {1, 5, 15};

    private final double[] decay = new double[3];
    private volatile double one;
    private volatile double five;
    private volatile double fifteen;

    /** An average that is sampled at a constant interval. */
    public LoadAverage(double sampleIntervalSeconds) {
        for (int i = 0; i < 3; i++) {
            decay[i] = Math.exp(-sampleIntervalSeconds / (MINUTES[i] * 60));
        }
    }

    /** Adds the value of this interval to the averages. */
    public void sample(double value) {
        one = one * decay[0] + value * (1 - decay[0]);
        five = five * decay[1] + value * (1 - decay[1]);
        fifteen = fifteen * decay[2] + value * (1 - decay[2]);
    }

    public double oneMinute() {
        return one;
    }

    public double fiveMinutes() {
        return five;
    }

    public double fifteenMinutes() {
        return fifteen;
    }
}
