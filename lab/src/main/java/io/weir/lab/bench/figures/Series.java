package io.weir.lab.bench.figures;

/** The results of one contender's turns, in order. Immutable. */
public final class Series {
    private final String name;
    private final double[] micros;
    private final double[] perSecond;

    /**
     * @param name of the contender
     * @param micros processor time of a request in each turn, microseconds
     * @param perSecond requests a second in each turn
     */
    public Series(String name, double[] micros, double[] perSecond) {
        this.name = name;
        this.micros = micros.clone();
        this.perSecond = perSecond.clone();
    }

    public String name() {
        return name;
    }

    public double[] micros() {
        return micros.clone();
    }

    /** Processor time of a request, microseconds. */
    public double medianMicros() {
        return PairedRatio.median(micros);
    }

    /** Requests a second. */
    public double medianPerSecond() {
        return PairedRatio.median(perSecond);
    }
}
