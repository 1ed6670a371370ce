package io.weir.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Histogram;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.server.monitor.PrometheusView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The history of several processes has the same series as that of one. */
class ExposedTest {
    private static final StatSpec ASKED =
            StatSpec.counter("weir_test_asked_total", "requests", "Counted.", "server", "kind");
    private static final StatSpec LEVEL = StatSpec.gauge("weir_test_level", "things", "How many.");
    private static final StatSpec AGE = StatSpec.gauge("weir_test_age", "nanoseconds", "How old.");
    private static final StatSpec TIME = StatSpec.histogram("weir_test_time", "nanoseconds", "How long.", "server");
    private static final StatSpec SIZE = StatSpec.histogram("weir_test_size", "bytes", "How large.");

    @Test
    void expositionHasTheSeriesOfItsRegistry() throws Exception {
        Stats stats = new Stats();
        stats.counter(ASKED, "a \"quoted\\ one\"\n{of,=two}", "x").add(7);
        stats.counter(ASKED, "b", "").add(1L << 40);
        stats.gauge(LEVEL, () -> 12);
        stats.gauge(AGE, () -> 1_234_567_890L);
        Histogram time = stats.histogram(TIME, "a");
        Histogram size = stats.histogram(SIZE);
        for (long i = 1; i < 1000; i++) {
            time.record(i * i * 1000);
            size.record(i * i);
        }
        Map<String, Double> exposed = new LinkedHashMap<>();
        new PrometheusView(stats)
                .write(null)
                .text()
                .lines()
                .filter(l -> !l.startsWith("#"))
                .forEach(l -> exposed.put(
                        l.substring(0, l.lastIndexOf(' ')), Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1))));
        exposed.put("jvm_threads", 5.0);
        Sweep sweep = Sweep.of(exposed, List.of(ASKED, LEVEL, AGE, TIME, SIZE), 1000);
        assertThat(sweep.row())
                .containsExactlyInAnyOrderEntriesOf(Sweep.of(stats, 1000).row());
        assertThat(Sweep.of(exposed, List.of(TIME), 5).row()).hasSize(5);
    }
}
