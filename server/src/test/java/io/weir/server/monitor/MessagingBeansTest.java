package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.jmx.JmxViews;
import io.weir.server.monitor.source.Readings;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messaging through an MBean server. */
class MessagingBeansTest {
    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final RecordingLog log = new RecordingLog();
    private final FakeSource source = new FakeSource();
    private final JmxViews views = new JmxViews(() -> server, source, new Stats(), () -> Readings.NONE, log);

    @AfterEach
    void close() {
        views.close();
    }

    private static ObjectName name(String type, String name) throws Exception {
        return new ObjectName("io.weir:type=" + type + ",name=" + name);
    }

    private int beans(String type) throws Exception {
        return server.queryNames(name(type, "*"), null).size();
    }

    @Test
    void figuresHaveWebLogicsAttributeNames() throws Exception {
        source.messaging = FakeSource.someMessaging();
        views.refresh();

        ObjectName demo = name("JMSDestinationRuntime", "\"queue/demo\"");
        assertThat(server.getAttribute(demo, "MessagesCurrentCount")).isEqualTo(3L);
        assertThat(server.getAttribute(demo, "MessagesHighCount")).isEqualTo(50L);
        assertThat(server.getAttribute(demo, "BytesPendingCount")).isEqualTo(200L);
        assertThat(server.getAttribute(demo, "ConsumersCurrentCount")).isEqualTo(2);
        assertThat(server.getAttribute(demo, "ConsumptionPaused")).isEqualTo(false);
        ObjectName session = name("JMSSessionRuntime", "1a2b.1");
        assertThat(server.getAttribute(session, "AcknowledgeMode")).isEqualTo("client");
        assertThat(server.getAttribute(session, "WindowBlocked")).isEqualTo(true);
        assertThat(server.getAttribute(session, "MessagesPendingCount")).isEqualTo(12);
        ObjectName store = name("PersistentStoreRuntime", "messages");
        assertThat(server.getAttribute(store, "PhysicalWriteCount")).isEqualTo(40L);
        assertThat(server.getAttribute(store, "RecordsPerPhysicalWrite")).isEqualTo(25.0);
        ObjectName all = name("JMSRuntime", "messaging");
        assertThat(server.getAttribute(all, "SessionsCurrentCount")).isEqualTo(1);
        assertThat(server.getMBeanInfo(demo).getAttributes()).allMatch(a -> !a.isWritable());
    }

    @Test
    void beansOfWhatIsGoneGoAndComeBackWithIt() throws Exception {
        source.messaging = FakeSource.someMessaging();
        views.refresh();
        assertThat(beans("JMSDestinationRuntime")).isEqualTo(2);
        assertThat(beans("JMSSessionRuntime")).isEqualTo(1);

        source.messaging = FakeSource.messaging(List.of(FakeSource.destination("queue/demo", 9, 0)), List.of());
        views.refresh();
        assertThat(beans("JMSDestinationRuntime")).isEqualTo(1);
        assertThat(beans("JMSSessionRuntime")).isZero();
        assertThat(server.getAttribute(name("JMSDestinationRuntime", "\"queue/demo\""), "MessagesCurrentCount"))
                .isEqualTo(9L);

        source.messaging = FakeSource.someMessaging();
        views.refresh();
        assertThat(beans("JMSDestinationRuntime")).isEqualTo(2);
        source.messaging = null;
        views.refresh();
        assertThat(beans("*")).isEqualTo(source.pools.size());
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void numberOfBeansIsBounded() throws Exception {
        List<MessagingFigures.Destination> many = new ArrayList<>();
        for (int i = 0; i < MessagingFigures.MAX_ROWS + 5; i++) {
            many.add(FakeSource.destination("queue/" + i, 1, 0));
        }
        source.messaging = FakeSource.messaging(many, List.of());
        views.refresh();
        assertThat(beans("JMSDestinationRuntime")).isEqualTo(1000);
    }
}
