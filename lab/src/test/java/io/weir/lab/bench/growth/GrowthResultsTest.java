package io.weir.lab.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.Chance;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.figures.TargetVerdict;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class GrowthResultsTest {
    private static final GrowthOptions OPTIONS =
            new GrowthOptions(List.of(Growth.OBJECTS), 6, 2, 1_000_000, false, 1, Path.of("x.html"), null);

    private static Series series(double... micros) {
        double[] rates = new double[micros.length];
        Arrays.fill(rates, 1000);
        return new Series("a step", micros, rates);
    }

    private static GrowthResult result(Growth growth, double first, double last, int rounds) {
        List<Long> steps = List.of(growth.steps().getFirst(), growth.steps().getLast());
        Map<Long, Long> resident = Map.of(steps.getFirst(), 100L << 20, steps.getLast(), 300L << 20);
        List<Series> series = IntStream.of(0, 1)
                .mapToObj(i -> {
                    double[] micros = new double[rounds];
                    Arrays.fill(micros, i == 0 ? first : last);
                    return series(micros);
                })
                .toList();
        return GrowthResult.of(growth, steps, series, resident, Chance.seeded(1));
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    @Test
    void theLastStepIsDividedByTheFirstOfTheSameRound() {
        GrowthResult result = GrowthResult.of(
                Growth.OBJECTS,
                List.of(100L, 1000L, 10_000L),
                List.of(series(4, 8, 4, 8, 4, 8), series(9, 9, 9, 9, 9, 9), series(4.4, 8.8, 4.4, 8.8, 4.4, 8.8)),
                Map.of(),
                Chance.seeded(1));
        assertThat(result.ratioText()).isEqualTo("10,000 / 100: 1.10 [1.10, 1.10], target 1.2: met");
        assertThat(result.verdict()).isEqualTo(TargetVerdict.MET);
        assertThat(result.bytesEach()).isNaN();
    }

    @Test
    void aRiseBeyondTheTargetIsMissedAndFewRoundsAreOpen() {
        assertThat(result(Growth.ROUTES, 4, 4.9, 6).verdict()).isEqualTo(TargetVerdict.MISSED);
        assertThat(result(Growth.ROUTES, 4, 4.8, 6).verdict()).isEqualTo(TargetVerdict.MET);
        assertThat(result(Growth.ROUTES, 4, 4.0, 5).verdict()).isEqualTo(TargetVerdict.OPEN);
        assertThat(GrowthResult.failed(Growth.ROUTES, "nothing").verdict()).isEqualTo(TargetVerdict.OPEN);
        assertThat(GrowthResult.failed(Growth.ROUTES, "nothing").ratioText()).isEqualTo("not measured: nothing");
    }

    @Test
    void memoryIsThatOfOneMoreWhereSomethingIsKept() {
        GrowthResult objects = result(Growth.OBJECTS, 4, 4, 6);
        assertThat(objects.bytesEach()).isEqualTo((200L << 20) / 999_900.0, within(1e-9));
        assertThat(objects.memoryText()).isEqualTo("210 bytes of the resident set for each object");
        assertThat(result(Growth.FIELDS, 4, 4, 6).memoryText()).isEmpty();
    }

    @Test
    void tablesShowStepsAndReasons() {
        GrowthResult result = result(Growth.QUEUES, 2, 3, 6);
        assertThat(GrowthTable.steps(result))
                .contains("CPU us/message", "messages/s", "| 10,000", "3.00 [3.00, 3.00]", "1.50");
        assertThat(GrowthTable.summary(List.of(result, GrowthResult.failed(Growth.BACKLOG, "766 | wait"))))
                .contains("| queues ", "1.50 [1.50, 1.50]", "missed", "not measured: 766 \\| wait");
        assertThat(GrowthTable.plural("delivery")).isEqualTo("deliveries");
    }

    @Test
    void aChartHasAMarkForEachStepAndTellsTheVerdictByItsShape() throws Exception {
        Document met = parse(GrowthChart.svg(result(Growth.OBJECTS, 4, 4.4, 6)));
        assertThat(met.getElementsByTagName("circle").getLength()).isEqualTo(2);
        Document missed = parse(GrowthChart.svg(result(Growth.OBJECTS, 4, 8, 6)));
        assertThat(missed.getElementsByTagName("circle").getLength()).isZero();
        assertThat(texts(missed))
                .contains("100", "1,000,000", "4.0", "8.0", "stored objects", "target: 1.2 of it")
                .contains("1,000,000 / 100: 2.00 [2.00, 2.00], target 1.2: missed");
    }

    private static List<String> texts(Document svg) {
        NodeList all = svg.getElementsByTagName("text");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent())
                .collect(Collectors.toList());
    }

    @Test
    void aScaleBeginsAtZeroAndEndsAtARoundNumber() {
        assertThat(GrowthChart.top(4.8)).isEqualTo(5);
        assertThat(GrowthChart.top(5.1)).isEqualTo(6);
        assertThat(GrowthChart.top(93)).isEqualTo(100);
        assertThat(GrowthChart.top(0.12)).isEqualTo(0.15, within(1e-9));
        assertThat(GrowthChart.y(0, 10)).isGreaterThan(GrowthChart.y(10, 10));
        assertThat(GrowthChart.y(5, 10)).isEqualTo((GrowthChart.y(0, 10) + GrowthChart.y(10, 10)) / 2, within(1e-9));
        assertThat(GrowthChart.y(20, 10)).isEqualTo(GrowthChart.y(10, 10));
    }

    @Test
    void thePageIsOneFileWithAllGrowthsAndNotes() throws Exception {
        String page = new GrowthPage(OPTIONS, "1.0<", List.of("objects: THE MACHINE & more"))
                .text(List.of(result(Growth.OBJECTS, 4, 8, 6), GrowthResult.failed(Growth.BACKLOG, "too few")));
        Document parsed = parse(page.substring(page.indexOf("<html")));
        assertThat(parsed.getElementsByTagName("svg").getLength()).isEqualTo(1);
        assertThat(parsed.getElementsByTagName("script").getLength()).isZero();
        assertThat(page)
                .contains("weir 1.0&lt;", "THE MACHINE &amp; more", "not measured: too few", "<b>1</b>missed")
                .doesNotContain("http://www.w3.org/1999", "src=");
    }
}
