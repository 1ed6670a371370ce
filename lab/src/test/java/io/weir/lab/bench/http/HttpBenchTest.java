package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.house.House;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole of it, by the launcher, against nginx: nothing about the figures but that they are there. */
@Tag("nightly")
class HttpBenchTest {
    @ParameterizedTest
    @EnumSource
    void everyScenarioPrintsItsTable(HttpScenario scenario) throws Exception {
        Process process = new ProcessBuilder(
                        House.root().resolve("weir").toString(),
                        "bench",
                        "http",
                        "--scenario",
                        scenario.key(),
                        "--rounds",
                        "1",
                        "--seconds",
                        "1",
                        "--peers",
                        "nginx")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(printed).contains("SerialGC, heap", "| verdict");
    }
}
