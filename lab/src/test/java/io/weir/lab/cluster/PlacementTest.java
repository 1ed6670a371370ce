package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.cluster.PlacementRun.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred services of every shape on three servers, through faults: never two of one at once, each that was active is told to
 * end, fences rise, all are active in the end; as they say themselves, in files that survive them. {@code -Dplacement.seed=N}
 * runs another seed.
 */
@Tag("slow")
@Timeout(value = 90, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlacementTest {
    private static final int SERVICES = 100;

    @TempDir
    Path folder = Path.of("");

    /** The ordinary run has a hundred services in simulation (PlacementSimulationTest), one on real servers (PartitionTest). */
    @Test
    @Tag("nightly")
    void aHundredServicesLoseTheMajorityAndComeBack() throws Exception {
        try (PlacementRun run = new PlacementRun(folder, Site.LOOPBACK, false, SERVICES, seed())) {
            assertThat(run.through(List.of(Fault.OTHERS_STAND_STILL)).violations())
                    .isEmpty();
        }
    }

    /** Where the machine lets us make networks members are cut off, too; otherwise the others stand still instead. */
    @Test
    @Tag("nightly")
    void aHundredServicesGoThroughAHundredFaults() throws Exception {
        int faults = Integer.getInteger("placement.faults", 100);
        try (Namespaces network = Namespaces.make()) {
            Path output = folder.resolve("run.out");
            Process run = network.run(
                    PlacementRun.class,
                    output,
                    List.of(
                            folder.toString(),
                            String.valueOf(seed()),
                            String.valueOf(SERVICES),
                            String.valueOf(faults)));
            boolean ended = run.waitFor(80, TimeUnit.MINUTES);
            run.destroyForcibly();
            List<String> said = Files.readString(output).lines().toList();
            said.stream().filter(l -> l.startsWith("placement: ")).forEach(System.out::println);
            assertThat(ended && run.exitValue() == 0)
                    .as(String.join("\n", said))
                    .isTrue();
        } catch (IOException e) {
            System.out.println("no networks of our own here: " + e.getMessage());
            try (PlacementRun run = new PlacementRun(folder, Site.LOOPBACK, false, SERVICES, seed())) {
                assertThat(run.through(run.drawn(faults)).violations()).isEmpty();
            }
        }
    }

    private static long seed() {
        return Long.getLong("placement.seed", 1);
    }
}
