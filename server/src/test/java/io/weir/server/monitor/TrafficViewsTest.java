package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Perfdump's section, stats-xml's elements and the JSON of quality of service. */
class TrafficViewsTest {
    private final FakeSource source = new FakeSource();

    @BeforeEach
    void traffic() {
        source.traffic = List.of(
                figures("listener", "http", new Figure(3, 17, 100), new Figure(12, 40, 0)),
                figures("virtual-server", "shop", new Figure(1, 2, 0), new Figure(7, 9, 0.5)),
                figures("client", "2001:db8:1:2::/64", new Figure(1, 1, 64), new Figure(0, 0, 1_000_000)));
    }

    private static TrafficFigures figures(String scope, String name, Figure connections, Figure requests) {
        return new TrafficFigures(scope, name, connections, requests, new Figure(1000, 2_000_000, 1 << 20), 99, 12345);
    }

    private Document document(Map<String, String> switches) throws Exception {
        return StatsXmlTest.valid(new StatsXml(source, Readings.NONE, switches, 0).write(true));
    }

    @Test
    void perfdumpShowsThemBehindTheSessionsInTheSeedsForm() {
        assertThat(new Perfdump(source, ZoneOffset.UTC, 1_225_962_300_000L).write(true))
                .endsWith("""
                QualityOfService (Current/Peak/Limit):
                --------------------------------------------------------------------------------------------------
                Scope           Name               Connections  Requests/s   Bytes/s               Requests  Bytes
                listener        http               3/17/100     12/40/0      1000/2000000/1048576  99        12345
                virtual-server  shop               1/2/0        7/9/0.5      1000/2000000/1048576  99        12345
                client          2001:db8:1:2::/64  1/1/64       0/0/1000000  1000/2000000/1048576  99        12345

                """);
        source.traffic = List.of();
        assertThat(new Perfdump(source, ZoneOffset.UTC, 0).write(true)).doesNotContain("QualityOfService");
    }

    @Test
    void statsXmlHasThemUnderTheSeedsNames() throws Exception {
        Element first =
                (Element) document(Map.of()).getElementsByTagName("qos-bucket").item(0);
        assertThat(StatsXmlTest.attributes(first))
                .containsEntry("scope", "listener")
                .containsEntry("id", "http")
                .containsEntry("countOpenConnections", "3")
                .containsEntry("maxOpenConnections", "17")
                .containsEntry("limitConnections", "100")
                .containsEntry("rateRequests", "12")
                .containsEntry("maxRequestRate", "40")
                .containsEntry("limitRequestRate", "0")
                .containsEntry("rateBytesTransmitted", "1000")
                .containsEntry("maxByteTransmissionRate", "2000000")
                .containsEntry("limitByteTransmissionRate", "1048576")
                .containsEntry("countRequests", "99")
                .containsEntry("countBytesTransmitted", "12345")
                .hasSize(13);
        assertThat(document(Map.of("qos-bucket", "0"))
                        .getElementsByTagName("qos-bucket")
                        .getLength())
                .isZero();
    }

    @Test
    void virtualServersRatesAreThoseThatWereMeasuredWhereTheyWere() throws Exception {
        Readings sampled = Readings.NONE;
        source.servers = List.of(server(new Figure(10, 99, 0)));
        assertThat(bucket(sampled)).containsEntry("rateBytesTransmitted", "10");
        assertThat(bucket(sampled)).containsEntry("maxByteTransmissionRate", "99");
        source.servers = List.of(server(null));
        assertThat(bucket(sampled)).containsEntry("maxByteTransmissionRate", "0");
    }

    private Map<String, String> bucket(Readings readings) throws Exception {
        Document d = StatsXmlTest.valid(new StatsXml(source, readings, Map.of(), 0).write(true));
        return StatsXmlTest.attributes(
                (Element) d.getElementsByTagName("request-bucket").item(0));
    }

    private static Facts.VirtualServer server(@Nullable Figure rate) {
        Facts.Requests r = new Facts.Requests(null, null, 1, 1, 1, 1, 1, rate, 1, Facts.Statuses.NONE);
        return new Facts.VirtualServer("default", true, List.of(), List.of(), r, List.of());
    }

    @Test
    void jsonHasCurrentPeakAndLimitOfEach() {
        assertThat(TrafficText.json(source.traffic.subList(1, 2))).isEqualTo("""
                [{"scope":"virtual-server","name":"shop","connections":{"current":1,"peak":2,"limit":0},\
                "requestsPerSecond":{"current":7,"peak":9,"limit":0.5},\
                "bytesPerSecond":{"current":1000,"peak":2000000,"limit":1048576},"requests":99,"bytes":12345}]
                """);
    }
}
