package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Perfdump's sections and stats-xml's elements of work managers; health by stuck threads. */
class WorkViewsTest {
    private final FakeSource source = new FakeSource();

    @BeforeEach
    void work() {
        source.work = new WorkFigures(
                new WorkFigures.Overload(true, 1, 7, 8, 9, 10),
                "high concurrency",
                3,
                List.of(
                        new WorkFigures.Manager("default", "running", 12, 3, 1, 2, 0, 4, 0, 9000, 5),
                        new WorkFigures.Manager("reports", "shut down", 12, 0, 3, 0, 1, 7, 1, 800, 60)),
                List.of(new WorkFigures.RequestClass("gold", 80, 6, 4000, 4, 10_000_000)),
                List.of(
                        new WorkFigures.Bound("min-threads", "callbacks", 0, 2, 31, 0),
                        new WorkFigures.Bound("capacity", "front", 100, 0, 0, 9)));
    }

    @Test
    void perfdumpShowsThemBehindTheSessions() {
        String text = new Perfdump(source, ZoneOffset.UTC, 1_225_962_300_000L).write(true);
        assertThat(text).endsWith("""
                WorkInfo:
                -----------------------------------------
                State                                      FAILED
                Failures                                   1
                Shared Capacity Used/Limit                 7/8
                Shared Refusals/Displacements              9/10
                Mode                                       high concurrency
                Mode Changes                               3

                WorkManagers:
                -----------------------------------------------------------------------------------------------------
                WorkManager  State      Threads  Standby  Extra  Hogging  Stuck  Found  ShutDowns  Completed  Refused
                default      running    12       3        0      2        1      4      0          9000       5
                reports      shut down  12       0        1      0        3      7      1          800        60

                RequestClasses:
                ----------------------------------------------------
                RequestClass  Share  Waiting  Completed  AverageWait
                gold          80     6        4000       2.500 ms

                Constraints:
                ----------------------------------------------------------
                Constraint  Kind         Used  Waiting  Completed  Refused
                callbacks   min-threads  0     2        31         0
                front       capacity     100   0        0          9

                """);
    }

    private Document document(Map<String, String> switches) throws Exception {
        return StatsXmlTest.valid(new StatsXml(source, Readings.NONE, switches, 0).write(true));
    }

    @Test
    void statsXmlHasThemAsAttributes() throws Exception {
        Document d = document(Map.of());
        assertThat(first(d, "work-bucket").getAttribute("mode")).isEqualTo("high-concurrency");
        assertThat(first(d, "work-bucket").getAttribute("state")).isEqualTo("FAILED");
        assertThat(first(d, "work-bucket").getAttribute("maxShared")).isEqualTo("8");
        assertThat(first(d, "work-manager-bucket").getAttribute("countThreadsStandby"))
                .isEqualTo("3");
        assertThat(first(d, "work-manager-bucket").getAttribute("countThreadsStuck"))
                .isEqualTo("1");
        assertThat(first(d, "request-class-bucket").getAttribute("ticksWaits")).isEqualTo("10000");
        assertThat(first(d, "constraint-bucket").getAttribute("countCompleted")).isEqualTo("31");
    }

    private static Element first(Document d, String element) {
        return (Element) d.getElementsByTagName(element).item(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"work-bucket", "work-manager-bucket", "request-class-bucket", "constraint-bucket"})
    void elementSwitchedOffIsGoneAndTheRestValid(String name) throws Exception {
        assertThat(document(Map.of(name, "0")).getElementsByTagName(name).getLength())
                .isZero();
        assertThat(document(Map.of(name, "1")).getElementsByTagName(name).getLength())
                .isPositive();
    }

    @Test
    void oneStuckThreadDoesNotTakeTheServerOutOfServiceAllOfThemDo() {
        source.pools = List.of(pool(1, false));
        assertThat(new HealthView(source).readiness().status()).isEqualTo(200);
        source.pools = List.of(pool(4, false));
        assertThat(new HealthView(source).readiness().status()).isEqualTo(503);
        source.pools = List.of(pool(0, true));
        assertThat(new HealthView(source).readiness().status()).isEqualTo(503);
    }

    private static Facts.Pool pool(int stuck, boolean shutDown) {
        return new Facts.Pool("w", 0, 4, 4, 4, 0, 0, 0, 0, 0, stuck, 0, 1, 0, shutDown, 0, 0, 0, 0);
    }
}
