package io.weir.lab.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of cells: which there are, what each asks for, and who can do it. */
final class CellTest {
    private static Cell cell(String name) {
        List<Cell> found = CellNames.select(List.of(name));
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static List<String> names(String... patterns) {
        return CellNames.select(List.of(patterns)).stream().map(Cell::name).toList();
    }

    @Test
    void namesAreUnique() {
        assertThat(Cell.all().stream().map(Cell::name)).doesNotHaveDuplicates().hasSize(63);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1", "tls", "h2"})
    void eachProtocolHasEachKindAndSizeOfRequest(String protocol) {
        for (String work : List.of("hit", "miss", "range", "upload")) {
            assertThat(names(protocol + "-" + work + "-*"))
                    .contains(
                            protocol + "-" + work + "-1k",
                            protocol + "-" + work + "-13k",
                            protocol + "-" + work + "-1m");
        }
        assertThat(names(protocol + "-*-1k"))
                .contains(
                        protocol + "-conditional-1k",
                        protocol + "-connection-1k",
                        protocol + "-miss-fields-1k",
                        protocol + "-miss-chunked-1k",
                        protocol + "-miss-closed-1k");
    }

    @Test
    void tunnelsAndWebSocketsAreMeasuredInHttp1() {
        assertThat(names("*-tunnel-*", "*-websocket-*")).hasSize(12).noneMatch(n -> n.startsWith("h2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h1-hit-1k | NGINX, HAPROXY, VARNISH, SQUID, TRAFFICSERVER",
                "tls-hit-1k | NGINX, HAPROXY, TRAFFICSERVER",
                "h2-upload-1m | NGINX, HAPROXY, TRAFFICSERVER",
                "h1-range-13k | NGINX, VARNISH, SQUID, TRAFFICSERVER",
                "h2-range-13k | NGINX, TRAFFICSERVER",
                "h1-tunnel-1k | SQUID, TRAFFICSERVER",
                "tls-tunnel-1k | TRAFFICSERVER",
                "h1-websocket-1m | NGINX, HAPROXY, VARNISH, TRAFFICSERVER",
                "tls-websocket-1m | NGINX, HAPROXY, TRAFFICSERVER"
            })
    void peersAreThoseThatCanDoIt(String name, String peers) {
        assertThat(cell(name).peers().stream().map(Peer::name)).containsExactly(peers.split(", ", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "h1-hit-1k, /hit/1k, NONE, WRK, ANSWER, 200, 0.8",
        "h2-hit-1m, /hit/1m, NONE, H2LOAD, HTTP2, 200, 0.8",
        "h1-miss-13k, /miss/13k, ALL, WRK, RELAY, 200, 1.0",
        "h2-miss-chunked-1k, /chunked/1k, ALL, H2LOAD, HTTP2, 200, 1.0",
        "tls-miss-closed-1k, /closed/1k, ALL, WRK, , 200, 1.0",
        "h2-miss-closed-1k, /closed/1k, ALL, H2LOAD, HTTP2, 200, 1.0",
        "tls-miss-fields-1k, /fields/1k, ALL, WRK, RELAY, 200, 1.0",
        "h1-conditional-1k, /hit/1k, NONE, H1LOAD, , 304, 1.0",
        "h2-conditional-1k, /hit/1k, NONE, H2LOAD, , 304, 1.0",
        "h2-range-1k, /hit/twice-1k, NONE, H2LOAD, , 206, 1.0",
        "tls-upload-1k, /upload/, ALL, WRK, , 200, 1.0",
        "h1-tunnel-1k, /, ALL, ECHO, RELAY, 200, 1.0",
        "tls-websocket-1k, /ws/, ALL, ECHO, RELAY, 200, 1.0",
        "h1-connection-1k, /hit/1k, NONE, WRK, , 200, 1.0",
        "tls-connection-1k, /hit/1k, NONE, HANDSHAKES, , 200, 1.0",
        "h2-connection-1k, /hit/1k, NONE, H2_CONNECTIONS, , 200, 1.0",
    })
    void cellIsWhatItsNameSays(
            String name, String path, Reaching reaching, Generator load, Floor floor, int status, double target) {
        Cell cell = cell(name);
        assertThat(cell.path()).isEqualTo(path);
        assertThat(cell.reaching()).isEqualTo(reaching);
        assertThat(cell.generator()).isEqualTo(load);
        assertThat(cell.floor().orElse(null)).isEqualTo(floor);
        assertThat(cell.status()).isEqualTo(status);
        assertThat(cell.target()).isEqualTo(target);
    }

    @Test
    void onlyHitsHaveATargetOfTheirFloor() {
        assertThat(cell("tls-hit-13k").floorTargets()).containsExactly(1.15);
        assertThat(Cell.all().stream()
                        .filter(c -> !c.floorTargets().isEmpty())
                        .map(Cell::work)
                        .distinct())
                .containsExactly(CellWork.HIT);
    }

    @ParameterizedTest
    @EnumSource(Size.class)
    void rangeIsAPartInTheMiddleOfAnObjectTwiceAsLong(Size size) {
        String range = String.valueOf(
                new Cell(CellProtocol.H1, CellWork.RANGE, size).fields().get("Range"));
        String[] ends = range.replace("bytes=", "").split("-", -1);
        long first = Long.parseLong(ends[0]);
        long last = Long.parseLong(ends[1]);
        assertThat(last - first + 1).isEqualTo(size.bytes());
        assertThat(first).isPositive();
        assertThat(last).isLessThan(2L * size.bytes() - 1);
    }

    @Test
    void patternsSelectInTheOrderOfTheMatrixAndEachOnce() {
        assertThat(names("h2-hit-1k", "h1-hit-*", "h1-hit-1k"))
                .containsExactly("h1-hit-1k", "h1-hit-13k", "h1-hit-1m", "h2-hit-1k");
        assertThat(CellNames.select(List.of("*"))).isEqualTo(Cell.all());
        assertThat(names("*-conditional-*"))
                .containsExactly("h1-conditional-1k", "tls-conditional-1k", "h2-conditional-1k");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hit", "h1", "h1-hit-2k", "h1.hit-1k", "H1-*", "h2-tunnel-1k", "*-hits-*"})
    void patternThatMatchesNothingIsAnErrorThatTellsTheNames(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CellNames.select(List.of("h1-*", pattern)))
                .withMessageContaining("no cell is named `" + pattern + "`")
                .withMessageContaining("h1, tls, h2")
                .withMessageContaining("miss-chunked")
                .withMessageContaining("1k, 13k, 1m");
    }

    @Test
    void hitsMayNotReachTheOriginAndMissesMust() {
        assertThat(Reaching.NONE.holds(0.001)).isTrue();
        assertThat(Reaching.NONE.holds(0.01)).isFalse();
        assertThat(Reaching.ALL.holds(1)).isTrue();
        assertThat(Reaching.ALL.holds(0.98)).isFalse();
    }
}
