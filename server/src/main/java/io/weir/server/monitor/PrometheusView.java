package io.weir.server.monitor;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.weir.base.Histogram;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The registry in the formats of Prometheus, written by the Prometheus client library. Names are those of the
 * declarations; times are shown in seconds, under names with {@code _seconds}. Immutable but for the
 * registry.
 */
public final class PrometheusView {
    /** Loaded by the first exposition, not by the start. */
    private static final class Formats {
        static final ExpositionFormats ALL = ExpositionFormats.init();
    }

    /** An exposition with its type. */
    public record Exposition(String contentType, String text) {}

    private final Stats stats;
    private final @Nullable JvmMetrics jvm;

    /** The registry alone. */
    public PrometheusView(Stats stats) {
        this.stats = stats;
        this.jvm = null;
    }

    PrometheusView(Stats stats, JvmMetrics jvm) {
        this.stats = stats;
        this.jvm = jvm;
    }

    /** Whether the Accept field prefers OpenMetrics. */
    public static boolean isOpen(@Nullable String accept) {
        return accept != null && Formats.ALL.getOpenMetricsTextFormatWriter().accepts(accept);
    }

    /** The exposition in the format that the Accept field prefers: OpenMetrics, or text. */
    public Exposition write(@Nullable String accept) throws IOException {
        ExpositionFormats formats = Formats.ALL;
        boolean open = isOpen(accept);
        ExpositionFormatWriter writer =
                open ? formats.getOpenMetricsTextFormatWriter() : formats.getPrometheusTextFormatWriter();
        ByteArrayOutputStream out = new ByteArrayOutputStream(32 * 1024);
        writer.write(out, snapshots());
        return new Exposition(writer.getContentType(), out.toString(StandardCharsets.UTF_8));
    }

    private MetricSnapshots snapshots() {
        Map<String, List<Stats.Sample>> byName = new LinkedHashMap<>();
        for (Stats.Sample sample : stats.samples()) {
            byName.computeIfAbsent(sample.spec().name(), _ -> new ArrayList<>()).add(sample);
        }
        List<MetricSnapshot> all = new ArrayList<>();
        byName.forEach((name, samples) -> all.add(snapshot(samples.getFirst().spec(), samples, byName.keySet())));
        if (jvm != null) {
            all.addAll(jvm.snapshots());
        }
        return new MetricSnapshots(all);
    }

    private static MetricSnapshot snapshot(StatSpec spec, List<Stats.Sample> samples, Set<String> names) {
        return switch (spec.kind()) {
            case COUNTER -> names.contains(family(spec)) ? untyped(spec, samples) : counter(spec, samples);
            case GAUGE -> gauge(spec, samples);
            case HISTOGRAM -> histogram(spec, samples);
        };
    }

    private static MetricSnapshot counter(StatSpec spec, List<Stats.Sample> samples) {
        CounterSnapshot.Builder metric =
                CounterSnapshot.builder().name(family(spec)).help(spec.doc());
        for (Stats.Sample s : samples) {
            metric.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .value(s.value() / spec.exposedScale())
                    .labels(labels(s))
                    .build());
        }
        return metric.build();
    }

    /**
     * A counter besides a gauge with its name without suffix: the formats allow one type for both, so the counter keeps
     * its name and is untyped.
     */
    private static MetricSnapshot untyped(StatSpec spec, List<Stats.Sample> samples) {
        UnknownSnapshot.Builder metric =
                UnknownSnapshot.builder().name(spec.exposedName()).help(spec.doc());
        for (Stats.Sample s : samples) {
            metric.dataPoint(UnknownSnapshot.UnknownDataPointSnapshot.builder()
                    .value(s.value() / spec.exposedScale())
                    .labels(labels(s))
                    .build());
        }
        return metric.build();
    }

    /** A counter's name without the suffix that the client adds itself. */
    private static String family(StatSpec counter) {
        String name = counter.exposedName();
        return name.substring(0, name.length() - "_total".length());
    }

    private static MetricSnapshot gauge(StatSpec spec, List<Stats.Sample> samples) {
        GaugeSnapshot.Builder metric =
                GaugeSnapshot.builder().name(spec.exposedName()).help(spec.doc());
        for (Stats.Sample s : samples) {
            metric.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .value(s.value() / spec.exposedScale())
                    .labels(labels(s))
                    .build());
        }
        return metric.build();
    }

    private static MetricSnapshot histogram(StatSpec spec, List<Stats.Sample> samples) {
        HistogramSnapshot.Builder metric =
                HistogramSnapshot.builder().name(spec.exposedName()).help(spec.doc());
        for (Stats.Sample s : samples) {
            Histogram h = s.histogram();
            if (h != null) {
                metric.dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(buckets(h, Buckets.of(spec), spec.exposedScale()))
                        .sum(h.total() / spec.exposedScale())
                        .labels(labels(s))
                        .build());
            }
        }
        return metric.build();
    }

    private static ClassicHistogramBuckets buckets(Histogram h, long[] bounds, double scale) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long below = 0;
        long[] counts = h.countsUpTo(bounds);
        for (int i = 0; i < bounds.length; i++) {
            buckets.bucket(bounds[i] / scale, counts[i] - below);
            below = counts[i];
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, Math.max(0, h.count() - below))
                .build();
    }

    private static Labels labels(Stats.Sample sample) {
        return Labels.of(sample.spec().labels(), sample.labels());
    }
}
