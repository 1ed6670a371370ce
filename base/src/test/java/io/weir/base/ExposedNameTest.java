package io.weir.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and units of {@code /metrics}. */
final class ExposedNameTest {
    @ParameterizedTest
    @CsvSource({
        "x_wait_total, nanoseconds, x_wait_seconds_total, 1e9",
        "x_wait_total, microseconds, x_wait_seconds_total, 1e6",
        "x_cpu_seconds_total, nanoseconds, x_cpu_seconds_total, 1e9",
        "x_requests_total, requests, x_requests_total, 1"
    })
    void ofCounters(String name, String unit, String shown, double scale) {
        check(StatSpec.counter(name, unit, "doc"), shown, scale);
    }

    @ParameterizedTest
    @CsvSource({
        "x_left, nanoseconds, x_left_seconds, 1e9",
        "x_starved, milliseconds, x_starved_seconds, 1e3",
        "x_age_seconds, milliseconds, x_age_seconds, 1e3",
        "x_open, connections, x_open, 1"
    })
    void ofGauges(String name, String unit, String shown, double scale) {
        check(StatSpec.gauge(name, unit, "doc"), shown, scale);
    }

    private static void check(StatSpec spec, String shown, double scale) {
        assertThat(spec.exposedName()).isEqualTo(shown);
        assertThat(spec.exposedScale()).isEqualTo(scale);
    }
}
