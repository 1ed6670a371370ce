package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.settings.KernelStats;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a connection keeps while it waits for its next request: counted in the heap's histogram. */
@ExtendWith(LeakCheck.class)
class IdleMemoryTest {
    private static final int CONNECTIONS = 200;

    /** Bytes for each of objects that are Weir's and Netty's own. 2,000 were seen; a buffer that is kept shows, too. */
    private static final long BUDGET = 2100;

    private static final Pattern ROW = Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) +(io\\.(?:weir|netty)\\.\\S+)");

    /** Bytes of live objects of Weir and Netty, after a collection. */
    private static long live() throws Exception {
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        long bytes = 0;
        Matcher m = ROW.matcher(histogram.toString());
        while (m.find()) {
            bytes += Long.parseLong(m.group(1));
        }
        return bytes;
    }

    private static void open(TestProxy proxy, List<RawClient> into) throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            RawClient client = new RawClient(proxy.port());
            into.add(client);
            assertThat(client.get("/idle").answer()).endsWith("kept");
        }
        Await.until("all rest", () -> proxy.value(KernelStats.KEEPALIVE_COUNT) == into.size());
    }

    @Test
    void idleConnectionKeepsLittle() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (TestProxy proxy = TestProxy.Made.of("routes.0.respond.status=200", "routes.0.respond.body=kept")
                .start()) {
            open(proxy, clients);
            long before = live();
            open(proxy, clients);
            assertThat((live() - before) / CONNECTIONS).isBetween(500L, BUDGET);
        } finally {
            for (RawClient c : clients) {
                c.close();
            }
        }
    }
}
