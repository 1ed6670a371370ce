package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.server.monitor.source.Readings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The registry as Prometheus reads it. */
class PrometheusViewTest {
    private static final StatSpec REQUESTS =
            StatSpec.counter("weir_test_requests_total", "requests", "Requests.", "virtual_server", "status");
    private static final StatSpec LENGTH = StatSpec.gauge("weir_test_length", "requests", "Length.");
    private static final StatSpec DELAY = StatSpec.histogram("weir_test_delay", "nanoseconds", "Delay.");
    private static final StatSpec SIZE = StatSpec.histogram("weir_test_size", "bytes", "Size.");

    private final Stats stats = new Stats();
    private final PrometheusView view =
            new PrometheusView(stats, new JvmMetrics(new FakeSource(), () -> Readings.NONE));

    @Test
    void countersAndGaugesHaveTheirDeclaredNamesAndLabels() throws Exception {
        stats.counter(REQUESTS, "default", "200").add(3);
        stats.counter(REQUESTS, "a\"b\\c\nd", "404").inc();
        stats.gauge(LENGTH, () -> 42);

        Map<String, Double> metrics = parse(view.write(null).text());
        assertThat(metrics)
                .containsEntry("weir_test_requests_total{status=\"200\",virtual_server=\"default\"}", 3.0)
                .containsEntry("weir_test_requests_total{status=\"404\",virtual_server=\"a\\\"b\\\\c\\nd\"}", 1.0)
                .containsEntry("weir_test_length", 42.0);
    }

    @Test
    void timesAreShownInSecondsWithCumulativeBuckets() throws Exception {
        stats.histogram(DELAY).record(300_000);
        stats.histogram(DELAY).record(40_000_000);
        stats.histogram(DELAY).record(90_000_000_000L);

        Map<String, Double> metrics = parse(view.write(null).text());
        assertThat(metrics)
                .containsEntry("weir_test_delay_seconds_bucket{le=\"2.5E-4\"}", 0.0)
                .containsEntry("weir_test_delay_seconds_bucket{le=\"5.0E-4\"}", 1.0)
                .containsEntry("weir_test_delay_seconds_bucket{le=\"0.05\"}", 2.0)
                .containsEntry("weir_test_delay_seconds_bucket{le=\"60.0\"}", 2.0)
                .containsEntry("weir_test_delay_seconds_bucket{le=\"+Inf\"}", 3.0)
                .containsEntry("weir_test_delay_seconds_count", 3.0)
                .containsEntry("weir_test_delay_seconds_sum", 90.0403);
    }

    @Test
    void aGaugeOfTimeIsInSeconds() throws Exception {
        stats.gauge(StatSpec.gauge("weir_test_left", "nanoseconds", "Left."), () -> 6_500_000_000L);

        assertThat(parse(view.write(null).text())).containsEntry("weir_test_left_seconds", 6.5);
    }

    @Test
    void sizesKeepTheirUnit() throws Exception {
        stats.histogram(SIZE).record(2000);

        assertThat(parse(view.write(null).text()))
                .containsEntry("weir_test_size_bucket{le=\"1024.0\"}", 0.0)
                .containsEntry("weir_test_size_bucket{le=\"4096.0\"}", 1.0)
                .containsEntry("weir_test_size_sum", 2000.0);
    }

    @Test
    void openMetricsIsGivenToThoseWhoAcceptItAndTextToOthers() throws Exception {
        PrometheusView.Exposition open = view.write("application/openmetrics-text; version=1.0.0; charset=utf-8");
        PrometheusView.Exposition text = view.write("text/plain");

        assertThat(open.contentType()).startsWith("application/openmetrics-text");
        assertThat(open.text()).endsWith("# EOF\n");
        assertThat(text.contentType()).startsWith("text/plain");
        assertThat(text.text()).doesNotContain("# EOF");
    }

    @Test
    void counterAndGaugeOfOneThingStandSideBySide() throws Exception {
        StatSpec now = StatSpec.gauge("weir_test_tunnels", "tunnels", "Open.");
        StatSpec ever = StatSpec.counter("weir_test_tunnels_total", "tunnels", "Opened.", "kind");
        stats.gauge(now, () -> 2);
        stats.counter(ever, "connect").add(5);

        for (String accept : List.of("text/plain", "application/openmetrics-text; version=1.0.0")) {
            assertThat(parse(view.write(accept).text()))
                    .containsEntry("weir_test_tunnels", 2.0)
                    .containsEntry("weir_test_tunnels_total{kind=\"connect\"}", 5.0);
        }
    }

    @Test
    void statisticDeclaredInTwoRoomsIsOneMetric() throws Exception {
        stats.counter(StatSpec.counter("weir_test_twice_total", "requests", "As one says.", "by"), "a")
                .inc();
        stats.counter(StatSpec.counter("weir_test_twice_total", "requests", "As another says.", "by"), "b")
                .inc();

        assertThat(parse(view.write(null).text()))
                .containsKeys("weir_test_twice_total{by=\"a\"}", "weir_test_twice_total{by=\"b\"}");
    }

    @Test
    void javaMachineIsShownUnderTheUsualNames() throws Exception {
        assertThat(parse(view.write(null).text()))
                .containsKeys(
                        "jvm_memory_used_bytes{area=\"heap\"}",
                        "jvm_buffer_pool_used_bytes{pool=\"direct\"}",
                        "jvm_threads_current",
                        "jvm_threads_started_total",
                        "process_cpu_seconds_total",
                        "process_open_fds",
                        "process_max_fds",
                        "netty_direct_memory_used_bytes");
    }

    @Test
    void statisticsThatWereNeverDeclaredAreNotShown() throws Exception {
        assertThat(view.write(null).text()).doesNotContain("weir_test_");
    }

    /** Every line that is no comment must be a name with labels, a space and a number. */
    private static Map<String, Double> parse(String text) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            if (!line.startsWith("#")) {
                assertThat(line).matches("[a-z_][a-z0-9_]*(\\{.*\\})? \\S+");
                int space = line.lastIndexOf(' ');
                String number = line.substring(space + 1);
                metrics.put(line.substring(0, space), Double.valueOf(number.replace("Inf", "Infinity")));
            }
        }
        return metrics;
    }
}
