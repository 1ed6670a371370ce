package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes say of the configuration, as the operator knows it. */
class LaunchTest {
    private static final Path DATA = Path.of("/srv/data");
    private static final Path FOLDER = DATA.resolve("workers");

    @Test
    void theFirstProcessMakesTheStartUpCacheOfAll(@TempDir Path dir) throws Exception {
        Path args = dir.resolve("args");
        Path java = Files.writeString(dir.resolve("java"), "#!/bin/sh\necho \"$*\" >>" + args + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        WorkerWords words = new WorkerWords(List.of(java.toString(), "-jar", "weir.jar"), List.of(), null);
        Launch launch = new Launch(words, null, dir, dir, List.of(), "1");
        System.setProperty(WorkerWords.TRAINED, "the.aot");
        try {
            assertThat(launch.start(1, 2, false, false).waitFor()).isZero();
            assertThat(launch.start(2, 2, false, false).waitFor()).isZero();
        } finally {
            System.clearProperty(WorkerWords.TRAINED);
        }
        assertThat(launch.start(1, 2, false, false).waitFor()).isZero();
        assertThat(Files.readAllLines(args))
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("-XX:AOTCacheOutput=the.aot -jar weir.jar worker --process=1 "),
                        other -> assertThat(other).startsWith("-jar weir.jar worker --process=2 "),
                        usual -> assertThat(usual).startsWith("-jar weir.jar worker --process=1 "));
    }

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
