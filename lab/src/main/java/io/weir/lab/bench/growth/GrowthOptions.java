package io.weir.lab.bench.growth;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link GrowthBenchCommand}. Immutable.
 *
 * @param rounds turns of each step
 * @param seconds length of a turn
 * @param maxStep larger steps are left out
 * @param install whether missing programs are installed
 * @param seed of the random orders and of the bootstrap
 * @param html the page
 * @param svg the folder of the charts, a file each; null: none
 */
public record GrowthOptions(
        List<Growth> growths,
        int rounds,
        int seconds,
        long maxStep,
        boolean install,
        long seed,
        Path html,
        @Nullable Path svg) {
    public GrowthOptions {
        growths = List.copyOf(growths);
    }
}
