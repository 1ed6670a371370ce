package io.weir.server.monitor;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.MonitorSource;
import io.weir.server.monitor.source.Readings;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The Java machine and the process, under the names that dashboards for the Prometheus client use. Shared. */
final class JvmMetrics {
    private final Supplier<Readings> readings;
    private final MonitorSource source;

    JvmMetrics(MonitorSource source, Supplier<Readings> readings) {
        this.source = source;
        this.readings = readings;
    }

    List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> all = new ArrayList<>();
        memory(all);
        collectors(all);
        threads(all);
        process(all);
        info(all);
        return all;
    }

    private static void memory(List<MetricSnapshot> all) {
        GaugeSnapshot.Builder used = metric("jvm_memory_used_bytes", "Memory in use by the Java machine.");
        GaugeSnapshot.Builder committed = metric("jvm_memory_committed_bytes", "Memory committed by the Java machine.");
        GaugeSnapshot.Builder max = metric("jvm_memory_max_bytes", "Maximum memory of the Java machine.");
        area(used, committed, max, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        area(
                used,
                committed,
                max,
                "nonheap",
                ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        GaugeSnapshot.Builder pools = metric("jvm_buffer_pool_used_bytes", "Memory of direct and mapped buffers.");
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            point(pools, pool.getMemoryUsed(), Labels.of("pool", pool.getName()));
        }
        all.addAll(List.of(used.build(), committed.build(), max.build(), pools.build()));
        all.add(gauge(
                "netty_direct_memory_used_bytes",
                "Direct memory held by the pooled buffers.",
                PlatformDependent.usedDirectMemory()));
    }

    private static void area(
            GaugeSnapshot.Builder used,
            GaugeSnapshot.Builder committed,
            GaugeSnapshot.Builder max,
            String area,
            MemoryUsage usage) {
        Labels labels = Labels.of("area", area);
        point(used, usage.getUsed(), labels);
        point(committed, usage.getCommitted(), labels);
        point(max, usage.getMax(), labels);
    }

    private static void collectors(List<MetricSnapshot> all) {
        SummarySnapshot.Builder summary =
                SummarySnapshot.builder().name("jvm_gc_collection_seconds").help("Time spent in garbage collection.");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            summary.dataPoint(SummarySnapshot.SummaryDataPointSnapshot.builder()
                    .count(Math.max(0, collector.getCollectionCount()))
                    .sum(Math.max(0, collector.getCollectionTime()) / 1000.0)
                    .labels(Labels.of("gc", collector.getName()))
                    .build());
        }
        all.add(summary.build());
    }

    private static void threads(List<MetricSnapshot> all) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        all.add(gauge("jvm_threads_current", "Threads that run now.", threads.getThreadCount()));
        all.add(gauge("jvm_threads_daemon", "Daemon threads that run now.", threads.getDaemonThreadCount()));
        all.add(gauge("jvm_threads_peak", "Peak number of threads.", threads.getPeakThreadCount()));
        all.add(counter("jvm_threads_started", "Threads started.", threads.getTotalStartedThreadCount()));
    }

    private void process(List<MetricSnapshot> all) {
        Readings now = readings.get();
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            all.add(counter("process_cpu_seconds", "Processor time used.", unix.getProcessCpuTime() / 1e9));
            all.add(gauge("process_open_fds", "Open descriptors.", unix.getOpenFileDescriptorCount()));
            all.add(gauge("process_max_fds", "Descriptors that may be open.", unix.getMaxFileDescriptorCount()));
        }
        double started = source.identity().processStarted() / 1000.0;
        all.add(gauge("process_start_time_seconds", "Start of the process, seconds since the epoch.", started));
        all.add(gauge("process_resident_memory_bytes", "Memory of the process.", now.residentBytes()));
        all.add(gauge("process_virtual_memory_bytes", "Addresses of the process.", now.virtualBytes()));
    }

    private void info(List<MetricSnapshot> all) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        all.add(info(
                "jvm_runtime",
                "The Java machine.",
                Labels.of(
                        "version",
                        runtime.getVmVersion(),
                        "vendor",
                        runtime.getVmVendor(),
                        "runtime",
                        runtime.getVmName())));
        Facts.Identity id = source.identity();
        all.add(info(
                "weir", "The server.", Labels.of("version", id.version(), "build", id.build(), "server", id.id())));
    }

    private static MetricSnapshot info(String name, String help, Labels labels) {
        return InfoSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(labels)
                        .build())
                .build();
    }

    private static GaugeSnapshot.Builder metric(String name, String help) {
        return GaugeSnapshot.builder().name(name).help(help);
    }

    private static void point(GaugeSnapshot.Builder metric, Number value, Labels labels) {
        metric.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(labels)
                .build());
    }

    private static MetricSnapshot gauge(String name, String help, Number value) {
        GaugeSnapshot.Builder metric = metric(name, help);
        point(metric, value, Labels.EMPTY);
        return metric.build();
    }

    private static MetricSnapshot counter(String name, String help, Number value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .value(value.doubleValue())
                        .build())
                .build();
    }
}
