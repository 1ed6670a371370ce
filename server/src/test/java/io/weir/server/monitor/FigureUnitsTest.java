package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.docs.Reference;
import io.weir.server.figures.Figure;
import io.weir.server.figures.FigureGroup;
import io.weir.server.figures.cluster.ClusterDeclarations;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.http.BucketDeclarations;
import io.weir.server.figures.http.CacheDeclarations;
import io.weir.server.figures.http.TrafficDeclarations;
import io.weir.server.figures.kernel.Jvm;
import io.weir.server.figures.kernel.KernelDeclarations;
import io.weir.server.figures.kernel.ServerDeclarations;
import io.weir.server.figures.messaging.MessagingDeclarations;
import io.weir.server.figures.messaging.MessagingFigures;
import io.weir.server.figures.origins.OriginDeclarations;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsDeclarations;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkDeclarations;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.json.Json;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.text.FigureViews;
import io.weir.server.monitor.text.XmlOut;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The unit that a declaration says for a view is that of what the view prints. In the samples every time is five seconds
 * and every count by which one is divided is 1, so each view must say five seconds in its unit.
 */
class FigureUnitsTest {
    private static final Map<String, BigDecimal> NANOS = Map.of(
            "nanoseconds", BigDecimal.ONE,
            "microseconds", new BigDecimal(1000),
            "milliseconds", new BigDecimal(1_000_000),
            "seconds", new BigDecimal(1_000_000_000));
    private static final Map<String, String> WORDS =
            Map.of("ms", "milliseconds", "milliseconds", "milliseconds", "seconds", "seconds");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
    private static final Pattern NAMED = Pattern.compile("nano|micro|milli|second|ticks");
    private static final Pattern SHARE = Pattern.compile("\\([^)]*%\\)");

    private static final long SECONDS = 5;
    private static final long MILLIS = SECONDS * 1000;
    private static final long FIVE = SECONDS * 1_000_000_000;
    private static final Facts.Averages AVERAGE = new Facts.Averages(SECONDS, SECONDS, SECONDS);

    private final Map<FigureGroup<?>, List<?>> samples = new LinkedHashMap<>();

    FigureUnitsTest() {
        kernel();
        http();
        messaging();
        add(WorkDeclarations.REQUEST_CLASS, new WorkFigures.RequestClass("gold", 80, 6, 4000, 1, FIVE));
        add(
                TlsDeclarations.CERTIFICATE,
                new TlsDeclarations.OwnedCertificate(
                        "https", new TlsFigures.Certificate("a.pem", List.of("a"), "EC 256", MILLIS, "off"), 0));
        add(
                OriginDeclarations.SERVER,
                new OriginFigures.Server("p", "s:80", "r", "up", "", MILLIS, 3, 1, 1, 0, 0, 0, 0, 0, 1, FIVE));
        add(
                ClusterDeclarations.TOTALS,
                new ClusterFigures.Totals(
                        "c",
                        "a",
                        "consensus",
                        "",
                        "leader",
                        "a",
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        0,
                        0,
                        1,
                        0,
                        1,
                        FIVE,
                        FIVE,
                        FIVE));
        add(ClusterDeclarations.LEASE, new ClusterFigures.Lease("member/a", "a", "1.1", MILLIS, false, 1));
        add(ClusterDeclarations.SINGLETON, new ClusterFigures.Singleton("s", "active", "a", "a", "1.2", "", FIVE));
    }

    private void kernel() {
        Facts.Identity identity = new Facts.Identity("weir", "Weir", "1", "today", "Linux", 1, MILLIS, MILLIS, 1, 128);
        Readings readings =
                new Readings(AVERAGE, 0, 0, AVERAGE, AVERAGE, AVERAGE, 0, 0, 0, List.of(), Map.of(), Map.of());
        ServerDeclarations.Running running = new ServerDeclarations.Running(identity, readings, 2 * MILLIS, true);
        add(ServerDeclarations.SERVER, running);
        add(ServerDeclarations.PROCESS, running);
        add(ServerDeclarations.JVM, new Jvm(1, 1, 1, 1, 1, 1, 1, "25", "n", "v", 1, MILLIS));
        add(KernelDeclarations.QUEUE, new Facts.Queue(0, 1, 2, 3, 1, 0, FIVE, AVERAGE));
        add(KernelDeclarations.KEEP_ALIVE, new Facts.KeepAlive(1, 2, 3, 4, 5, 6, SECONDS));
    }

