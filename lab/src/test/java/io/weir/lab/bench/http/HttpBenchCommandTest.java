package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.BenchLine;
import io.weir.lab.bench.cell.Cell;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpBenchCommandTest {
    @Test
    void defaultIsTenRoundsOfSmallHitsAgainstAllPeers() {
        assertThat(BenchLine.http(""))
                .isEqualTo(new BenchOptions(
                        10, 3, Size.ONE, HttpScenario.HITS, List.of(Peer.values()), 0, false, 1, null, null));
    }

    @Test
    void everyOptionIsRead() {
        assertThat(
                        BenchLine.http(
                                " --rounds 2 --seconds 1 --size 13k --scenario latency --rate 500 --peers squid,nginx --install --seed 9"))
                .isEqualTo(new BenchOptions(
                        2,
                        1,
                        Size.THIRTEEN,
                        HttpScenario.LATENCY,
                        List.of(Peer.NGINX, Peer.SQUID),
                        500,
                        true,
                        9,
                        null,
                        null));
        assertThat(BenchLine.http(" --install-peers").install()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void everyScenarioIsTakenByItsName(HttpScenario scenario) {
        assertThat(BenchLine.http(" --scenario " + scenario.key()).scenario()).isEqualTo(scenario);
    }

    @Test
    void idleHasFewerRounds() {
        assertThat(BenchLine.http(" --scenario idle").rounds()).isEqualTo(6);
        assertThat(BenchLine.http(" --scenario idle --rounds 2").rounds()).isEqualTo(2);
    }

    @Test
    void hostileHasFewerRoundsThatAreLonger() {
        assertThat(BenchLine.http(" --scenario hostile"))
                .isEqualTo(new BenchOptions(
                        6,
                        10,
                        Size.ONE,
                        HttpScenario.HOSTILE,
                        List.of(Peer.NGINX, Peer.HAPROXY),
                        0,
                        false,
                        1,
                        null,
                        null));
        assertThat(BenchLine.http(" --scenario hostile --seconds 3 --rate 200").rate())
                .isEqualTo(200);
    }

    @Test
    void collectorsHaveFewerRoundsAndNoPeers() {
        BenchOptions options = BenchLine.http(" --scenario collectors");
        assertThat(options.rounds()).isEqualTo(6);
        assertThat(options.peers()).isEmpty();
        assertThat(options.rate()).as("chosen by the scenario").isZero();
        assertThat(BenchLine.http(" --scenario collectors --rate 4000").rate()).isEqualTo(4000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"latency-h2", "latency-h2-misses"})
    void http2IsComparedWithPeersThatSpeakIt(String scenario) {
        BenchOptions options = BenchLine.http(" --scenario " + scenario + " --rate 700");
        assertThat(options.peers()).containsExactly(Peer.NGINX, Peer.HAPROXY);
        assertThat(options.rate()).isEqualTo(700);
        assertThat(options.scenario().http2()).isTrue();
        assertThat(options.scenario().caches()).isEqualTo(scenario.equals("latency-h2"));
    }

    @Test
    void peersAreThoseThatCanTakePart() {
        assertThat(BenchLine.http(" --scenario tls").peers()).containsExactly(Peer.NGINX, Peer.HAPROXY);
        assertThat(BenchLine.http(" --scenario routes").peers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hits", "misses", "tls", "handshakes"})
    void anotherBuildCanTakePart(String scenario) {
        assertThat(BenchLine.http(" --scenario " + scenario + " --against ../before")
                        .against())
                .isEqualTo(Path.of("../before"));
    }

    @Test
    void matrixHasAllCellsAndTheirPeers() {
        BenchOptions whole = BenchLine.http(" --matrix");
        assertThat(whole.rounds()).isEqualTo(10);
        assertThat(whole.peers()).containsExactly(Peer.values());
        assertThat(Objects.requireNonNull(whole.matrix()).cells()).isEqualTo(Cell.all());
        assertThat(whole.matrix().html()).endsWithRaw(Path.of("lab/target/bench/matrix.html"));
    }

    @Test
    void partOfTheMatrixHasOnlyThePeersOfItsCells() {
        BenchOptions part = BenchLine.http(
                " --matrix --cells h2-hit-1k,tls-tunnel-* --html x.html --rounds 6 --against ../before --seconds 1");
        assertThat(part.peers()).containsExactly(Peer.NGINX, Peer.HAPROXY, Peer.TRAFFICSERVER);
        assertThat(Objects.requireNonNull(part.matrix()).cells().stream().map(Cell::name))
                .containsExactly("tls-tunnel-1k", "tls-tunnel-13k", "tls-tunnel-1m", "h2-hit-1k");
        assertThat(part.matrix().html()).isEqualTo(Path.of("x.html"));
        assertThat(part.against()).isEqualTo(Path.of("../before"));
        assertThat(BenchLine.http(" --matrix --peers none").peers()).isEmpty();
    }

    @Test
    void peersMayBeNone() {
        assertThat(BenchLine.http(" --peers none").peers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds | option '--rounds' (N)",
                "--rounds 0 | --rounds takes 1 to 1000, not 0",
                "--rounds 1001 | --rounds takes 1 to 1000, not 1001",
                "--rounds many | option '--rounds': 'many' is not an int",
                "--seconds 0 | --seconds takes 1 to 600, not 0",
                "--seconds 601 | --seconds takes 1 to 600",
                "--size 2k | option '--size': `2k` is none of 1k, 13k",
                "--scenario hit | `hit` is none of hits, misses, tls, handshakes, connections,",
                "--scenario HITS | `HITS` is none of hits,",
                "--peers apache | `apache` is none of nginx, haproxy, varnish, squid, trafficserver",
                "--peers nginx, | `` is none of nginx,",
                "--scenario tls --peers varnish | scenario tls takes of the peers nginx, haproxy",
                "--scenario idle --against . | --against is for the scenarios hits, misses, tls and handshakes, and for --matrix",
                "--matrix --scenario hits | --matrix measures every kind and size: it excludes --scenario",
                "--matrix --size 1k | it excludes --size; choose a part of it with --cells",
                "--matrix --rate 5 | --rate is for the scenarios latency",
                "--matrix --cells h3-* | --cells: no cell is named `h3-*`; a name is protocol-work-size",
                "--matrix --cells h1-*, | --cells: no cell is named ``",
                "--matrix --cells h2-* --peers squid | these cells take of the peers nginx, haproxy, trafficserver",
                "--matrix --html . | --html takes a file, and . is a folder",
                "--cells h1-* | --cells is for --matrix",
                "--html page.html | --html is for --matrix",
                "--size 1m | option '--size': `1m` is none of 1k, 13k",
                "--rate 500 | --rate is for the scenarios latency, latency-misses, latency-h2, latency-h2-misses, collectors, hostile",
                "--scenario latency-h2 --peers varnish | scenario latency-h2 takes of the peers nginx, haproxy",
                "--scenario latency-h3 | `latency-h3` is none of hits, misses",
                "--scenario latency-h2 --against . | --against is for the scenarios hits, misses, tls and handshakes",
                "--scenario hostile --peers squid | scenario hostile takes of the peers nginx, haproxy",
                "--scenario latency --rate 0 | --rate takes 1 to 1000000, not 0",
                "--seed one | option '--seed': 'one' is not a long",
                "--seed 1 --seed 2 | option '--seed' (N) should be specified only once",
                "--turbo | unknown option: --turbo; there are --scenario, --size, --rounds, --seconds, --peers, --rate, --seed",
                "hits | Unmatched argument at index 1: 'hits'"
            })
    void errorsNameTheOptionAndWhatItTakes(String words, String message) {
        BenchLine line = BenchLine.of("http " + words);
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).startsWith("weir: ").contains(message, "Usage: weir bench http");
        assertThat(line.asks()).isFalse();
    }

    @Test
    void helpShowsEachOptionWithItsUnitAndDefault() {
        BenchLine line = BenchLine.of("http --help");
        assertThat(line.code()).isZero();
        assertThat(line.err()).isEmpty();
        assertThat(line.asks()).isFalse();
        assertThat(line.out().replaceAll("\\s+", " "))
                .contains("--scenario=SCENARIO what is measured: hits, misses, tls, ")
                .contains("hostile (default: hits)")
                .contains("body: 1k, 13k (default: 1k)")
                .contains("1 to 1000 (default: 10; of idle, collectors and hostile 6)")
                .contains("in seconds, 1 to 600 (default: 3; of hostile 10)")
                .contains("of nginx, haproxy, varnish, squid, trafficserver, or none (default: all")
                .contains("requests a second of the scenarios latency")
                .contains("whole number (default: 1)")
                .contains("--install-peers");
    }
}
