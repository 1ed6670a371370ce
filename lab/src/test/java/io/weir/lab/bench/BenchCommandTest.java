package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchCommandTest {
    @Test
    void withoutABenchmarkItSaysWhichThereAre() {
        BenchLine line = new BenchLine(List.of());
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err())
                .startsWith("weir: which benchmark? There are http, jms, growth")
                .contains("Usage: weir bench");
    }

    @Test
    void anUnknownOneIsNamedWithThoseThatThereAre() {
        BenchLine line = BenchLine.of("smtp");
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).startsWith("weir: weir bench has no smtp; it has http, jms, growth");
    }

    @Test
    void helpListsTheBenchmarks() {
        BenchLine line = BenchLine.of("--help");
        assertThat(line.code()).isZero();
        assertThat(line.out()).contains("Usage: weir bench", "http", "jms", "growth");
    }

    @Test
    void withoutTheLauncherItSaysHowItIsRunAndThatIsNoMisuse() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = BenchCommand.line(BenchLine.print(new ByteArrayOutputStream()), BenchLine.print(err))
                .execute("http");
        assertThat(code).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("weir: ")
                .contains("./weir bench")
                .doesNotContain("Usage");
    }
}
