package io.weir.server.history;

import java.util.List;

/**
 * The series of a value of a row. Immutable.
 *
 * @param metric the statistic's declared name
 * @param part the value of the statistic
 * @param bound for {@link Part#UP_TO} the bound in the statistic's unit, otherwise 0
 * @param labels alternating names and values
 */
record SeriesKey(String metric, Part part, long bound, List<String> labels) {
    /** The values that a statistic may have. Their numbers are those of the file format. */
    enum Part {
        /** A counter. */
        COUNT(0, true),
        /** A gauge; in the long ring its mean. */
        LEVEL(1, false),
        /** A gauge's highest value since the previous row; long ring only. */
        PEAK(2, false),
        /** The number of a histogram's values. */
        EVENTS(3, true),
        /** Their sum. */
        SUM(4, true),
        /** The number of values at or below a bound. */
        UP_TO(5, true);

        private final int number;
        private final boolean rising;

        Part(int number, boolean rising) {
            this.number = number;
            this.rising = rising;
        }

        /** Its number in a file. */
        int number() {
            return number;
        }

        static Part of(int number) {
            for (Part part : values()) {
                if (part.number == number) {
                    return part;
                }
            }
            throw new IllegalArgumentException("part " + number);
        }

        /** Whether it only rises while a process lives: its increase is what counts. */
        boolean rising() {
            return rising;
        }
    }

    SeriesKey {
        labels = List.copyOf(labels);
        if (labels.size() % 2 != 0) {
            throw new IllegalArgumentException("labels are alternating names and values: " + labels);
        }
    }

    /** Another value of the same statistic. */
    SeriesKey with(Part other) {
        return new SeriesKey(metric, other, 0, labels);
    }

    /** A label's value; empty if it has no such label. */
    String label(String name) {
        for (int i = 0; i < labels.size(); i += 2) {
            if (labels.get(i).equals(name)) {
                return labels.get(i + 1);
            }
        }
        return "";
    }
}
