package io.weir.base;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The only source of randomness in Weir: a seeded generator whose seed is printed with every failure. Confined to one
 * thread; {@link #split()} creates one for another thread.
 */
public final class Chance {
    private final long seed;
    private final SplittableRandom random;

    /** A generator with a known seed: the same seed gives the same sequence. */
    public static Chance seeded(long seed) {
        return new Chance(seed, new SplittableRandom(seed));
    }

    /** A generator seeded by the machine, for production. */
    public static Chance unseeded() {
        return seeded(new SplittableRandom().nextLong());
    }

    /** Cryptographically secure random bytes for tokens and salts; not reproducible by a seed. */
    public static byte[] secret(int bytes) {
        byte[] b = new byte[bytes];
        new SecureRandom().nextBytes(b);
        return b;
    }

    private Chance(long seed, SplittableRandom random) {
        this.seed = seed;
        this.random = random;
    }

    /** The seed to print so that a run can be repeated. */
    public long seed() {
        return seed;
    }

    public RandomGenerator random() {
        return random;
    }

    /** An independent generator derived from this one, for another thread. */
    public Chance split() {
        return new Chance(seed, random.split());
    }
}
