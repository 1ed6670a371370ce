package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.monitor.source.Readings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Holds stats-xml's elements of messaging against the DTD with a validating parser. */
class StatsXmlMessagingTest {
    private final FakeSource source = new FakeSource();

    @BeforeEach
    void messaging() {
        source.messaging = FakeSource.someMessaging();
    }

    private Document document(Map<String, String> switches) throws Exception {
        return StatsXmlTest.valid(new StatsXml(source, Readings.NONE, switches, 0).write(true));
    }

    private static int count(Document d, String element) {
        return d.getElementsByTagName(element).getLength();
    }

    private static Element first(Document d, String element) {
        return (Element) d.getElementsByTagName(element).item(0);
    }

    @Test
    void figuresAreAttributes() throws Exception {
        Document d = document(Map.of());

        assertThat(first(d, "jms-bucket").getAttribute("countSlowConsumers")).isEqualTo("8");
        assertThat(first(d, "jms-bucket").getAttribute("countTotalTemporaryMessages"))
                .isEqualTo("200");
        Element journal = first(d, "jms-journal-bucket");
        assertThat(journal.getAttribute("mode")).isEqualTo("active");
        assertThat(journal.getAttribute("countForces")).isEqualTo("40");
        assertThat(journal.getAttribute("ticksTotalForce")).isEqualTo("80000");
        Element destination = first(d, "jms-destination-bucket");
        assertThat(destination.getAttribute("name")).isEqualTo("queue/demo");
        assertThat(destination.getAttribute("countMessages")).isEqualTo("3");
        assertThat(destination.getAttribute("peakMessages")).isEqualTo("50");
        assertThat(destination.getAttribute("sizePendingMessages")).isEqualTo("200");
        assertThat(((Element) d.getElementsByTagName("jms-destination-bucket").item(1)).getAttribute("secondsStale"))
                .isEqualTo("12");
        assertThat(first(d, "jms-connection-bucket").getAttribute("id")).isEqualTo("1a2b");
        Element session = first(d, "jms-session-bucket");
        assertThat(session.getAttribute("flagBlocked")).isEqualTo("1");
        assertThat(session.getAttribute("maxWindow")).isEqualTo("10");
        assertThat(session.getAttribute("countOneWaySends")).isEqualTo("7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jms-bucket",
                "jms-journal-bucket",
                "jms-destination-bucket",
                "jms-connection-bucket",
                "jms-session-bucket"
            })
    void elementSwitchedOffIsGoneAndTheRestValid(String name) throws Exception {
        assertThat(count(document(Map.of()), name)).isPositive();
        assertThat(count(document(Map.of(name, "0")), name)).isZero();
    }

    @Test
    void thereIsNoElementWhileMessagingDoesNotRun() throws Exception {
        source.messaging = null;
        assertThat(count(document(Map.of()), "jms-bucket")).isZero();
    }

    @Test
    void elementsAreBoundedAndTheCountsTellOfAll() throws Exception {
        List<MessagingFigures.Destination> many = new ArrayList<>();
        for (int i = 0; i < MessagingFigures.MAX_ROWS + 5; i++) {
            many.add(FakeSource.destination("queue/" + i, 1, 0));
        }
        source.messaging = FakeSource.messaging(many, List.of());
        Document d = document(Map.of());
        assertThat(count(d, "jms-destination-bucket")).isEqualTo(1000);
        assertThat(first(d, "jms-bucket").getAttribute("countDestinations")).isEqualTo("1005");
        assertThat(first(d, "jms-bucket").getAttribute("maxShown")).isEqualTo("1000");
    }
}
