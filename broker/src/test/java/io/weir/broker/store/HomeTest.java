package io.weir.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Outcomes on their way to an event loop. */
class HomeTest {
    @Test
    void anOutcomeThatFailsKeepsNoOtherFromBeingTold() {
        Queue<Runnable> loop = new ArrayDeque<>();
        Home home = new Home(loop::add);
        List<String> told = new ArrayList<>();
        home.land(_ -> told.add("one"), null, false);
        home.land(
                _ -> {
                    throw new IllegalStateException("seed");
                },
                null,
                false);
        home.land(_ -> told.add("three"), null, false);
        home.deliver();
        assertThatThrownBy(loop.remove()::run).hasMessage("seed");
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
        assertThat(told).containsExactly("one", "three");
    }
}
