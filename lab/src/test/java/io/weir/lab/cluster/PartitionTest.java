package io.weir.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that cannot reach each other, in network namespaces of their own. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void whoIsCutOffLetsGoAndTheMajorityGoesOn() throws Exception {
        partitions("usual");
    }

    /** One that hears the others and is not heard, too. */
    @Test
    @Tag("nightly")
    void whoIsNotHeardLetsGoAndTheMajorityGoesOn() throws Exception {
        partitions("all");
    }

    private void partitions(String which) throws Exception {
        try (Namespaces network = Namespaces.orSkip()) {
            Path output = folder.resolve("run.out");
            Process run = network.run(PartitionRun.class, output, List.of(folder.toString(), which));
            boolean ended = run.waitFor(14, TimeUnit.MINUTES);
            run.destroyForcibly();
            List<String> said = Files.readString(output).lines().toList();
            assertThat(ended && run.exitValue() == 0)
                    .as(String.join("\n", said))
                    .isTrue();
            said.stream().filter(l -> l.startsWith("partition: ")).forEach(System.out::println);
        }
    }
}
