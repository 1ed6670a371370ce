package io.weir.lab.mix;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Choices of one operation, of one answer or of one writer. Each has dice of its own, made from the seed and a name, so that
 * what is chosen does not depend on what came before. Confined to one thread.
 */
final class Dice {
    private final RandomGenerator random;

    private Dice(long seed) {
        random = Chance.seeded(seed).random();
    }

    static Dice of(long seed, long name) {
        return new Dice(seed * 1_000_003 + name * 7_919 + (name >>> 17));
    }

    /** From 0 to below. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean percent(int of100) {
        return random.nextInt(100) < of100;
    }

    /** The same, where the feature is on. The dice are thrown either way. */
    boolean percent(int of100, Feature feature) {
        return percent(of100) && feature.isOn();
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Lets a few microseconds pass without giving up the processor. */
    void spin(int mostMicros) {
        long nanos = TimeUnit.MICROSECONDS.toNanos(below(mostMicros + 1));
        long begun = SystemClock.INSTANCE.nanos();
        while (SystemClock.INSTANCE.nanos() - begun < nanos) {
            Thread.onSpinWait();
        }
    }

    /** Lets some time pass, to mix the order of what others do: nothing is decided by how long. */
    void pause(int mostMicros) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(1 + below(mostMicros)));
    }
}
