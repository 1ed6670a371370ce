package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What processes say of the configuration, as the operator knows it. */
class LaunchTest {
    private static final Path DATA = Path.of("/srv/data");
    private static final Path FOLDER = DATA.resolve("workers");

    @Test
    void theOperatorsFileIsNamedAndNotTheCopyThatProcessesRead() {
        WorkerWords words = new WorkerWords(List.of("java"), List.of(), Path.of("/etc/weir.yaml"));
        Launch launch = new Launch(words, FOLDER.resolve("weir-2.yaml"), DATA, FOLDER, List.of(), "1");
        assertThat(launch.named("{\"at\":\"/srv/data/workers/weir-2.yaml:11:9\"}"))
                .isEqualTo("{\"at\":\"/etc/weir.yaml:11:9\"}");
        WorkerWords embedded = new WorkerWords(List.of("java"), List.of(), null);
        assertThat(new Launch(embedded, null, DATA, FOLDER, List.of(), "1").named("default:1:1"))
                .isEqualTo("default:1:1");
    }
}
