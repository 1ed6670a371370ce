package io.weir.proxy.cache.disk.files;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which partition has which keys: weighted rendezvous hashing of {@link #SLOTS} slots, which the low bits of a key's hash
 * select. So a partition that is added or removed moves its own share only, in proportion to its size. Immutable.
 */
// D. Thaler, C. V. Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on Networking
// 6 (1), 1998; with weights: J. Resch, "New hashing algorithms for data storage", SNIA Storage Developer Conference
// 2015. The slots make a look-up one array access.
public final class Routing {
    /** How many slots keys are divided into. */
    public static final int SLOTS = 1 << 16;
    /** Most partitions. */
    public static final int MOST = 64;

    private static final long SLOT_MASK = SLOTS - 1;
    private static final long PRIME = 0x100000001b3L;

    private final byte[] owners = new byte[SLOTS];

    /**
     * Computes it.
     *
     * @param names different from each other
     * @param weights of the partitions, positive
     */
    public Routing(List<String> names, List<Long> weights) {
        long[] seeds = names.stream().mapToLong(Routing::seed).toArray();
        for (int slot = 0; slot < SLOTS; slot++) {
            double best = -1;
            for (int i = 0; i < seeds.length; i++) {
                double score = weights.get(i) / -StrictMath.log(share(seeds[i], slot));
                if (score > best) {
                    best = score;
                    owners[slot] = (byte) i;
                }
            }
        }
    }

    private static long seed(String name) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b) * PRIME;
        }
        return hash;
    }

    /** A number between 0 and 1, both excluded. */
    private static double share(long seed, int slot) {
        long z = seed + (slot + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (((z ^ (z >>> 31)) >>> 11) + 0.5) * 0x1p-53;
    }

    /** The slot of a hash. */
    public static int slot(long hash) {
        return (int) (hash & SLOT_MASK);
    }

    /** A hash with the slot of another: variants lie where their key does. Not 0. */
    public static long beside(long primary, long hash) {
        long both = (hash & ~SLOT_MASK) | (primary & SLOT_MASK);
        return both == 0 ? SLOTS : both;
    }

    /** The partition of a key's hash. */
    public int partition(long hash) {
        return owners[slot(hash)];
    }

    /** Whether a slot is a partition's. */
    public boolean has(int partition, int slot) {
        return owners[slot] == partition;
    }

    /** Tells whether a partition has the same slots as in an earlier run. */
    public long fingerprint(int partition) {
        long hash = 0xcbf29ce484222325L;
        for (byte owner : owners) {
            hash = (hash ^ (owner == partition ? 1 : 0)) * PRIME;
        }
        return hash;
    }
}
