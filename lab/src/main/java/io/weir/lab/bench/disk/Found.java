package io.weir.lab.bench.disk;

import io.weir.lab.bench.process.BenchFailure;
import java.util.Locale;

/**
 * What a load of objects found. Immutable.
 *
 * @param requests whole answers
 * @param disturbed requests without one
 * @param refused answers other than 200
 * @param bytes of bodies
 * @param p50 times in microseconds
 */
record Found(
        long requests,
        double seconds,
        long disturbed,
        long refused,
        long bytes,
        long p50,
        long p99,
        long p999,
        long most) {
    /** For {@link #parse}. */
    String line() {
        return String.format(
                Locale.ROOT,
                "found %d %.6f %d %d %d %d %d %d %d",
                requests,
                seconds,
                disturbed,
                refused,
                bytes,
                p50,
                p99,
                p999,
                most);
    }

    /**
     * What the load printed.
     *
     * @throws BenchFailure if it could not load
     */
    static Found parse(String line) throws BenchFailure {
        String[] words = line.split(" ", -1);
        if (words.length != 10 || !words[0].equals("found")) {
            throw new BenchFailure("the load of objects says: " + line);
        }
        long[] numbers = new long[10];
        for (int i = 1; i < 10; i++) {
            numbers[i] = i == 2 ? 0 : Long.parseLong(words[i]);
        }
        return new Found(
                numbers[1],
                Double.parseDouble(words[2]),
                numbers[3],
                numbers[4],
                numbers[5],
                numbers[6],
                numbers[7],
                numbers[8],
                numbers[9]);
    }

    /** The same, if each request had a whole answer of 200. */
    Found whole(String server) throws BenchFailure {
        if (disturbed > 0 || refused > 0) {
            throw new BenchFailure(server + " answered " + refused + " requests with an error and " + disturbed
                    + " not at all, of " + requests);
        }
        return this;
    }
}
