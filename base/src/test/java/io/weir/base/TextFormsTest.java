package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TextFormsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "4096, 4096, 4KiB",
        "100, 100, 100",
        "64KiB, 65536, 64KiB",
        "1k, 1024, 1KiB",
        "3 MiB, 3145728, 3MiB",
        "1GiB, 1073741824, 1GiB",
        "1025, 1025, 1025",
        "12B, 12, 12"
    })
    void sizesAreReadAndWritten(String text, long bytes, String written) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
        assertThat(ByteSize.parse(text)).hasToString(written);
        assertThat(ByteSize.parse(written).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "KiB",
                "-1",
                "1.5MiB",
                "1PiB",
                "9999999999999TiB",
                "99999999999999999999",
                "9999999999999999GiB"
            })
    void otherTextsAreNoSizes(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"100MB, 100MiB, 100 MB", "64kb, 64KiB, 64 kB", "2 GB, 2GiB, 2 GB", "1TB, 1TiB, 1 TB"})
    void unitsThatAreReadInTwoWaysAreRefused(String text, String named, String decimal) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .hasMessageContaining("write " + named)
                .hasMessageContaining(decimal);
    }

    @Test
    void sizesSaturateAsInt() {
        assertThat(ByteSize.parse("3GiB").asInt()).isEqualTo(Integer.MAX_VALUE);
        assertThat(ByteSize.parse("3MiB").asInt()).isEqualTo(3 << 20);
        assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ms", "250, 250 ms", "1000, 1 s", "9515, 9.5 s", "59999, 59.9 s", "60000, 60 s", "90500, 90 s"})
    void messagesTellDurations(long millis, String spoken) {
        assertThat(Durations.spoken(Duration.ofMillis(millis))).isEqualTo(spoken);
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, 500, 500ms",
        "30s, 30000, 30s",
        "30, 30000, 30s",
        "5m, 300000, 5m",
        "1h, 3600000, 1h",
        "2d, 172800000, 2d",
        "0s, 0, 0s",
        "90s, 90000, 90s",
        "1500ms, 1500, 1500ms",
        "24h, 86400000, 1d"
    })
    void durationsAreReadAndWritten(String text, long millis, String written) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(Durations.format(Durations.parse(text))).isEqualTo(written);
        assertThat(Durations.parse(written)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void microsecondsAreKept() {
        assertThat(Durations.format(Durations.parse("250us"))).isEqualTo("250us");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-5s", "1.5s", "5 weeks", "9999999999999999s", "999999999999999d"})
    void otherTextsAreNoDurations(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nearestWordIsFoundWhenItIsNear() {
        List<String> words = List.of("keep-alive", "muxer", "max-connections");
        assertThat(Nearest.of("keepalive", words)).isEqualTo("keep-alive");
        assertThat(Nearest.of("muxr", words)).isEqualTo("muxer");
        assertThat(Nearest.of("max-conections", words)).isEqualTo("max-connections");
        assertThat(Nearest.of("banana", words)).isNull();
        assertThat(Nearest.of("muxer", List.of())).isNull();
    }
}
