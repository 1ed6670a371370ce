package io.weir.proxy.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.ConfigBinder;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.StatSpec;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.work.WorkStats;
import io.weir.proxy.accesslog.AccessLogConfig;
import io.weir.proxy.accesslog.AccessLogStats;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.function.Stage;
import io.weir.proxy.http2.Http2Stats;
import io.weir.proxy.pool.OriginStats;
import io.weir.proxy.program.config.ForwardedMode;
import io.weir.proxy.program.config.ProxyConfig;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramObject;
import io.weir.proxy.program.run.ProxyStats;
import io.weir.proxy.qos.QosStats;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyConfigTest {
    private static final List<KnobSpec> KNOBS =
            KnobCatalogue.of(ProxyConfig.class).knobs();

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        ProxyConfig config = ConfigBinder.defaults(ProxyConfig.class);
        assertThat(config.routes()).isEmpty();
        assertThat(config.timeOuts().connect()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.limits().requestLine().bytes()).isEqualTo(8192);
        assertThat(config.retries()).isEqualTo(1);
        assertThat(config.forwarded()).isEqualTo(ForwardedMode.X_FORWARDED);
        assertThat(config.accessLog().format()).isEqualTo(AccessLogConfig.Style.OFF);
        assertThat(config.destinations().clients()).containsExactly("127.0.0.0/8", "::1/128");
        assertThat(config.destinations().loopbackForLoopback()).isTrue();
    }

    @Test
    void countersToWatchExist() {
        Set<String> counters = Stream.of(
                        ProxyStats.ALL,
                        AccessLogStats.ALL,
                        QosStats.ALL,
                        EngineStats.ALL,
                        KernelStats.ALL,
                        WorkStats.ALL,
                        OriginStats.ALL,
                        CacheStats.ALL,
                        DiskStats.ALL,
                        Http2Stats.ALL)
                .flatMap(List::stream)
                .map(StatSpec::exposedName)
                .collect(Collectors.toSet());
        for (KnobSpec knob : KNOBS) {
            assertThat(counters).as(knob.key()).containsAll(List.of(knob.knob().watch()));
        }
    }

    @Test
    void everyKnobIsDocumentedAndTheSeedsNamesAreKept() {
        assertThat(KNOBS).allSatisfy(k -> assertThat(k.knob().doc()).as(k.key()).endsWith("."));
        assertThat(KNOBS.stream().map(k -> k.knob().knownAs()))
                .contains(
                        "MaxRqHeaders",
                        "HeaderBufferSize",
                        "init-proxy timeout",
                        "init-proxy timeout-2",
                        "http-client-config connect-timeout",
                        "MaxConnectionsPerServer",
                        "MaxIdleServerConnections",
                        "MaxServers",
                        "LogFlushInterval");
    }

    @ParameterizedTest
    @CsvSource({
        "retries, 101",
        "retries, -1",
        "restarts, 101",
        "via-pseudonym, ''",
        "drain-after-error, 17MiB",
        "forwarded, xforwarded",
    })
    void valuesOutOfRangeAreRefused(String key, String value) {
        assertThatThrownBy(() -> new Bench().set(key, value).config()).hasMessageContaining(key);
    }

    @ParameterizedTest
    @CsvSource({
        "limits, request-line, 511",
        "limits, request-line, 65KiB",
        "limits, request-headers, 513",
        "limits, request-headers, 0",
        "time-outs, connect, 99ms",
        "time-outs, response-header, 2h",
        "origin-pool, max-connections-per-origin, 0",
        "origin-pool, max-idle, 65537",
        "access-log, buffer-size, 4095",
        "access-log, record-size, 511",
        "access-log, flush-interval, 9ms",
    })
    void sectionsHaveBoundsToo(String section, String key, String value) {
        assertThatThrownBy(() -> new Bench().set(section, Bench.map(key, value)).config())
                .hasMessageContaining(section + "." + key)
                .hasMessageContaining("allowed range");
    }

    @Test
    void formatOfTheAccessLogIsCheckedWithTheRoutes() {
        Bench bench = new Bench()
                .set("access-log", Bench.map("format", "custom", "custom", "%Ses->client.pi%"))
                .set("trusted-proxies", List.of("here"));
        assertThat(bench.problems())
                .extracting(p -> p.key())
                .containsExactlyInAnyOrder("proxy.access-log.custom", "proxy.trusted-proxies");
    }

    @Test
    void accessLogIsADirectiveOfTheProgram() {
        Bench common = new Bench().set("access-log", Bench.map("format", "common"));
        Bench custom = new Bench().set("access-log", Bench.map("format", "extended-2"));
        assertThat(functions(common)).containsExactly("common-log");
        assertThat(functions(custom)).containsExactly("flex-log");
        assertThat(functions(new Bench())).isEmpty();
    }

    private static List<String> functions(Bench bench) {
        ProgramObject start = java.util.Objects.requireNonNull(bench.program().object(Program.DEFAULT_OBJECT));
        return start.directives(Stage.ADD_LOG).stream()
                .map(d -> d.function().name())
                .toList();
    }
}