    private void http() {
        add(
                CacheDeclarations.CACHE,
                new Facts.Cache(
                        true, 1, 2, 3, 4, 5, 6, 7, SECONDS, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                        24, 25, 26, true));
        add(
                TrafficDeclarations.SESSION,
                new TrafficDeclarations.Session(
                        1, new Facts.SessionRow("idle", "::1", MILLIS, "vs", "GET", "/", "f"), 2 * MILLIS));
        BucketDeclarations.Totals all = new BucketDeclarations.Totals(1, SECONDS, 1);
        add(BucketDeclarations.TOTALS, all);
        samples.put(
                BucketDeclarations.BUCKET,
                List.of(
                        new BucketDeclarations.Row(1, new Facts.Bucket("b", "B", 1, 1, FIVE, 0), all),
                        new BucketDeclarations.Row(1, new Facts.Bucket("b", "B", 1, 1, 0, FIVE), all)));
    }

    private void messaging() {
        add(
                MessagingDeclarations.JOURNAL,
                new MessagingFigures.Journal(
                        "messages",
                        null,
                        1,
                        512_000,
                        1,
                        FIVE,
                        FIVE,
                        FIVE,
                        FIVE,
                        3,
                        4_000_000,
                        1_000_000,
                        77,
                        2,
                        11,
                        5,
                        1));
        add(MessagingDeclarations.DESTINATION, FakeSource.destination("queue/demo", 3, SECONDS));
        add(
                MessagingDeclarations.CONNECTION,
                new MessagingFigures.Connection(1, "joe", "c", "10.0.0.1:4000", true, 1, 1, 12, 4, 99, SECONDS));
        add(
                MessagingDeclarations.SESSION,
                new MessagingFigures.Session(
                        1, 1, "joe", "c", "10.0.0.1:4000", "client", 10, 10, true, 12, 2, 1, 7, true, SECONDS));
    }

    private <T> void add(FigureGroup<T> group, T of) {
        samples.put(group, List.of(of));
    }

