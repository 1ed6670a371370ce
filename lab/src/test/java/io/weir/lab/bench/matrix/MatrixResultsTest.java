package io.weir.lab.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.weir.base.Chance;
import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.cell.CellNames;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.figures.TargetVerdict;
import io.weir.lab.bench.http.BenchOptions;
import io.weir.lab.bench.http.Counts;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.PeerProgram;
import java.io.StringReader;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Ratios, verdicts, the table and the page of made-up turns. */
final class MatrixResultsTest {
    private static final Map<String, String> VERSIONS = versions("weir", "nginx", "haproxy");

    private static Map<String, String> versions(String... names) {
        Map<String, String> versions = new LinkedHashMap<>();
        Arrays.stream(names).forEach(n -> versions.put(n, "1.0"));
        return versions;
    }

    private static Cell cell(String name) {
        return CellNames.select(List.of(name)).getFirst();
    }

    private static Series series(String name, double micros) {
        double[] turns = new double[6];
        double[] rates = new double[6];
        Arrays.setAll(turns, i -> micros * (1 + i * 0.001));
        Arrays.fill(rates, 1000);
        return new Series(name, turns, rates);
    }

    private static CellResult result(String cell, double weir, double nginx, double haproxy, double floor) {
        return CellResult.of(
                cell(cell),
                List.of(
                        series("weir", weir),
                        series("nginx", nginx),
                        series("haproxy", haproxy),
                        series(MatrixBench.FLOOR, floor)),
                Chance.seeded(1));
    }

    private static List<CellResult> some() {
        return List.of(
                result("h1-hit-1k", 5, 12, 10, 4.5),
                result("h1-miss-1k", 20, 10, 16, 8),
                result("h2-hit-1k", 8, 10, 9, 4),
                CellResult.failed(
                        cell("tls-tunnel-1k"), "weir answered 3 requests with an <error> & \"more\"\nsecond line"));
    }

    @ParameterizedTest
    @CsvSource({"5, 10, 8, haproxy, MET", "7, 8, 10, nginx, MISSED", "6.4, 10, 8, haproxy, OPEN"})
    void hitIsComparedWithTheBestPeerAndItsTarget(
            double weir, double nginx, double haproxy, String best, TargetVerdict verdict) {
        CellResult result = result("h1-hit-1k", weir, nginx, haproxy, 5);
        assertThat(result.best()).isEqualTo(best);
        if (verdict != TargetVerdict.OPEN) {
            assertThat(result.verdict()).isEqualTo(verdict);
        }
        assertThat(Objects.requireNonNull(result.ratio()).ratio().median())
                .isEqualTo(weir / Math.min(nginx, haproxy), within(0.001));
    }

    @Test
    void fewRoundsAreOpen() {
        double[] one = {1};
        CellResult result = CellResult.of(
                cell("h1-hit-1k"),
                List.of(new Series("weir", one, one), new Series("nginx", new double[] {100}, one)),
                Chance.seeded(1));
        assertThat(result.verdict()).isEqualTo(TargetVerdict.OPEN);
    }

    @Test
    void otherBuildAndFloorAreNoPeers() {
        CellResult result = CellResult.of(
                cell("h1-hit-1k"),
                List.of(series("weir", 5), series(MatrixBench.OTHER, 1), series(MatrixBench.FLOOR, 1)),
                Chance.seeded(1));
        assertThat(result.best()).isEmpty();
        assertThat(result.ratio()).isNull();
        assertThat(Objects.requireNonNull(result.other()).ratio().median()).isEqualTo(5);
        assertThat(Objects.requireNonNull(result.floor()).ratio().median()).isEqualTo(5);
    }

    @Test
    void tableHasARowForEachCellAndTheSumOfTheVerdicts() {
        String table = MatrixTable.text(some(), VERSIONS);
        assertThat(table.replaceAll(" +", " "))
                .contains("| h1-hit-1k | 5.0 | 12.0 | 10.0 | haproxy | 0.50 [0.50, 0.50] | <= 0.8 | met | 4.5 |")
                .contains("| h1-miss-1k | 20.0 | 10.0 | 16.0 | nginx | 2.00 [2.00, 2.00] | <= 1.0 | missed | 8.0 |")
                .contains("| 1.11 [1.11, 1.11] | <= 1.15 | met |")
                .contains("| tls-tunnel-1k | - | - | - | - | not measured | - | - |")
                .contains("\ntls-tunnel-1k was not measured: weir answered 3 requests with an <error>")
                .contains("3 cells against their best peer: 1 met, 0 open, 2 missed; "
                        + "hits against their floor: 1 met, 0 open, 1 missed.");
        assertThat(table).doesNotContain("other build");
        assertThat(MatrixTable.text(some(), versions("weir", MatrixBench.OTHER)))
                .contains("weir / other build");
    }

