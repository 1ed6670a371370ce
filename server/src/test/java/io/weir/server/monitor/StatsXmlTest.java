package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** Holds stats-xml against its DTD with a validating parser, and against the Sun proxy's tree and attribute order. */
public class StatsXmlTest {
    private static final long NOW = 1_225_962_300_000L;

    private final FakeSource source = new FakeSource();
    private Readings readings = new Readings(
            new Facts.Averages(0.5, 0.25, 0.125),
            1000.4,
            500,
            new Facts.Averages(11, 12, 13),
            new Facts.Averages(1, 2, 3),
            new Facts.Averages(0.1, 0.2, 0.3),
            4096,
            2048,
            0.5,
            List.of(new Readings.Cpu(0, 70, 20, 10), new Readings.Cpu(1, 60, 30, 10)),
            Map.of("https-test", new Readings.Rate(10, 99)),
            Map.of());

    StatsXmlTest() {
        source.rows = List.of(
                new Facts.SessionRow(
                        "response", "192.6.7.8", NOW - 2000, "https-test", "GET", "/<&\">", "proxy-retrieve"),
                new Facts.SessionRow("DNS", "::1", NOW, "https-test", "GET", "/", ""));
        source.buckets.add(new Facts.Bucket("cache-bucket", "Cached responses", 5, 6, 7000, 8000));
    }