    @Test
    void everyGroupWithATimeHasASample() {
        List<String> without = DeclaredFigures.all().stream()
                .filter(g -> g.figures().stream().anyMatch(f -> NANOS.containsKey(f.unit())))
                .filter(g -> !samples.containsKey(g))
                .map(FigureGroup::title)
                .toList();
        assertThat(without).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> eachViewShowsATimeInTheUnitThatItsDeclarationSays() {
        return samples.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey().title(), () -> checkAll(e.getKey(), e.getValue())));
    }

    @SuppressWarnings("unchecked") // a sample is of its group's type
    private static <T> void checkAll(FigureGroup<T> group, List<?> samples) throws Exception {
        check(group, (List<T>) samples);
    }

    private static <T> void check(FigureGroup<T> group, List<T> samples) throws Exception {
        Map<String, List<BigDecimal>> longest = new TreeMap<>();
        for (T sample : samples) {
            Printed<T> printed = new Printed<>(group, sample);
            for (Figure<T> f : group.figures()) {
                if (NANOS.containsKey(f.unit())) {
                    named(f);
                    List<BigDecimal> times = printed.times(f);
                    assertThat(times.stream()
                                    .map(BigDecimal::stripTrailingZeros)
                                    .distinct())
                            .as("%s: %s", f.doc(), times)
                            .hasSize(1);
                    longest.computeIfAbsent(f.doc(), _ -> new ArrayList<>()).add(times.getFirst());
                } else {
                    printed.sameNumber(f);
                }
            }
        }
        longest.forEach((figure, times) -> assertThat(times)
                .as("nanoseconds of: %s", figure)
                .anySatisfy(t -> assertThat(t).isEqualByComparingTo(BigDecimal.valueOf(FIVE))));
    }

    /** A name that has a unit in it has the declared one. */
    private static void named(Figure<?> f) {
        named(f.attribute(), f.writtenUnit());
        named(f.bean(), f.unit());
        named(f.member(), f.jsonUnit());
        named(f.statistic() == null ? null : f.statistic().name(), f.unit());
        if (f.attribute() != null && f.attribute().startsWith("time")) {
            assertThat(f.writtenUnit()).as(f.attribute()).isEqualTo("seconds");
        }
    }

    private static void named(@Nullable String name, String unit) {
        Matcher inName = NAMED.matcher(name == null ? "" : name.toLowerCase(Locale.ROOT));
        if (inName.find()) {
            String start = inName.group().equals("ticks") ? "micro" : inName.group();
            assertThat(unit).as(name).startsWith(start);
        }
    }

    /** A sample in all views. */
    private static final class Printed<T> {
        private final FigureGroup<T> group;
        private final T sample;
        private final JsonNode json;
        private final List<Element> xml = new ArrayList<>();

        Printed(FigureGroup<T> group, T sample) throws Exception {
            this.group = group;
            this.sample = sample;
            this.json = new JsonMapper().readTree(Json.object(j -> group.members(sample, j)));
            if (!group.element().isEmpty()) {
                StringWriter text = new StringWriter();
                XMLStreamWriter out = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
                FigureViews.element(group, sample, new XmlOut(out));
                out.writeEndDocument();
                out.flush();
                xml.add(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(text.toString())))
                        .getDocumentElement());
            }
        }

        private String attribute(Figure<T> f) {
            return xml.getFirst().getAttribute(Objects.requireNonNull(f.attribute()));
        }

        private Object bean(Figure<T> f) throws Exception {
            return Objects.requireNonNull(
                    FigureViews.bean(group, "a sample", () -> sample).getAttribute(Objects.requireNonNull(f.bean())));
        }

        private String member(Figure<T> f) {
            return json.at("/" + Objects.requireNonNull(f.member()).replace('.', '/'))
                    .asString();
        }

        /** A time as each view has it, in nanoseconds. */
        List<BigDecimal> times(Figure<T> f) throws Exception {
            List<BigDecimal> all = new ArrayList<>();
            if (f.column() != null || f.line() != null) {
                all.addAll(perfdump(f.shown(sample), f.shownUnit()));
            }
            if (f.attribute() != null) {
                all.add(nanos(attribute(f), f.writtenUnit()));
            }
            if (f.bean() != null) {
                all.add(nanos(bean(f).toString(), f.unit()));
            }
            if (f.member() != null) {
                all.add(nanos(member(f), f.jsonUnit()));
            }
            if (f.statistic() != null) {
                all.add(nanos(f.value(sample).toString(), f.statistic().unit()));
            }
            return all;
        }

        /** What is no time is the same number in all views that show a number. */
        void sameNumber(Figure<T> f) throws Exception {
            if (!(f.value(sample) instanceof Number)) {
                return;
            }
            long value = ((Number) f.value(sample)).longValue();
            if (f.attribute() != null && NUMBER.matcher(attribute(f)).matches()) {
                assertThat(new BigDecimal(attribute(f)).longValue()).as(f.doc()).isEqualTo(value);
            }
            if (f.bean() != null) {
                assertThat(((Number) bean(f)).longValue()).as(f.doc()).isEqualTo(value);
            }
            if (f.member() != null && NUMBER.matcher(member(f)).matches()) {
                assertThat(new BigDecimal(member(f)).longValue()).as(f.doc()).isEqualTo(value);
            }
        }

        private static BigDecimal nanos(String text, String unit) {
            if (unit.equals(Figure.DATE)) {
                return BigDecimal.valueOf(Instant.parse(text).toEpochMilli()).scaleByPowerOfTen(6);
            }
            return new BigDecimal(text).multiply(Objects.requireNonNull(NANOS.get(unit), unit));
        }

        /** The numbers of a text of perfdump; a unit in it must be the declared one. */
        private static List<BigDecimal> perfdump(String text, String unit) {
            if (unit.equals(Figure.DATE)) {
                return List.of(nanos(text, unit));
            }
            for (String word : text.split("[^a-z]+", -1)) {
                if (WORDS.containsKey(word)) {
                    assertThat(unit).as(text).isEqualTo(WORDS.get(word));
                }
            }
            List<BigDecimal> all = new ArrayList<>();
            Matcher number = NUMBER.matcher(SHARE.matcher(text).replaceAll(""));
            while (number.find()) {
                all.add(nanos(number.group(), unit));
            }
            assertThat(all).as(text).isNotEmpty();
            return all;
        }
    }

    @Test
    void theReferenceSaysTheUnitOfEachViewWhereTheyDiffer() {
        String page = Objects.requireNonNull(Reference.files().get("figures.md"));
        assertThat(page)
                .contains("| Since | `timeSince` | `StateSince` | `since` | perfdump: date and time;"
                        + " stats-xml: seconds; JMX: milliseconds; JSON: date and time |")
                .contains("| Response |  | `ResponseNanosMean` | `responseMicros` | perfdump: milliseconds;"
                        + " JMX: nanoseconds; JSON: microseconds |")
                .contains("| AverageWait | `ticksWaits` |  |  | perfdump: milliseconds; stats-xml: microseconds;"
                        + " `/metrics`: seconds | `weir_request_class_wait_seconds` |")
                .contains("| KeepAliveTimeout | `secondsTimeout` |  |  | seconds |");
    }
}
