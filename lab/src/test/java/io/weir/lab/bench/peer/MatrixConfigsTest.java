package io.weir.lab.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One instance of each server has all cells' ports, a cache that the origin's answers decide on, and ways to the echo. */
class MatrixConfigsTest {
    private static final MatrixConfigs.Plan PLAN = new MatrixConfigs.Plan(
            Path.of("/tmp/bench"), new MatrixPorts(1001, 1003, 1004), 1002, 1005, Path.of("/keys"));

    @ParameterizedTest
    @EnumSource
    void everyPeerFetchesWhereItIsToldToAndCaches(Peer peer) {
        String text = MatrixConfigs.text(peer, PLAN);
        assertThat(text).contains("1002");
        assertThat(text).doesNotContain("cache deny", "return (pass);\n  }\n}");
        // Varnish is told its own by the command line
        if (peer != Peer.VARNISH) {
            assertThat(text).contains("1001");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY", "TRAFFICSERVER"})
    void thoseWithTlsOpenAPortForIt(Peer peer) {
        assertThat(MatrixConfigs.text(peer, PLAN)).contains("1003", "/keys");
    }

    @Test
    void http2IsOfferedUnderTls() {
        assertThat(MatrixConfigs.text(Peer.NGINX, PLAN)).contains("listen 127.0.0.1:1003 backlog=4096 ssl http2;");
        assertThat(MatrixConfigs.text(Peer.HAPROXY, PLAN)).contains("ssl crt /keys/both.pem alpn h2,http/1.1");
        assertThat(MatrixConfigs.text(Peer.TRAFFICSERVER, PLAN)).contains("1003:ssl:ip-in=127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY", "VARNISH"})
    void webSocketsGoToTheEcho(Peer peer) {
        assertThat(MatrixConfigs.text(peer, PLAN)).contains("1005");
    }

    @Test
    void tunnelsMayReachTheEchoAndNothingElse() {
        assertThat(MatrixConfigs.text(Peer.TRAFFICSERVER, PLAN)).contains("connect_ports STRING 1005");
        assertThat(MatrixConfigs.text(Peer.SQUID, PLAN)).contains("http_port 127.0.0.1:1004\n");
        assertThat(MatrixConfigs.weir(1002, 1005, Path.of("/keys")))
                .contains("connect: {enabled: on, ports: [\"1005\"]}", "path: /ws/");
    }

    @Test
    void trafficServersRulesAreForItsOwnPortsOnly() {
        assertThat(MatrixConfigs.remap(PLAN).lines())
                .containsExactly(
                        "map ws://127.0.0.1:1001/ws/ ws://127.0.0.1:1005/ws/",
                        "map wss://127.0.0.1:1003/ws/ ws://127.0.0.1:1005/ws/",
                        "map http://127.0.0.1:1001/ http://127.0.0.1:1002/",
                        "map https://127.0.0.1:1003/ http://127.0.0.1:1002/");
    }

    @Test
    void trafficServersFilesAreWritten(@TempDir Path folder) throws Exception {
        MatrixConfigs.Plan plan =
                new MatrixConfigs.Plan(folder, new MatrixPorts(1001, 1003, 1004), 1002, 1005, Path.of("/keys"));
        List<String> command = MatrixConfigs.prepare(Peer.TRAFFICSERVER, "traffic_server", plan);
        assertThat(command).containsExactly("env", "TS_RUNROOT=" + folder.resolve("runroot.yaml"), "traffic_server");
        assertThat(folder.resolve("etc/ssl_multicert.config")).content().contains("ssl_cert_name=cert.pem");
        assertThat(folder.resolve("etc/remap.config")).content().contains("https://127.0.0.1:1003/");
    }

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY", "VARNISH", "SQUID"})
    void commandNamesTheFileThatWasWritten(Peer peer, @TempDir Path folder) throws Exception {
        MatrixConfigs.Plan plan =
                new MatrixConfigs.Plan(folder, new MatrixPorts(1001, 1003, 1004), 1002, 1005, Path.of("/keys"));
        List<String> command = MatrixConfigs.prepare(peer, "program", plan);
        assertThat(command.stream().filter(w -> w.startsWith(folder.toString())).map(Path::of))
                .anySatisfy(f -> assertThat(Files.isRegularFile(f)).isTrue());
    }

    @Test
    void originDecidesWhatIsStoredAndHasEachShape() {
        String text = MatrixConfigs.origin(Path.of("/tmp/bench"), 1002);
        assertThat(text).contains("listen 127.0.0.1:1002", "location = /status { stub_status; }");
        assertThat(location(text, "/hit/")).contains("max-age=").doesNotContain("no-store");
        for (String path : List.of("/miss/", "/fields/", "/chunked/", "/closed/", "= /received")) {
            assertThat(location(text, path)).contains("no-store").doesNotContain("Cache-Control \"max-age");
        }
        assertThat(location(text, "/fields/").lines().filter(l -> l.contains("add_header")))
                .hasSizeGreaterThan(20);
        assertThat(location(text, "/chunked/")).contains("sub_filter").doesNotContain("chunked_transfer_encoding");
        assertThat(location(text, "/closed/")).contains("sub_filter", "chunked_transfer_encoding off;");
        assertThat(location(text, "= /upload/")).contains("mirror", "client_max_body_size 0;");
    }

    private static String location(String text, String path) {
        int begin = text.indexOf("location " + path + " {");
        assertThat(begin).as(path).isNotNegative();
        return text.substring(begin, text.indexOf("\n    }\n", begin));
    }

    @Test
    void noAccessLogs() {
        assertThat(MatrixConfigs.text(Peer.NGINX, PLAN)).contains("access_log off;");
        assertThat(MatrixConfigs.text(Peer.SQUID, PLAN)).contains("access_log none");
        assertThat(MatrixConfigs.text(Peer.HAPROXY, PLAN)).doesNotContain("  log ");
        assertThat(MatrixConfigs.text(Peer.TRAFFICSERVER, PLAN)).contains("logging_enabled INT 0");
        assertThat(MatrixConfigs.weir(1002, 1005, Path.of("/keys"))).contains("format: off");
    }
}
