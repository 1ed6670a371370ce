package io.weir.lab.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.scenario.Weir;
import io.weir.lab.slow.SlowPorts;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigsTest {
    private static PeerConfigs.Plan plan(boolean cache) {
        return new PeerConfigs.Plan(Path.of("/tmp/bench"), 1001, 1002, cache, 64, null, false);
    }

    @ParameterizedTest
    @EnumSource
    void everyPeerListensAndFetchesWhereItIsToldTo(Peer peer) throws Exception {
        String text = PeerConfigs.text(peer, plan(true));
        assertThat(text).contains("1002");
        // Varnish is told its own by the command line
        if (peer != Peer.VARNISH) {
            assertThat(text).contains("1001");
        }
    }

    @ParameterizedTest
    @EnumSource
    void cachesOnADiskHaveTheirRoom(Peer peer) throws Exception {
        DiskConfigs.Plan plan =
                new DiskConfigs.Plan(Path.of("/tmp/bench"), 1001, 1002, 77 << 20, 1L << 30, 8000, true, true);
        String text = DiskConfigs.text(peer, plan);
        assertThat(text).contains("1002");
        if (peer == Peer.NGINX || peer == Peer.SQUID) {
            assertThat(text).contains("1024");
        }
        if (peer == Peer.HAPROXY || peer == Peer.SQUID) {
            assertThat(text).contains("77");
        }
        assertThat(DiskConfigs.first(peer, "program", plan)).hasSize(peer == Peer.SQUID ? 1 : 0);
        assertThat(DiskConfigs.text(Peer.TRAFFICSERVER, plan))
                .as("its directory is on the disk soon after the last object")
                .contains("proxy.config.cache.dir.sync_frequency INT 1\n");
        assertThat(DiskConfigs.text(Peer.SQUID, plan)).contains("cache_dir aufs /tmp/bench/cache 1024");
    }

    @Test
    void cachesAreOnOrOff() {
        assertThat(PeerConfigs.text(Peer.NGINX, plan(true))).contains("proxy_cache c;");
        assertThat(PeerConfigs.text(Peer.NGINX, plan(false))).doesNotContain("proxy_cache");
        assertThat(PeerConfigs.text(Peer.HAPROXY, plan(true))).contains("cache-use", "cache-store");
        assertThat(PeerConfigs.text(Peer.HAPROXY, plan(false))).doesNotContain("cache-use", "cache-store");
        assertThat(PeerConfigs.text(Peer.VARNISH, plan(true))).contains("return (hash)");
        assertThat(PeerConfigs.text(Peer.VARNISH, plan(false))).contains("return (pass)");
        assertThat(PeerConfigs.text(Peer.SQUID, plan(true))).contains("cache allow all");
        assertThat(PeerConfigs.text(Peer.SQUID, plan(false))).contains("cache deny all");
        assertThat(WeirConfigs.plain(1002, true)).contains("cache: {enabled: on}");
        assertThat(WeirConfigs.plain(1002, false)).contains("cache: {enabled: off}");
    }

    @Test
    void whereTlsIsMeasuredAllShowACertificate() {
        PeerConfigs.Plan secure =
                new PeerConfigs.Plan(Path.of("/tmp/bench"), 1001, 1002, true, 64, Path.of("/keys"), false);
        assertThat(PeerConfigs.text(Peer.NGINX, secure))
                .contains("backlog=4096 ssl;", "ssl_certificate /keys/cert.pem");
        assertThat(PeerConfigs.text(Peer.HAPROXY, secure)).contains("ssl crt /keys/both.pem\n");
        assertThat(WeirConfigs.secure(1002, true, Path.of("/keys")))
                .contains(
                        "backlog: 4096, tls: {certificates: [{chain-file: /keys/cert.pem, key-file: /keys/key.pem}]}}");
    }

    @Test
    void whereHttp2IsMeasuredPeersAgreeOnIt() {
        PeerConfigs.Plan plan =
                new PeerConfigs.Plan(Path.of("/tmp/bench"), 1001, 1002, false, 64, Path.of("/keys"), true);
        assertThat(PeerConfigs.text(Peer.NGINX, plan)).contains("backlog=4096 ssl http2;");
        assertThat(PeerConfigs.text(Peer.HAPROXY, plan)).contains("ssl crt /keys/both.pem alpn h2,http/1.1\n");
        assertThat(WeirConfigs.secure(1002, false, Path.of("/keys"))).contains("cache: {enabled: off}", "tls: {");
    }

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY"})
    void whereSlowClientsComeAllPortsAreOpen(Peer peer) {
        HostileConfigs.Plan plan = new HostileConfigs.Plan(
                Path.of("/tmp/bench"), SlowPorts.http(1001, 1003, 1004), 1002, 1005, Path.of("/keys"));
        assertThat(HostileConfigs.text(peer, plan))
                .contains(
                        "127.0.0.1:1001",
                        "127.0.0.1:1002",
                        "127.0.0.1:1003",
                        "127.0.0.1:1004",
                        "127.0.0.1:1005",
                        "8192")
                .contains(peer == Peer.NGINX ? "/keys/cert.pem" : "/keys/both.pem");
        assertThat(HostileConfigs.weir(1002, 1005, Path.of("/keys")))
                .contains(
                        "http://127.0.0.1:1002",
                        "http://127.0.0.1:1005",
                        "chain-file: /keys/cert.pem",
                        "protocol: weir");
    }

    @Test
    void accessLogsAreOff() {
        assertThat(PeerConfigs.text(Peer.NGINX, plan(true))).contains("access_log off;");
        assertThat(PeerConfigs.text(Peer.SQUID, plan(true))).contains("access_log none");
        assertThat(PeerConfigs.text(Peer.HAPROXY, plan(true))).doesNotContain("  log ");
        assertThat(WeirConfigs.plain(1002, true)).contains("format: off");
    }

    @Test
    void whereMessagesWaitThereIsAListenerForThem() {
        assertThat(WeirConfigs.withMessages(1002))
                .containsSubsequence(
                        "listeners:\n  http: {",
                        "\n  messaging: {protocol: weir, address: 127.0.0.1, port: 0}\nadmin:",
                        "http://127.0.0.1:1002",
                        "\nmessaging:\n  queues:",
                        "jndi-name: OneWay");
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100, 10_000})
    void ruleCasesAskForRulesThatExist(int rules) {
        String config = WeirConfigs.rules(1002, rules);
        assertThat(config.lines().filter(l -> l.contains("path-match")).count()).isEqualTo(rules);
        for (RuleCase each : RuleCase.values()) {
            String rule = "\"" + each.path(rules) + "/";
            switch (each) {
                case NONE -> assertThat(config).doesNotContain(rule);
                case REGEX -> assertThat(config).contains(rule + ".*\", path-match: regex");
                case FIRST, MIDDLE, LAST -> assertThat(config).contains(rule + "*\", path-match: wildcard");
            }
        }
    }

    @Tag("nightly")
    @Test
    void weirTakesItsConfigurations(@org.junit.jupiter.api.io.TempDir Path folder) throws Exception {
        takes(folder, "rules", WeirConfigs.rules(1002, 20));
        takes(folder, "messages", WeirConfigs.withMessages(1002));
    }

    private static void takes(Path folder, String name, String config) throws Exception {
        Path file = java.nio.file.Files.writeString(folder.resolve(name + ".yaml"), config);
        try (Weir weir = io.weir.lab.process.Servers.launcher()
                .withPrefix(java.util.List.of("env"))
                .start(file, folder.resolve(name), java.util.List.of())) {
            assertThat(weir.port("http")).isPositive();
        }
    }
}
