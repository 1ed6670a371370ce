package io.weir.lab.bench.disk;

import io.weir.base.Chance;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The objects of the origin: {@code /SIZE/ID}, of the size that the path names. Sizes of the mix do not depend on
 * popularity. Stateless.
 */
public final class ObjectMix {
    /** The origin's files by name. */
    public static final Map<String, Integer> FILES =
            Map.of("1k", 1 << 10, "4k", 4 << 10, "13k", 13 << 10, "64k", 64 << 10, "256k", 256 << 10, "1m", 1 << 20);

    /** The size of the mix. */
    static final String MIX = "mix";

    private static final int HUNDRED = 100;

    private ObjectMix() {}

    /** The path of an object. */
    static String path(String size, long id) {
        return String.format(Locale.ROOT, "/%s/%08d", size.equals(MIX) ? sizeOf(id) : size, id);
    }

    /** Always the same for an id; the mean is 37 KB. */
    static String sizeOf(long id) {
        long mixed = (id + 1) * 0x9E3779B97F4A7C15L;
        int percent = (int) Long.remainderUnsigned(mixed ^ (mixed >>> 29), HUNDRED);
        if (percent < 40) {
            return "4k";
        }
        if (percent < 80) {
            return "13k";
        }
        if (percent < 95) {
            return "64k";
        }
        return percent < 99 ? "256k" : "1m";
    }

    /** Bytes of the first objects of the mix. */
    static long bytes(long objects) {
        long bytes = 0;
        for (long id = 0; id < objects; id++) {
            bytes += FILES.getOrDefault(sizeOf(id), 0);
        }
        return bytes;
    }

    /** Ids with a Zipf distribution, each drawn anew: the first is the most popular. Confined to its thread. */
    static final class Draw {
        private final double[] cumulated;
        private final RandomGenerator random;

        Draw(int objects, double exponent, long seed) {
            cumulated = new double[objects];
            random = Chance.seeded(seed).random();
            double sum = 0;
            for (int i = 0; i < objects; i++) {
                sum += 1 / Math.pow(i + 1, exponent);
                cumulated[i] = sum;
            }
        }

        int next() {
            int at = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
            return at < 0 ? -at - 1 : at;
        }
    }
}
