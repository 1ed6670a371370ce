package io.weir.lab.bench.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probe of forced writes as the benchmark of messaging uses it. */
final class ForceProbeCommandTest {
    @Test
    void eachOrderIsAnsweredByARateAndNothingIsLeft(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ForceProbeCommand.serve(
                folder,
                new BufferedReader(new StringReader("1536 20\n4096 20\n")),
                new PrintStream(said, true, StandardCharsets.UTF_8));
        List<String> lines = said.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3).startsWith("ready");
        assertThat(lines.subList(1, 3))
                .allSatisfy(rate -> assertThat(Double.parseDouble(rate)).isPositive());
        assertThat(folder).isEmptyDirectory();
    }
}
