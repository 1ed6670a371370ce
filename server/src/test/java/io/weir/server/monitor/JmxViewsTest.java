package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.RecordingLog;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.server.admin.AdminMessages;
import io.weir.server.monitor.jmx.JmxViews;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The statistics through the platform's MBean server. */
class JmxViewsTest {
    private static final StatSpec HITS = StatSpec.counter("weir_jmxtest_hits_total", "requests", "Hits.");
    private static final StatSpec BY_HOST =
            StatSpec.counter("weir_jmxtest_by_host_total", "requests", "By host.", "host");
    private static final StatSpec DELAY = StatSpec.histogram("weir_jmxtest_delay", "nanoseconds", "Delay.");

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final RecordingLog log = new RecordingLog();
    private final FakeSource source = new FakeSource();
    private final Stats stats = new Stats();
    private final Readings readings = new Readings(
            Facts.Averages.ZERO,
            0,
            0,
            Facts.Averages.ZERO,
            Facts.Averages.ZERO,
            Facts.Averages.ZERO,
            0,
            0,
            0,
            List.of(),
            Map.of(),
            Map.of("my-custom-pool", 12.5));
    private final JmxViews views = new JmxViews(() -> server, source, stats, () -> readings, log);

    @AfterEach
    void close() {
        views.close();
    }

    @Test
    void subsystemIsABeanWithOpenAttributes() throws Exception {
        stats.counter(HITS).add(5);
        stats.counter(BY_HOST, "a.example").add(2);
        stats.histogram(DELAY).record(1000);
        views.refresh();

        ObjectName name = statistics();
        assertThat(server.getAttribute(name, "HitsTotal")).isEqualTo(5L);
        assertThat((CompositeData) server.getAttribute(name, "Delay"))
                .satisfies(d -> assertThat(d.get("count")).isEqualTo(1L));
        TabularData table = (TabularData) server.getAttribute(name, "ByHostTotal");
        assertThat(table.get(new Object[] {"a.example"}).get("value")).isEqualTo(2L);
        MBeanInfo info = server.getMBeanInfo(name);
        assertThat(info.getAttributes())
                .hasSize(3)
                .allMatch(a -> a instanceof OpenMBeanAttributeInfo && !a.isWritable());
    }

    @Test
    void subsystemThatAppearsLaterIsRegisteredByTheNextRefresh() throws Exception {
        views.refresh();
        assertThat(server.isRegistered(statistics())).isFalse();
        stats.counter(HITS).inc();
        views.refresh();

        assertThat(server.getAttribute(statistics(), "HitsTotal")).isEqualTo(1L);
    }

    @Test
    void workManagerHasWebLogicsAttributeNames() throws Exception {
        views.refresh();

        ObjectName pool = new ObjectName("io.weir:type=ThreadPoolRuntime,name=my-custom-pool");
        assertThat(server.getAttribute(pool, "ExecuteThreadIdleCount")).isEqualTo(1);
        assertThat(server.getAttribute(pool, "ExecuteThreadTotalCount")).isEqualTo(2);
        assertThat(server.getAttribute(pool, "QueueLength")).isEqualTo(4);
        assertThat(server.getAttribute(pool, "CompletedRequestCount")).isEqualTo(88L);
        assertThat(server.getAttribute(pool, "OverloadRejectedRequestsCount")).isEqualTo(6L);
        assertThat(server.getAttribute(pool, "StuckThreadCount")).isEqualTo(1);
        assertThat(server.getAttribute(pool, "HoggingThreadCount")).isEqualTo(2);
        assertThat(server.getAttribute(pool, "HealthState")).isEqualTo("HEALTH_WARN");
        assertThat(server.getAttribute(pool, "Suspended")).isEqualTo(false);
        assertThat(server.getAttribute(pool, "MinThreadsConstraintsPending")).isEqualTo(0);
        assertThat(server.getAttribute(pool, "MinThreadsConstraintsCompleted")).isEqualTo(0L);
        assertThat(server.getAttribute(pool, "Throughput")).isEqualTo(12.5);
    }

    @Test
    void unknownAttributeIsRefusedAndNothingCanBeSet() throws Exception {
        stats.counter(HITS).inc();
        views.refresh();

        assertThatThrownBy(() -> server.getAttribute(statistics(), "Nonsense"))
                .isInstanceOf(AttributeNotFoundException.class);
        assertThatThrownBy(() -> server.setAttribute(statistics(), new Attribute("HitsTotal", 0L)))
                .isInstanceOf(AttributeNotFoundException.class);
    }

    @Test
    void closedViewsLeaveNoBean() throws Exception {
        stats.counter(HITS).inc();
        views.refresh();
        views.close();

        assertThatThrownBy(() -> server.getMBeanInfo(statistics())).isInstanceOf(InstanceNotFoundException.class);
    }

    @Test
    void nameThatIsTakenIsLoggedOnceAndDoesNotStopTheServer() {
        stats.counter(HITS).inc();
        views.refresh();
        JmxViews second = new JmxViews(() -> server, source, stats, () -> readings, log);
        second.refresh();
        second.refresh();
        second.close();

        assertThat(log.count(AdminMessages.BEAN_REFUSED)).isEqualTo(3);
        assertThat(server.isRegistered(unchecked())).isTrue();
    }

    private static ObjectName unchecked() {
        try {
            return statistics();
        } catch (javax.management.MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectName statistics() throws javax.management.MalformedObjectNameException {
        return new ObjectName("io.weir:type=Statistics,name=jmxtest");
    }
}
