package io.weir.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.base.Log;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Questions about the history, and answers in words, JSON and CSV. */
@Tag("slow")
class ReportTest {
    private static final StatSpec REQUESTS =
            StatSpec.counter("weir_test_requests_total", "requests", "Counted.", "server");
    private static final StatSpec TIME = StatSpec.histogram("weir_test_time", "nanoseconds", "How long.");

    @TempDir
    Path folder = Path.of("");

    private final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
    private final Stats stats = new Stats();
    private Report report = new Report(folder, stats::spec);

    @BeforeEach
    void recordTenMinutes() throws IOException {
        report = new Report(folder, stats::spec);
        HistoryConfig config = ConfigBinder.defaults(HistoryConfig.class);
        try (Recorder recorder = new Recorder(folder, () -> config, clock, stats, Log.NONE)) {
            stats.counter(REQUESTS, "a \"quoted\" one");
            stats.counter(REQUESTS, "b");
            recorder.record();
            for (int i = 1; i <= 60; i++) {
                clock.step(Duration.ofSeconds(10));
                stats.counter(REQUESTS, "a \"quoted\" one").add(i <= 30 ? 20 : 80);
                stats.histogram(TIME).record(2_000_000);
                recorder.record();
            }
        }
    }

    private String ask(String... namesAndValues) throws IOException, Report.Refused {
        Map<String, String> asked = new java.util.HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            asked.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return report.answer(asked, clock.millis());
    }

    @Test
    void textShowsTheCourseOfEachSetOfLabels() throws Exception {
        String text = ask("metric", "test_requests_total", "since", "10m", "step", "1m");
        assertThat(text)
                .contains("weir_test_requests_total  2023-11-14T22:13:20Z to 2023-11-14T22:23:20Z, 10 points")
                .contains("server=a \"quoted\" one")
                .contains("server=b")
                .containsPattern("rate +▂{5}█{5}  least 2, mean 5, most 8, last 8 requests/s")
                .containsPattern("rate +▁{10}  least 0, mean 0, most 0, last 0 requests/s");
        assertThat(ask("metric", "weir_test_time", "since", "10m")).containsPattern("mean .* last 2.00 ms");
    }

    /** Which a knob's watch names. */
    @Test
    void theNameInMetricsIsTakenToo() throws Exception {
        String own = ask("metric", "weir_test_time", "since", "10m");
        assertThat(ask("metric", "weir_test_time_seconds", "since", "10m")).isEqualTo(own);
        assertThat(ask("metric", "test_time_seconds", "since", "10m")).isEqualTo(own);
        assertThatThrownBy(() -> ask("metric", "test_requests_total_seconds"))
                .as("a counter is shown under its own name")
                .isInstanceOf(Report.Refused.class);
    }

    @Test
    void statisticThatIsInNoRowYetSaysSo() throws Exception {
        stats.counter(StatSpec.counter("weir_test_fresh_total", "things", "New."));
        assertThatThrownBy(() -> ask("metric", "test_fresh_total"))
                .isInstanceOf(Report.Refused.class)
                .hasMessageContaining("weir_test_fresh_total has no sample yet");
        assertThatThrownBy(() -> ask("metric", "weir_test_freesh_total"))
                .isInstanceOf(Report.Refused.class)
                .hasMessageContaining("the history has no weir_test_freesh_total");
    }

    @Test
    void labelsSelect() throws Exception {
        assertThat(ask("metric", "weir_test_requests_total", "labels", "server=b"))
                .contains("server=b")
                .doesNotContain("quoted");
    }

    @Test
    void jsonIsForMachines() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(ask("metric", "weir_test_requests_total", "since", "20m", "step", "5m", "format", "json"));
        assertThat(json.get("unit").asString()).isEqualTo("requests");
        assertThat(json.get("step").asLong()).isEqualTo(300_000);
        JsonNode a = json.get("curves").get(0);
        assertThat(a.get("labels").get("server").asString()).isEqualTo("a \"quoted\" one");
        assertThat(a.get("rate").get(0).isNull())
                .as("before anything was recorded")
                .isTrue();
        assertThat(a.get("rate").get(3).asDouble()).isEqualTo(8);
    }

    @Test
    void csvIsForSpreadsheets() throws Exception {
        assertThat(ask("metric", "weir_test_requests_total", "since", "10m", "step", "5m", "format", "csv")
                        .lines())
                .startsWith("time,labels,rate")
                .contains("2023-11-14T22:18:20.001Z,\"server=a \"\"quoted\"\" one\",8");
    }

    @Test
    void withoutANameItListsWhatThereIs() throws Exception {
        assertThat(ask().lines()).anyMatch(l -> l.matches("weir_test_requests_total +2  since 2023-11-14T22:13:20Z"));
        assertThat(new ObjectMapper().readTree(ask("format", "json")).findValuesAsString("metric"))
                .contains("weir_test_requests_total", "weir_test_time");
    }

    @Test
    void timesMayBeNamed() throws Exception {
        assertThat(ask(
                        "metric",
                        "weir_test_requests_total",
                        "from",
                        "2023-11-14T22:14:00Z",
                        "to",
                        "2023-11-14T22:16:00Z"))
                .contains("most 2");
    }

    @Test
    void whatCannotBeAnsweredIsRefusedWithTheReason() {
        refused("did you mean weir_test_requests_total?", "metric", "weir_test_request_total");
        refused("no values with these labels", "metric", "weir_test_requests_total", "labels", "server=c");
        refused("labels are name=value", "metric", "weir_test_requests_total", "labels", "server");
        refused("since: ", "metric", "weir_test_requests_total", "since", "soon");
        refused(
                "since must be at most 36500d: 99999999999d",
                "metric",
                "weir_test_requests_total",
                "since",
                "99999999999d");
        refused("since: the duration is too long", "since", "999999999999999d");
        refused("since is before 1970: 36500d", "since", "36500d");
        refused("step must be at most 36500d", "metric", "weir_test_requests_total", "step", "36501d");
        refused("from is a time from 1970 to 9999", "from", "-271821-04-20T00:00:00Z");
        refused("to is a time from 1970 to 9999", "to", "+99999-01-01T00:00:00Z");
        refused("step is too short", "metric", "weir_test_requests_total", "step", "1ms");
        refused("at least 1ms", "metric", "weir_test_requests_total", "step", "0s");
        refused("from is a time", "metric", "weir_test_requests_total", "from", "yesterday");
        refused("from must be before to", "metric", "weir_test_requests_total", "from", "2033-11-14T22:14:00Z");
        refused("format is text, json or csv", "format", "xml");
    }

    private void refused(String message, String... asked) {
        assertThatExceptionOfType(Report.Refused.class)
                .isThrownBy(() -> ask(asked))
                .withMessageContaining(message);
    }

    @Test
    void moreCurvesThanAreToldAtOnceAreRefused() throws IOException {
        HistoryConfig config = ConfigBinder.defaults(HistoryConfig.class);
        for (int i = 0; i <= Aggregator.MAX_CURVES; i++) {
            stats.counter(REQUESTS, "s" + i);
        }
        try (Recorder recorder = new Recorder(folder, () -> config, clock, stats, Log.NONE)) {
            clock.step(Duration.ofSeconds(10));
            recorder.record();
        }
        refused("name some labels", "metric", "weir_test_requests_total");
    }
}
