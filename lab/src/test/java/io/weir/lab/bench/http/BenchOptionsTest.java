package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.lab.bench.BenchCommand;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Scenario;
import io.weir.lab.bench.peer.Size;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {
    private static BenchOptions parse(String line) throws OptionError {
        return BenchOptions.parse(List.of(line.split(" ")));
    }

    @Test
    void defaultIsTenRoundsOfSmallHitsAgainstAllPeers() throws OptionError {
        assertThat(parse("http"))
                .isEqualTo(new BenchOptions(10, 3, Size.ONE, Scenario.HITS, List.of(Peer.values()), 0, false, 1));
    }

    @Test
    void everyOptionIsRead() throws OptionError {
        assertThat(
                        parse(
                                "http --rounds 2 --seconds 1 --size 13k --scenario latency --rate 500 --peers squid,nginx --install --seed 9"))
                .isEqualTo(new BenchOptions(
                        2, 1, Size.THIRTEEN, Scenario.LATENCY, List.of(Peer.NGINX, Peer.SQUID), 500, true, 9));
    }

    @Test
    void idleHasFewerRounds() throws OptionError {
        assertThat(parse("http --scenario idle").rounds()).isEqualTo(6);
        assertThat(parse("http --scenario idle --rounds 2").rounds()).isEqualTo(2);
    }

    @Test
    void hostileHasFewerRoundsThatAreLonger() throws OptionError {
        assertThat(parse("http --scenario hostile"))
                .isEqualTo(new BenchOptions(
                        6, 10, Size.ONE, Scenario.HOSTILE, List.of(Peer.NGINX, Peer.HAPROXY), 0, false, 1));
        assertThat(parse("http --scenario hostile --seconds 3 --rate 200").rate())
                .isEqualTo(200);
    }

    @Test
    void peersAreThoseThatCanTakePart() throws OptionError {
        assertThat(parse("http --scenario tls").peers()).containsExactly(Peer.NGINX, Peer.HAPROXY);
        assertThat(parse("http --scenario routes").peers()).isEmpty();
    }

    @Test
    void peersMayBeNone() throws OptionError {
        assertThat(parse("http --peers none").peers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jms | unknown benchmark: jms",
                "http --rounds | --rounds takes a value",
                "http --rounds 0 | --rounds takes 1 to 1000, not 0",
                "http --rounds 1001 | --rounds takes 1 to 1000, not 1001",
                "http --rounds many | whole number, not `many`",
                "http --seconds 601 | --seconds takes 1 to 600",
                "http --size 2k | --size takes 1k or 13k, not `2k`",
                "http --scenario hit | unknown scenario: hit; there are hits, misses, tls, handshakes, connections,",
                "http --peers apache | unknown peer: `apache`; there are nginx, haproxy, varnish, squid, trafficserver",
                "http --peers nginx, | unknown peer: ``",
                "http --scenario tls --peers varnish | scenario tls takes of the peers nginx, haproxy",
                "http --rate 500 | --rate is for the scenarios latency, latency-misses and hostile",
                "http --scenario hostile --peers squid | scenario hostile takes of the peers nginx, haproxy",
                "http --scenario latency --rate 0 | --rate takes 1 to 1000000, not 0",
                "http --turbo | unknown option: --turbo"
            })
    void errorsNameTheOptionAndWhatItTakes(String line, String message) {
        assertThatExceptionOfType(OptionError.class)
                .isThrownBy(() -> parse(line))
                .withMessageContaining(message);
    }

    @Test
    void misuseIsStatusTwoWithTheUsage() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = BenchCommand.run(List.of("http", "--turbo"), print(new ByteArrayOutputStream()), print(err));
        assertThat(status).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("unknown option: --turbo", "usage: weir bench http");
    }

    @Test
    void withoutTheLauncherItSaysHowItIsRun() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = BenchCommand.run(List.of("http"), print(new ByteArrayOutputStream()), print(err));
        assertThat(status).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("./weir bench");
    }

    @Test
    void helpIsNoError() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(BenchCommand.run(List.of("http", "--help"), print(out), print(out)))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--scenario");
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }
}
