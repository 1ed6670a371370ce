package io.weir.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Knob;
import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.StatSpec;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.OriginTlsConfig;
import io.weir.kernel.tls.TlsConfig;
import io.weir.kernel.work.ConstraintsConfig;
import io.weir.kernel.work.RequestClassConfig;
import io.weir.kernel.work.WorkManagerConfig;
import io.weir.kernel.work.WorkStats;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeclarationsTest {
    /** Counted by the protocol that speaks HTTP on the kernel's connections, and by the server that watches its threads. */
    private static final Set<String> OF_OTHERS = Set.of(
            "weir_muxers_hanging",
            "weir_header_timeouts_total",
            "weir_body_timeouts_total",
            "weir_body_rate_timeouts_total",
            "weir_http_read_stops_total",
            "weir_http2_connections_total",
            "weir_proxy_origin_tls_failures_total",
            "weir_proxy_origin_tls_handshakes_total",
            "weir_proxy_origin_tls_resumed_total",
            "weir_qos_paced_connections",
            "weir_qos_pauses_total",
            "weir_qos_refused_total",
            "weir_http_received_bytes_total",
            "weir_http_sent_bytes_total",
            "weir_proxy_origin_failures_total");

    @ParameterizedTest
    @ValueSource(
            classes = {
                KernelConfig.class,
                ListenerConfig.class,
                WorkManagerConfig.class,
                RequestClassConfig.class,
                ConstraintsConfig.class,
                TlsConfig.class,
                OriginTlsConfig.class
            })
    void everyKnobHasADocAndItsCountersExist(Class<? extends Record> section) {
        Set<String> counters = Stream.concat(KernelStats.ALL.stream(), WorkStats.ALL.stream())
                .map(StatSpec::exposedName)
                .collect(Collectors.toSet());
        counters.addAll(OF_OTHERS);
        for (KnobSpec spec : KnobCatalogue.of(section).knobs()) {
            Knob knob = spec.knob();
            assertThat(knob.doc()).as(spec.key()).isNotBlank();
            assertThat(counters).as(spec.key()).containsAll(Arrays.asList(knob.watch()));
        }
        assertThat(Configs.bind(section)).isNotNull();
    }

    @Test
    void everyStatisticIsInTheListOnce() throws IllegalAccessException {
        inTheListOnce(KernelStats.class, KernelStats.ALL);
        inTheListOnce(WorkStats.class, WorkStats.ALL);
    }

    private static void inTheListOnce(Class<?> where, List<StatSpec> all) throws IllegalAccessException {
        List<StatSpec> declared = new ArrayList<>();
        for (var field : where.getDeclaredFields()) {
            if (field.getType() == StatSpec.class && Modifier.isStatic(field.getModifiers())) {
                declared.add((StatSpec) field.get(null));
            }
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(declared);
        assertThat(all).extracting(StatSpec::name).doesNotHaveDuplicates();
    }

    @Test
    void messagesHaveNumbersOfTheirOwnAndWarningsARemedy() {
        assertThat(KernelMessages.values()).extracting(KernelMessages::id).doesNotHaveDuplicates();
        for (KernelMessages m : KernelMessages.values()) {
            if (m.severity().compareTo(io.weir.base.Severity.WARNING) <= 0) {
                assertThat(m.remedy()).as(m.name()).isNotBlank();
            }
        }
        assertThat(KernelMessages.MUXER_FALLBACK.id()).isEqualTo(438);
    }

    @Test
    void theNativeJarsOfBothArchitecturesAreDeclared() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        for (String artifact : List.of(
                "netty-transport-native-epoll", "netty-transport-native-io_uring", "netty-tcnative-boringssl-static")) {
            for (String classifier : List.of("linux-x86_64", "linux-aarch_64")) {
                assertThat(pom)
                        .contains(
                                "<artifactId>" + artifact + "</artifactId><classifier>" + classifier + "</classifier>");
            }
        }
    }
}