    @Test
    void everythingOnIsValid() throws Exception {
        Document document = valid(write(Map.of()));

        assertThat(document.getDoctype().getSystemId()).isEqualTo("proxystats.dtd");
        assertThat(children(document.getDocumentElement())).containsExactly("server");
        assertThat(children(element(document, "server")))
                .containsExactly(
                        "connection-queue",
                        "thread-pool",
                        "thread-pool",
                        "profile",
                        "profile",
                        "profile",
                        "process",
                        "virtual-server",
                        "cpu-info",
                        "cpu-info");
        assertThat(children(element(document, "process")))
                .containsExactly(
                        "connection-queue-bucket",
                        "thread-pool-bucket",
                        "thread-pool-bucket",
                        "host-dns-bucket",
                        "client-dns-bucket",
                        "keepalive-bucket",
                        "cache-bucket",
                        "thread",
                        "thread",
                        "jvm");
        assertThat(children(element(document, "virtual-server")))
                .containsExactly("request-bucket", "profile-bucket", "profile-bucket", "profile-bucket");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server", "connection-queue", "thread-pool", "profile", "process", "connection-queue-bucket",
                "thread-pool-bucket", "host-dns-bucket", "client-dns-bucket", "keepalive-bucket", "cache-bucket",
                        "thread",
                "jvm", "virtual-server", "request-bucket", "profile-bucket", "cpu-info"
            })
    void elementSwitchedOffIsGoneAndTheRestValid(String name) throws Exception {
        assertThat(valid(write(Map.of())).getElementsByTagName(name).getLength())
                .isPositive();
        assertThat(valid(write(Map.of(name, "1"))).getElementsByTagName(name).getLength())
                .isPositive();
        assertThat(valid(write(Map.of(name, "0"))).getElementsByTagName(name).getLength())
                .isZero();
    }

    @Test
    void severalElementsCanBeSwitchedOffTogether() throws Exception {
        Document document = valid(write(Map.of("thread", "0", "process", "0")));

        assertThat(document.getElementsByTagName("process").getLength()).isZero();
        assertThat(document.getElementsByTagName("virtual-server").getLength()).isOne();
    }

    @Test
    void theCachesHaveFiguresOfTheirOwn() throws Exception {
        assertThat(attributes(element(valid(write(Map.of())), "cache-bucket")))
                .containsEntry("countEntries", "141")
                .containsEntry("countOpenEntries", "7")
                .containsEntry("maxOpenEntries", "160")
                .containsEntry("sizeMmapCache", "0")
                .containsEntry("countInfoHits", "37")
                .containsEntry("countInfoMisses", "50")
                .containsEntry("countContentHits", "300")
                .containsEntry("countContentMisses", "9")
                .containsEntry("countAcceleratorEntries", "120")
                .containsEntry("countAcceleratableRequests", "281")
                .containsEntry("countUnacceleratableRequests", "47")
                .containsEntry("countAcceleratableResponses", "131")
                .containsEntry("countUnacceleratableResponses", "13")
                .containsEntry("countAcceleratorHits", "247")
                .containsEntry("countAcceleratorMisses", "34");
    }

    @Test
    void theDiskHasAnElementIfThereIsOne() throws Exception {
        assertThat(write(Map.of())).doesNotContain("disk-cache-bucket");
        source.diskCache = new Facts.DiskCache(true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        assertThat(attributes(element(valid(write(Map.of())), "disk-cache-bucket")))
                .containsEntry("countHits", "1")
                .containsEntry("countFilesCleaned", "5")
                .containsEntry("sizeDiskCache", "7")
                .containsEntry("maxDiskCacheSize", "8")
                .containsEntry("countErrors", "12")
                .containsEntry("countContinued", "13")
                .containsEntry("countCut", "14");
        assertThat(write(Map.of("disk-cache-bucket", "0"))).doesNotContain("disk-cache-bucket");
        assertThat(write(Map.of())).doesNotContain("disk-partition-bucket");
        source.diskPartitions = List.of(
                new Facts.DiskPartition("part1", 1, 2, 3, 4, 5, 6, false),
                new Facts.DiskPartition("part2", 7, 8, 9, 10, 11, 12, true));
        assertThat(attributes(element(valid(write(Map.of())), "disk-partition-bucket")))
                .containsEntry("id", "part1")
                .containsEntry("flagFailing", "0")
                .containsEntry("sizeDiskCache", "2")
                .containsEntry("maxDiskCacheSize", "3")
                .containsEntry("countSegments", "4")
                .containsEntry("countErrors", "6");
        assertThat(write(Map.of())).contains("id=\"part2\" flagFailing=\"1\"");
    }

    @Test
    void statisticsThatAreOffLeaveOnlyTheRoot() throws Exception {
        Document document = valid(new StatsXml(source, readings, Map.of(), NOW).write(false));

        assertThat(document.getDocumentElement().getAttribute("enabled")).isEqualTo("0");
        assertThat(children(document.getDocumentElement())).isEmpty();
    }

    @Test
    void attributesCarryTheFiguresUnderTheReferencesNames() throws Exception {
        Document document = valid(write(Map.of()));

        assertThat(element(document, "server").getAttribute("ticksPerSecond")).isEqualTo("1000000");
        assertThat(element(document, "server").getAttribute("secondsRunning")).isEqualTo("299");
        assertThat(element(document, "server").getAttribute("load5MinuteAverage"))
                .isEqualTo("0.2500");
        assertThat(attributes(element(document, "connection-queue-bucket")))
                .containsEntry("countTotalQueued", "11222922")
                .containsEntry("ticksTotalQueued", "53892842740")
                .containsEntry("countQueued15MinuteAverage", "54.0200");
        assertThat(attributes(element(document, "keepalive-bucket")))
                .isEqualTo(Map.of(
                        "countConnections",
                        "198",
                        "maxConnections",
                        "200",
                        "countHits",
                        "0",
                        "countFlushes",
                        "0",
                        "countRefusals",
                        "56844280",
                        "countTimeouts",
                        "365589",
                        "secondsTimeout",
                        "10"));
        assertThat(attributes(element(document, "request-bucket")))
                .containsEntry("count404", "7")
                .containsEntry("count4xx", "7")
                .containsEntry("count200", "0")
                .containsEntry("maxByteTransmissionRate", "99");
        assertThat(attributes(element(document, "thread")))
                .containsEntry("mode", "response")
                .containsEntry("addressClient", "192.6.7.8")
                .containsEntry("function", "proxy-retrieve");
    }

    @Test
    void averageDelayCanBeComputedAsTheSeedDoes() throws Exception {
        Document document = valid(write(Map.of()));
        Map<String, String> queue = attributes(element(document, "connection-queue-bucket"));
        double ticksPerSecond = Double.parseDouble(element(document, "server").getAttribute("ticksPerSecond"));

        double millis = Double.parseDouble(queue.getOrDefault("ticksTotalQueued", ""))
                / Double.parseDouble(queue.getOrDefault("countTotalQueued", ""))
                / ticksPerSecond
                * 1000;
        assertThat(String.format(java.util.Locale.ROOT, "%.2f", millis)).isEqualTo("4.80");
    }

    @Test
    void textOfStrangersCannotBreakTheDocument() throws Exception {
        Facts.Requests r =
                new Facts.Requests("GET", "/\u0000\u0001<!--\"&\uD800", 1, 1, 1, 1, 1, null, 1, Facts.Statuses.NONE);
        source.servers = List.of(new Facts.VirtualServer("a\"b<", false, List.of("<x>"), List.of(), r, List.of()));

        Document document = valid(write(Map.of()));
        assertThat(element(document, "request-bucket").getAttribute("uri")).isEqualTo("/??<!--\"&?");
        assertThat(element(document, "virtual-server").getAttribute("mode")).isEqualTo("disabled");
    }

    /** A parser turns a line end in an attribute into a space, so it must be a reference. */
    @Test
    void lineEndsAndTabsInAttributesAreReferences() throws Exception {
        Facts.Requests r = new Facts.Requests("GET", "/a\nb\tc\rd\u001be", 1, 1, 1, 1, 1, null, 1, Facts.Statuses.NONE);
        source.servers = List.of(new Facts.VirtualServer("a", true, List.of(), List.of(), r, List.of()));

        String text = write(Map.of());
        assertThat(text).contains(" uri=\"/a&#10;b&#9;c&#13;d?e\"");
        assertThat(element(valid(text), "request-bucket").getAttribute("uri")).isEqualTo("/a\nb\tc\rd?e");
    }

    @Test
    void bucketsOfSeveralVirtualServersAreApart() throws Exception {
        Facts.Requests r = source.servers.getFirst().requests();
        List<Facts.Bucket> own = List.of(
                new Facts.Bucket("default-bucket", "Default bucket", r.count(), 10, 3000, 5000),
                new Facts.Bucket("cache-bucket", "Cached responses", 2, 3, 4000, 6000));
        source.servers = List.of(
                new Facts.VirtualServer("a", true, List.of(), List.of(), r, own),
                new Facts.VirtualServer("b", true, List.of(), List.of(), r, List.of()));

        Document document = valid(write(Map.of()));
        Element a = (Element) document.getElementsByTagName("virtual-server").item(0);
        assertThat(children(a)).containsExactly("request-bucket", "profile-bucket", "profile-bucket", "profile-bucket");
        assertThat(attributes((Element) a.getElementsByTagName("profile-bucket").item(0)))
                .containsEntry("profile", "profile-0")
                .containsEntry("countCalls", "13")
                .containsEntry("ticksDispatch", "7")
                .containsEntry("ticksFunction", "11");
        assertThat(attributes((Element) a.getElementsByTagName("profile-bucket").item(2)))
                .containsEntry("profile", "profile-2")
                .containsEntry("countRequests", "2");
        assertThat(children((Element)
                        document.getElementsByTagName("virtual-server").item(1)))
                .containsExactly("request-bucket");
    }

    @Test
    void withoutProfilingThereAreNoProfiles() throws Exception {
        source.buckets = List.of();

        Document document = valid(write(Map.of()));
        assertThat(element(document, "server").getAttribute("flagProfilingEnabled"))
                .isEqualTo("0");
        assertThat(children(element(document, "server"))).doesNotContain("profile");
    }

    @Test
    void serverWithNothingInItIsValid() throws Exception {
        source.rows = List.of();
        source.buckets = List.of();
        source.pools = List.of();
        source.servers = List.of();
        source.cache = Facts.Cache.OFF;
        readings = Readings.NONE;

        valid(write(Map.of()));
    }

    @Test
    void validatorReallyRefusesWhatTheDtdDoesNotKnow() {
        String spoiled = "<!DOCTYPE stats SYSTEM \"proxystats.dtd\"><stats enabled=\"1\"><nonsense/></stats>";

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> valid(spoiled)).isInstanceOf(SAXException.class);
    }

    private String write(Map<String, String> switches) throws Exception {
        return new StatsXml(source, readings, switches, NOW).write(true);
    }

    /** The document, valid by the served DTD. */
    public static Document valid(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setValidating(true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setEntityResolver((_, _) -> new InputSource(new StringReader(DocumentType.text())));
        builder.setErrorHandler(new Strict());
        return builder.parse(new InputSource(new StringReader(xml)));
    }

    private static Element element(Document document, String name) {
        return (Element) document.getElementsByTagName(name).item(0);
    }

    private static List<String> children(Element of) {
        List<String> names = new java.util.ArrayList<>();
        for (Node n = of.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element e) {
                names.add(e.getTagName());
            }
        }
        return names;
    }

    static Map<String, String> attributes(Element of) {
        Map<String, String> all = new java.util.LinkedHashMap<>();
        NamedNodeMap map = of.getAttributes();
        for (int i = 0; i < map.getLength(); i++) {
            all.put(map.item(i).getNodeName(), map.item(i).getNodeValue());
        }
        return all;
    }

    /** Every finding of the validator fails the test. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
