package io.weir.proxy.program.objconf;

import io.weir.base.Chance;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Random numbers for all loops: SplitMix64 (G. L. Steele et al., OOPSLA 2014) over a shared counter. Not for secrets. */
final class SharedRandom implements RandomGenerator {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final AtomicLong state;

    SharedRandom(Chance chance) {
        state = new AtomicLong(chance.random().nextLong());
    }

    @Override
    public long nextLong() {
        long z = state.addAndGet(GAMMA);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
