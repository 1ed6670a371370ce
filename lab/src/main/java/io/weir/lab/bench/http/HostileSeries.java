package io.weir.lab.bench.http;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of one server's rounds beside slow clients, in order. Confined to the benchmark's thread. */
final class HostileSeries {
    private final List<HostileLoad.Turn> alone = new ArrayList<>();
    private final List<HostileLoad.Turn> beside = new ArrayList<>();
    private final List<Long> during = new ArrayList<>();

    /** Resident bytes before the first slow client. */
    private final long before;

    private long after;

    HostileSeries(long before) {
        this.before = before;
        this.after = before;
    }

    /**
     * Adds the results of a round.
     *
     * @param during peak of resident bytes while the slow ones were connected
     * @param after resident bytes after they had left
     */
    void add(HostileLoad.Turn quick, HostileLoad.Turn besideSlow, long during, long after) {
        alone.add(quick);
        beside.add(besideSlow);
        this.during.add(during);
        this.after = after;
    }

    /** The growth of the quick ones' p99, round by round. */
    PairedRatio ratio(Chance chance) {
        return PairedRatio.of(figures(beside, HostileLoad.Turn::p99), figures(alone, HostileLoad.Turn::p99), chance);
    }

    double alone(ToDoubleFunction<HostileLoad.Turn> of) {
        return PairedRatio.median(figures(alone, of));
    }

    double beside(ToDoubleFunction<HostileLoad.Turn> of) {
        return PairedRatio.median(figures(beside, of));
    }

    long answers() {
        return beside.stream().mapToLong(HostileLoad.Turn::answers).sum();
    }

    /** Errors with and without slow ones. */
    long errors() {
        return alone.stream().mapToLong(HostileLoad.Turn::errors).sum()
                + beside.stream().mapToLong(HostileLoad.Turn::errors).sum();
    }

    long health() {
        return beside.stream().mapToLong(HostileLoad.Turn::health).sum();
    }

    long healthErrors() {
        return beside.stream().mapToLong(HostileLoad.Turn::healthErrors).sum();
    }

    double healthMost() {
        return beside.stream().mapToDouble(HostileLoad.Turn::healthMost).max().orElse(0);
    }

    long before() {
        return before;
    }

    long most() {
        return during.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    long after() {
        return after;
    }

    /**
     * Memory beside slow ones in the second half of the rounds divided by that in the first half; 1 if there is one
     * round.
     */
    double growth() {
        int half = during.size() / 2;
        return half == 0
                ? 1
                : median(during.subList(during.size() - half, during.size())) / median(during.subList(0, half));
    }

    int rounds() {
        return during.size();
    }

    private static double median(List<Long> bytes) {
        return PairedRatio.median(bytes.stream().mapToDouble(Long::doubleValue).toArray());
    }

    private static double[] figures(List<HostileLoad.Turn> turns, ToDoubleFunction<HostileLoad.Turn> of) {
        return turns.stream().mapToDouble(of).toArray();
    }
}
