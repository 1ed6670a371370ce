package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.monitor.jmx.JmxViews;
import io.weir.server.monitor.source.Readings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The servers of pools through an MBean server. */
class OriginBeansTest {
    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final RecordingLog log = new RecordingLog();
    private final FakeSource source = new FakeSource();
    private final JmxViews views = new JmxViews(() -> server, source, new Stats(), () -> Readings.NONE, log);

    @AfterEach
    void close() {
        views.close();
    }

    private static OriginFigures.Server figures(String pool, String name, String state, long requests) {
        return new OriginFigures.Server(
                pool,
                name,
                "AbCdEfGh0123-_zZ",
                state,
                "refused",
                1_700_000_000_000L,
                2,
                3,
                requests,
                5,
                6,
                7,
                8,
                9,
                10,
                11_000);
    }

    private static OriginFigures pool(String name, OriginFigures.Server... servers) {
        return new OriginFigures(name, "round-robin", 0, 0, 0, 0, 0, 0, 0, List.of(servers));
    }

    private static ObjectName name(String server) throws Exception {
        return new ObjectName("io.weir:type=OriginServerRuntime,name=" + ObjectName.quote(server));
    }

    private Object value(String bean, String attribute) throws Exception {
        return server.getAttribute(name(bean), attribute);
    }

    private int beans() throws Exception {
        return server.queryNames(new ObjectName("io.weir:type=OriginServerRuntime,*"), null)
                .size();
    }

    @Test
    void eachServerOfEachPoolIsABeanWithItsFigures() throws Exception {
        source.origins = List.of(
                pool("shop", figures("shop", "http://a:80", "up", 4), figures("shop", "http://b:80", "down", 40)),
                pool("news", figures("news", "http://a:80", "warming", 400)));
        views.refresh();

        assertThat(beans()).isEqualTo(3);
        String b = "shop http://b:80";
        assertThat(value(b, "Pool")).isEqualTo("shop");
        assertThat(value(b, "Name")).isEqualTo("http://b:80");
        assertThat(value(b, "State")).isEqualTo("down");
        assertThat(value(b, "Reason")).isEqualTo("refused");
        assertThat(value(b, "StateSince")).isEqualTo(1_700_000_000_000L);
        assertThat(value(b, "Weight")).isEqualTo(2);
        assertThat(value(b, "ActiveRequestsCount")).isEqualTo(3L);
        assertThat(value(b, "RequestsCount")).isEqualTo(40L);
        assertThat(value(b, "FailuresCount")).isEqualTo(5L);
        assertThat(value(b, "BusyCount")).isEqualTo(6L);
        assertThat(value(b, "DownsCount")).isEqualTo(7L);
        assertThat(value(b, "ChecksPassedCount")).isEqualTo(8L);
        assertThat(value(b, "ChecksFailedCount")).isEqualTo(9L);
        assertThat(value(b, "ResponseNanosMean")).isEqualTo(1100L);
        assertThat(value("news http://a:80", "RequestsCount")).isEqualTo(400L);
        assertThat(server.getMBeanInfo(name(b)).getAttributes())
                .hasSize(14)
                .allMatch(a -> !a.isWritable() && !a.getDescription().isEmpty());
    }

    @Test
    void figuresFollowAndServersThatGoTakeTheirBeansAlong() throws Exception {
        source.origins = List.of(pool("shop", figures("shop", "http://a:80", "up", 4)));
        views.refresh();
        assertThat(value("shop http://a:80", "RequestsCount")).isEqualTo(4L);

        source.origins = List.of(
                pool("shop", figures("shop", "http://a:80", "leaving", 9), figures("shop", "http://c:80", "up", 1)));
        views.refresh();
        assertThat(value("shop http://a:80", "RequestsCount")).isEqualTo(9L);
        assertThat(value("shop http://a:80", "State")).isEqualTo("leaving");
        assertThat(beans()).isEqualTo(2);

        source.origins = List.of(pool("shop", figures("shop", "http://c:80", "up", 1)));
        views.refresh();
        assertThat(server.isRegistered(name("shop http://a:80"))).isFalse();
        source.origins = List.of();
        views.refresh();
        assertThat(beans()).isZero();
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void numberOfBeansIsBounded() throws Exception {
        List<OriginFigures.Server> many = new ArrayList<>();
        IntStream.range(0, OriginFigures.MAX_ROWS + 5)
                .forEach(i -> many.add(figures("shop", "http://s" + i + ":80", "up", i)));
        source.origins = List.of(pool("shop", many.toArray(OriginFigures.Server[]::new)));
        views.refresh();
        assertThat(beans()).isEqualTo(OriginFigures.MAX_ROWS);
    }
}
