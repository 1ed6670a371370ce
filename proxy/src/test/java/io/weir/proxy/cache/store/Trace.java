package io.weir.proxy.cache.store;

import io.weir.base.Chance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Requests for objects of different sizes, as caches of the web see them: each repeats with its seed. Immutable.
 *
 * @see #cdn the mix of a content delivery network
 */
final class Trace {
    /** Objects that are requested again and again. */
    static final int OBJECTS = 50_000;

    private static final int REQUESTS = 400_000;
    private static final int SMALL = 1024;
    /** Requests until other objects are wanted. */
    private static final int SEASON = 80_000;

    private final String name;
    private final int[] ids;
    private final int[] sizes;

    private Trace(String name, int[] ids, int[] sizes) {
        this.name = name;
        this.ids = ids;
        this.sizes = sizes;
    }

    /** Popularity by a Zipf distribution, all of the same size. */
    static Trace zipf(double exponent, long seed) {
        Draw draw = new Draw(exponent, seed);
        int[] ids = new int[REQUESTS];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = draw.next();
        }
        return new Trace("Zipf " + exponent, ids, same(ids.length));
    }

    /** The same, while a crawler passes by: a fifth of the requests, in runs, each for an object of its own. */
    static Trace scanned(double exponent, long seed) {
        Draw draw = new Draw(exponent, seed);
        int[] ids = new int[REQUESTS];
        int crawled = OBJECTS;
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i % 20_000 >= 16_000 ? crawled++ : draw.next();
        }
        return new Trace("Zipf " + exponent + " with scans", ids, same(ids.length));
    }

    /** The same popularity, but of other objects from time to time: nothing stays wanted for ever. */
    static Trace changing(double exponent, long seed) {
        Draw draw = new Draw(exponent, seed);
        int[] ids = new int[REQUESTS];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = i / SEASON * OBJECTS + draw.next();
        }
        return new Trace("Zipf " + exponent + ", changing", ids, same(ids.length));
    }

    /**
     * The mix of a content delivery network: popularity by a Zipf distribution, a third of the requests for objects that
     * are never requested again, sizes from bytes to megabytes (log-normal, median 12 KB, mean about 43 KB) whatever the
     * popularity, and news: what was popular is replaced in the course of time.
     */
    static Trace cdn(long seed) {
        Draw draw = new Draw(0.9, seed);
        RandomGenerator random = Chance.seeded(seed + 1).random();
        int[] names = new int[OBJECTS];
        Arrays.setAll(names, i -> i);
        int fresh = OBJECTS;
        int[] ids = new int[REQUESTS];
        int[] sizes = new int[REQUESTS];
        for (int i = 0; i < ids.length; i++) {
            if (i % 100 == 0) {
                names[draw.next()] = fresh++;
            }
            ids[i] = random.nextInt(3) == 0 ? fresh++ : names[draw.next()];
            sizes[i] = size(ids[i], seed);
        }
        return new Trace("CDN", ids, sizes);
    }

    /** An object's size is always the same. */
    private static int size(int id, long seed) {
        RandomGenerator random = Chance.seeded(seed * 31 + id).random();
        double bytes = 12_000 * Math.exp(1.6 * random.nextGaussian());
        return (int) Math.clamp(bytes, 100, 8 << 20);
    }

    private static int[] same(int n) {
        int[] sizes = new int[n];
        Arrays.fill(sizes, SMALL);
        return sizes;
    }

    /** Ranks with a Zipf distribution, each drawn anew. */
    private static final class Draw {
        private final double[] cumulated = new double[OBJECTS];
        private final RandomGenerator random;

        Draw(double exponent, long seed) {
            random = Chance.seeded(seed).random();
            double sum = 0;
            for (int i = 0; i < OBJECTS; i++) {
                sum += 1 / Math.pow(i + 1, exponent);
                cumulated[i] = sum;
            }
        }

        int next() {
            int at = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[OBJECTS - 1]);
            return at < 0 ? -at - 1 : at;
        }
    }

    String name() {
        return name;
    }

    /** Bytes of all objects that are requested. */
    long bytes() {
        Map<Integer, Integer> all = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            all.put(ids[i], sizes[i]);
        }
        return all.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Asks a cache. */
    void run(CachePolicy cache) {
        for (int i = 0; i < ids.length; i++) {
            cache.request(ids[i], sizes[i]);
        }
    }
}
