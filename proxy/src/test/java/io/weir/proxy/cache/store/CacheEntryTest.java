package io.weir.proxy.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CacheEntryTest {
    private final CacheEntry entry = new CacheEntry(1, new byte[0]);

    /** A fetch without more. */
    private static final class Fetch extends InFlight {
        Fetch(boolean alone) {
            super(alone);
        }

        @Override
        protected void doom() {}
    }

    /** A look-up reads up to the first that is alone: any number of those must not make it slower, nor hide another. */
    @Test
    void thoseThatOthersMayWaitForComeFirst() {
        Fetch first = add(false);
        Fetch lone = add(true);
        Fetch second = add(false);
        Fetch other = add(true);
        assertThat(fetches()).containsExactly(second, first, other, lone);
    }

    @Test
    void anyCanBeRemovedInAnyOrder() {
        RandomGenerator random = Chance.seeded(1).random();
        List<Fetch> present = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            if (present.isEmpty() || random.nextInt(5) < 3) {
                present.add(add(random.nextBoolean()));
            } else {
                entry.remove(present.remove(random.nextInt(present.size())));
            }
            List<InFlight> now = fetches();
            assertThat(now).containsExactlyInAnyOrderElementsOf(present);
            assertThat(now.stream().map(InFlight::alone)).isSorted();
        }
        present.forEach(entry::remove);
        assertThat(entry.fetches()).isNull();
        assertThat(entry.unused()).isTrue();
    }

    private Fetch add(boolean alone) {
        Fetch fetch = new Fetch(alone);
        entry.add(fetch);
        return fetch;
    }

    private List<InFlight> fetches() {
        List<InFlight> all = new ArrayList<>();
        for (InFlight f = entry.fetches(); f != null; f = f.next()) {
            all.add(f);
        }
        return all;
    }
}
