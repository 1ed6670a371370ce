package io.weir.samples.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the receiver makes of a timer's messages. */
@Tag("slow")
class ReportsTest {
    private final List<String> said = new ArrayList<>();
    private final Reports reports = new Reports(said::add);

    /** A text message with the properties that a timer's has. */
    private static Message message(String timer, long scheduled, String fence) {
        Map<String, Object> properties = Map.of("weirTimer", timer, "weirScheduled", scheduled, "weirFence", fence);
        return (Message) Proxy.newProxyInstance(
                ReportsTest.class.getClassLoader(),
                new Class<?>[] {TextMessage.class},
                (_, method, arguments) ->
                        method.getName().equals("getText") ? "write the report" : properties.get(arguments[0]));
    }

    @Test
    void eachOccasionIsReportedOnceWhoeverFired() {
        reports.onMessage(message("nightly", 1000, "1.4"));
        reports.onMessage(message("nightly", 1000, "1.5"));
        reports.onMessage(message("nightly", 2000, "1.5"));
        reports.onMessage(message("weekly", 2000, "1.5"));
        assertThat(said)
                .containsExactly(
                        "write the report (nightly of 1970-01-01T00:00:01Z, fence 1.4)",
                        "again, and left out: nightly of 1970-01-01T00:00:01Z",
                        "write the report (nightly of 1970-01-01T00:00:02Z, fence 1.5)",
                        "write the report (weekly of 1970-01-01T00:00:02Z, fence 1.5)");
    }
}
