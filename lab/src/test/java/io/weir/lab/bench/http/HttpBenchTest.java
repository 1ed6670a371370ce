package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.house.House;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole of it, by the launcher, against nginx: nothing about the figures but that they are there. */
@Tag("nightly")
class HttpBenchTest {
    @ParameterizedTest
    @EnumSource
    void everyScenarioPrintsItsTable(HttpScenario scenario) throws Exception {
        assertThat(run("--scenario", scenario.key(), "--peers", "nginx")).contains("SerialGC, heap", "| verdict");
    }

    @Test
    void cellsOfTheMatrixAreInItsTableAndOnItsPage(@TempDir Path folder) throws Exception {
        Path page = folder.resolve("page.html");
        String cells = "h1-hit-1k,tls-miss-1k,h2-upload-1k,h1-websocket-1k,h1-tunnel-1k";
        assertThat(run("--matrix", "--cells", cells, "--peers", "nginx", "--html", page.toString()))
                .contains(
                        "5 cells", "| h1-hit-1k", "| tls-miss-1k", "| h2-upload-1k", "4 cells against their best peer")
                .doesNotContain("not measured");
        assertThat(Files.readString(page)).contains("<svg", "h1-tunnel-1k");
    }

    private static String run(String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(House.root().resolve("weir").toString(), "bench", "http", "--rounds", "1", "--seconds", "1"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
