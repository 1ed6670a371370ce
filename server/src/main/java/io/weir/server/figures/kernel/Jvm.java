package io.weir.server.figures.kernel;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;

/** The virtual machine at one moment. Immutable. */
public record Jvm(
        long classes,
        long classesLoaded,
        long classesUnloaded,
        long heapBytes,
        long peakThreads,
        long threadsStarted,
        long threads,
        String version,
        String name,
        String vendor,
        long collections,
        long collectionMillis) {
    /** The current state of this one. */
    public static Jvm now() {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        return new Jvm(
                classes.getLoadedClassCount(),
                classes.getTotalLoadedClassCount(),
                classes.getUnloadedClassCount(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted(),
                threads.getPeakThreadCount(),
                threads.getTotalStartedThreadCount(),
                threads.getThreadCount(),
                runtime.getVmVersion(),
                runtime.getVmName(),
                runtime.getVmVendor(),
                collections,
                millis);
    }
}