    private static String page(List<CellResult> results, List<String> notes) {
        BenchOptions options =
                new BenchOptions(6, 1, Size.ONE, HttpScenario.HITS, List.of(Peer.NGINX), 0, false, 1, null, null);
        return new MatrixPage(options, VERSIONS, notes).text(results);
    }

    @Test
    void pageIsWellFormedAndHasTheChartsAndAllFigures() throws Exception {
        String page = page(some(), List.of("THE MACHINE <was> busy"));
        Document document = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.replace("<!DOCTYPE html>\n", ""))));
        assertThat(document.getElementsByTagName("svg").getLength()).isEqualTo(2);
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(2);
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(1);
        assertThat(document.getElementsByTagName("tr").getLength()).isEqualTo(5);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("THE MACHINE <was> busy", "0.50 [0.50, 0.50]", "an <error> & \"more\"", "nginx 1.0");
    }

    @Test
    void pageNeedsNothingFromElsewhereAndIsForLightAndDark() {
        String page = page(some(), List.of());
        assertThat(Pattern.compile("<script|<link|<img|@import|url\\(|src=|href=")
                        .matcher(page)
                        .find())
                .isFalse();
        assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:");
        assertThat(page).contains("prefers-color-scheme: dark", "color-scheme: light dark");
    }

    @Test
    void pageOfNothingYetIsAPage() throws Exception {
        String page = page(List.of(), List.of());
        assertThat(DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(page.replace("<!DOCTYPE html>\n", ""))))
                        .getElementsByTagName("svg")
                        .getLength())
                .isZero();
    }

    @Test
    void chartIsLogarithmicAndBounded() {
        assertThat(MatrixChart.x(2) - MatrixChart.x(1)).isEqualTo(MatrixChart.x(1) - MatrixChart.x(0.5), within(1e-9));
        assertThat(MatrixChart.x(1000)).isEqualTo(MatrixChart.x(8));
        assertThat(MatrixChart.x(0)).isEqualTo(MatrixChart.x(0.125));
    }

    @Test
    void uploadsOfWrkHaveTheCellsSize() {
        assertThat(CellLoads.script(cell("h1-upload-13k"))).contains("POST", "string.rep(\"x\", 13312)");
    }

    @Test
    void newConnectionsOfHttp2HaveARequestEach() {
        assertThat(CellLoads.connections(3, "https://127.0.0.1:4/hit/1k"))
                .containsExactly("-t1", "-m1", "-n1500", "-c1500", "-r500", "https://127.0.0.1:4/hit/1k");
    }

    @Test
    void echoesAreCounted() throws BenchFailure {
        assertThat(CellLoads.counts("found 1200 2.500000 3 4")).isEqualTo(new Counts(1200, 2.5, 3, 4));
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> CellLoads.counts("java.lang.OutOfMemoryError"))
                .withMessageContaining("OutOfMemoryError");
    }

    @Test
    void onlyProgramsOfTheCellsAreNeeded() {
        assertThat(MatrixBench.programs(List.of(cell("h1-hit-1k")), List.of(Peer.VARNISH)))
                .containsExactlyInAnyOrder(
                        PeerProgram.TASKSET,
                        PeerProgram.NGINX,
                        PeerProgram.OPENSSL,
                        PeerProgram.WRK,
                        PeerProgram.VARNISH);
        assertThat(MatrixBench.programs(List.of(cell("h2-hit-1k"), cell("h1-tunnel-1k")), List.of()))
                .contains(PeerProgram.H2LOAD)
                .doesNotContain(PeerProgram.WRK);
    }

    @Test
    void serverTakesPartAtThePortOfTheCell() {
        MeasuredServer server = new MeasuredServer("x", 1, false, 10, 20, 30);
        assertThat(server.contender(cell("h1-hit-1k")).url()).isEqualTo("http://127.0.0.1:10/hit/1k");
        assertThat(server.contender(cell("h2-miss-1m")).url()).isEqualTo("https://127.0.0.1:20/miss/1m");
        assertThat(server.contender(cell("h1-tunnel-1k")).url()).startsWith("http://127.0.0.1:30/");
        assertThat(server.contender(cell("tls-tunnel-1k")).url()).startsWith("https://127.0.0.1:20/");
        assertThat(server.contender(cell("h1-connection-1k")).closing()).isTrue();
        assertThat(server.contender(cell("tls-connection-1k")).shakesHands()).isTrue();
    }
}
