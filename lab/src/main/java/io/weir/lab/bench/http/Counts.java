package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;

/**
 * What a load counted in a turn. Immutable.
 *
 * @param requests complete answers, or other units
 * @param seconds actual duration
 * @param disturbed socket errors and time-outs
 * @param refused answers other than 2xx and 3xx
 */
public record Counts(long requests, double seconds, long disturbed, long refused) {
    /**
     * What a load of this room printed: {@code found requests seconds disturbed refused}.
     *
     * @param load its name
     * @throws BenchFailure if it printed something else
     */
    public static Counts found(String load, String line) throws BenchFailure {
        String[] words = line.split(" ", -1);
        if (words.length != 5 || !words[0].equals("found")) {
            throw new BenchFailure(load + " says: " + line);
        }
        return new Counts(
                Long.parseLong(words[1]),
                Double.parseDouble(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
    }
}
