package io.weir.lab.bench;

/**
 * What the turns of one contender gave, in their order. Not copied: whoever makes it lets go of the arrays.
 *
 * @param name of the contender
 * @param micros processor time of a request in each turn, microseconds
 * @param perSecond requests a second in each turn
 */
record Series(String name, double[] micros, double[] perSecond) {
    double medianMicros() {
        return Ratio.median(micros);
    }

    double medianPerSecond() {
        return Ratio.median(perSecond);
    }
}
