package io.weir.proxy.cache.disk.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.List;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private static double share(Routing routing, int partition) {
        int n = 0;
        for (int slot = 0; slot < Routing.SLOTS; slot++) {
            n += routing.has(partition, slot) ? 1 : 0;
        }
        return (double) n / Routing.SLOTS;
    }

    @Test
    void eachGetsAsMuchAsItIsLarge() {
        Routing routing = new Routing(List.of("a", "b", "c"), List.of(100L << 30, 300L << 30, 600L << 30));
        assertThat(share(routing, 0)).isCloseTo(0.1, Offset.offset(0.01));
        assertThat(share(routing, 1)).isCloseTo(0.3, Offset.offset(0.01));
        assertThat(share(routing, 2)).isCloseTo(0.6, Offset.offset(0.01));
    }

    @Test
    void aNewOneTakesItsShareAndNothingElseMoves() {
        Routing before = new Routing(List.of("a", "b", "c"), List.of(1L << 30, 1L << 30, 1L << 30));
        Routing after = new Routing(List.of("new", "c", "b", "a"), List.of(1L << 30, 1L << 30, 1L << 30, 1L << 30));
        int moved = 0;
        for (int slot = 0; slot < Routing.SLOTS; slot++) {
            int was = before.partition(slot);
            int is = after.partition(slot);
            moved += is == 0 ? 1 : 0;
            assertThat(is == 0 || is == 3 - was).as("slot %d", slot).isTrue();
        }
        assertThat((double) moved / Routing.SLOTS).isCloseTo(0.25, Offset.offset(0.01));
        assertThat(after.fingerprint(3)).isNotEqualTo(before.fingerprint(0));
        Routing again = new Routing(List.of("c", "a", "b"), List.of(1L << 30, 1L << 30, 1L << 30));
        assertThat(again.fingerprint(1)).isEqualTo(before.fingerprint(0));
    }

    @Test
    void variantsLieWhereTheirKeyDoes() {
        RandomGenerator random = Chance.seeded(1).random();
        Routing routing = new Routing(List.of("a", "b"), List.of(1L, 1L));
        for (int i = 0; i < 10_000; i++) {
            long primary = random.nextLong();
            long variant = Routing.beside(primary, random.nextLong());
            assertThat(routing.partition(variant)).isEqualTo(routing.partition(primary));
        }
        assertThat(Routing.beside(0, 0)).as("0 is no variant").isNotZero();
    }
}
