package io.weir.server.facts;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.tls.CertificateOwner;
import io.weir.kernel.tls.CertificateReport;
import io.weir.proxy.context.EngineStats;
import io.weir.server.figures.tls.TlsFigures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The figures of TLS for the monitoring views, from the registry. Immutable; made for each reading. */
public record TlsFacts(Kernel kernel, Stats stats) {
    private static final String ORIGINS = "proxy.origin-tls";

    public List<TlsFigures> figures() {
        List<TlsFigures> all = new ArrayList<>();
        Set<String> listeners = new HashSet<>();
        for (Listener l : kernel.listeners()) {
            listeners.add(l.name());
            if (l.secure()) {
                all.add(listener(l));
            }
        }
        List<CertificateOwner> origins = kernel.certificateOwners().stream()
                .filter(o -> !listeners.contains(o.owner()))
                .toList();
        if (!origins.isEmpty()) {
            all.add(origins(origins));
        }
        return all;
    }

    private TlsFigures listener(Listener l) {
        String name = l.name();
        List<TlsFigures.Count> counts = new ArrayList<>();
        counts.addAll(counts(TlsFigures.Kind.PROTOCOL, KernelStats.TLS_HANDSHAKES, 1, name));
        counts.addAll(counts(TlsFigures.Kind.CIPHER, KernelStats.TLS_CIPHERS, 1, name));
        counts.addAll(counts(TlsFigures.Kind.FAILURE, KernelStats.TLS_FAILURES, 1, name));
        return new TlsFigures(
                name,
                sum(counts, TlsFigures.Kind.PROTOCOL),
                stats.value(KernelStats.TLS_RESUMED, name),
                stats.value(KernelStats.TLS_OPEN, name),
                stats.value(KernelStats.TLS_REFUSED, name),
                sum(counts, TlsFigures.Kind.FAILURE),
                stats.value(KernelStats.TLS_RELOADS, name, "done"),
                stats.value(KernelStats.TLS_RELOADS, name, "failed"),
                counts,
                certificates(l.certificates()));
    }

    private TlsFigures origins(List<CertificateOwner> owners) {
        List<TlsFigures.Count> counts = new ArrayList<>();
        counts.addAll(counts(TlsFigures.Kind.PROTOCOL, EngineStats.ORIGIN_TLS_CIPHERS, 0));
        counts.addAll(counts(TlsFigures.Kind.CIPHER, EngineStats.ORIGIN_TLS_CIPHERS, 1));
        counts.addAll(counts(TlsFigures.Kind.FAILURE, EngineStats.ORIGIN_TLS_FAILURES, 0));
        Map<String, CertificateReport> shown = new LinkedHashMap<>();
        long reloads = 0;
        long failed = 0;
        for (CertificateOwner o : owners) {
            o.certificates().forEach(c -> shown.put(c.place(), c));
            reloads += stats.value(KernelStats.TLS_RELOADS, o.owner(), "done");
            failed += stats.value(KernelStats.TLS_RELOADS, o.owner(), "failed");
        }
        return new TlsFigures(
                ORIGINS,
                stats.value(EngineStats.ORIGIN_TLS_HANDSHAKES),
                stats.value(EngineStats.ORIGIN_TLS_RESUMED),
                0,
                0,
                sum(counts, TlsFigures.Kind.FAILURE),
                reloads,
                failed,
                counts,
                certificates(List.copyOf(shown.values())));
    }

    /** The children of a statistic with these first labels, summed by one of the others. */
    private List<TlsFigures.Count> counts(TlsFigures.Kind kind, StatSpec spec, int by, String... first) {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (Stats.Sample s : stats.samples()) {
            if (s.spec().name().equals(spec.name())
                    && s.labels().subList(0, first.length).equals(List.of(first))) {
                sums.merge(s.labels().get(by), s.value(), Long::sum);
            }
        }
        return sums.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .map(e -> new TlsFigures.Count(kind, e.getKey(), e.getValue()))
                .toList();
    }

    private static long sum(List<TlsFigures.Count> counts, TlsFigures.Kind kind) {
        return counts.stream()
                .filter(c -> c.kind() == kind)
                .mapToLong(TlsFigures.Count::handshakes)
                .sum();
    }

    private static List<TlsFigures.Certificate> certificates(List<CertificateReport> reports) {
        return reports.stream()
                .map(c -> new TlsFigures.Certificate(
                        c.place(),
                        c.names(),
                        c.key(),
                        c.notAfter(),
                        c.stapling().word()))
                .toList();
    }
}
