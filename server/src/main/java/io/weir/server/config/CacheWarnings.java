package io.weir.server.config;

import com.sun.management.OperatingSystemMXBean;
import io.weir.base.ByteSize;
import io.weir.base.ConfigNode;
import io.weir.base.ConfigProblem;
import io.weir.proxy.cache.Cache;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskGcConfig;
import io.weir.proxy.cache.disk.DiskTier;
import io.weir.proxy.program.config.RouteConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Caching settings of section {@code cache} and the routes that are valid but cannot take effect. Stateless. */
final class CacheWarnings {
    /** Most heap that the index of the disk tier takes for an object. */
    private static final long BYTES_OF_AN_OBJECT = 32;

    private CacheWarnings() {}

    /** A warning for each value that allows bodies for which the budget has no room. */
    static List<ConfigProblem> of(WeirConfig config, ConfigNode.Mapping tree) {
        CacheConfig cache = config.cache();
        List<ConfigProblem> warnings = new ArrayList<>();
        if (!cache.enabled()) {
            return warnings;
        }
        memory(cache, tree, warnings);
        index(cache, tree, warnings);
        disks(config, tree, warnings);
        largest(config, tree, warnings);
        long below = below(config);
        check(cache, "cache.max-object-size", cache.maxObjectSize(), below, tree, warnings);
        List<RouteConfig> routes = config.proxy().routes();
        for (int i = 0; i < routes.size(); i++) {
            String key = "proxy.routes[" + i + "].cache.max-size";
            if (cache.disk().named().isEmpty()) {
                check(cache, key, routes.get(i).cache().maxSize(), below, tree, warnings);
            } else {
                onDisk(cache, key, routes.get(i).cache().maxSize(), below, tree, warnings);
            }
        }
        return warnings;
    }

    /** With a disk tier, what is larger than memory's largest body is on the disk only. */
    private static void onDisk(
            CacheConfig cache,
            String key,
            @Nullable ByteSize most,
            long below,
            ConfigNode.Mapping tree,
            List<ConfigProblem> to) {
        if (most != null && most.bytes() > Math.max(cache.maxObjectSize().bytes(), below)) {
            ByteSize permitted = cache.disk().maxObjectSize();
            String what = "is " + most + ", but the disk tier keeps bodies of at most "
                    + (below < permitted.bytes()
                            ? below + " bytes, half of what its largest partition has in one process"
                            : "cache.disk.max-object-size, " + permitted)
                    + ": larger ones are not stored. Raise that, or lower this.";
            to.add(new ConfigProblem(tree.nearestPlace(key), key, what));
        }
    }

    /** Half of a partition at most, and of a process's share of it: the rest is for what is small. */
    private static void largest(WeirConfig config, ConfigNode.Mapping tree, List<ConfigProblem> to) {
        String key = "cache.disk.max-object-size";
        DiskConfig disk = config.cache().disk();
        int processes = config.server().processes();
        disk.named().entrySet().stream()
                .min(Map.Entry.comparingByValue(
                        Comparator.comparingLong(partition -> partition.size().bytes())))
                .ifPresent(smallest -> {
                    long most = DiskTier.largestBody(smallest.getValue().size().bytes() / processes);
                    if (disk.maxObjectSize().bytes() > most && tree.find(key) != null) {
                        String share =
                                processes == 1 ? "its size" : "the share of each of the " + processes + " processes";
                        String what = "is " + disk.maxObjectSize() + ", but partition " + smallest.getKey()
                                + " keeps bodies of less than half of " + share + ", at most " + most
                                + " bytes: larger ones are not stored. Raise the size of the partition, or lower this.";
                        to.add(new ConfigProblem(tree.nearestPlace(key), key, what));
                    }
                });
    }

    private static void memory(CacheConfig cache, ConfigNode.Mapping tree, List<ConfigProblem> to) {
        long there = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
                ? machine.getTotalMemorySize()
                : 0;
        if (there > 0 && cache.memoryBudget().bytes() > there) {
            String what = "is " + cache.memoryBudget() + ", more than the " + there
                    + " bytes of memory that this machine, or container, has. Lower it: the server's process has to fit beside it.";
            to.add(new ConfigProblem(tree.nearestPlace("cache.memory-budget"), "cache.memory-budget", what));
        }
    }

    private static void index(CacheConfig cache, ConfigNode.Mapping tree, List<ConfigProblem> to) {
        long heap = Runtime.getRuntime().maxMemory();
        long needed = (long) cache.disk().maxObjects() * BYTES_OF_AN_OBJECT;
        if (!cache.disk().named().isEmpty() && needed > heap / 4) {
            String what = "is " + cache.disk().maxObjects() + ", which may take " + needed + " of the " + heap
                    + " bytes of heap. Lower it, or raise the heap (-Xmx in WEIR_JAVA_OPTS).";
            to.add(new ConfigProblem(tree.nearestPlace("cache.disk.max-objects"), "cache.disk.max-objects", what));
        }
    }

    /** A partition that is larger than its file system stays smaller than it is said to be. */
    private static void disks(WeirConfig config, ConfigNode.Mapping tree, List<ConfigProblem> to) {
        DiskConfig disk = config.cache().disk();
        if (!disk.partitions().isEmpty() && tree.find("cache.disk.size") != null) {
            String what = "does not apply to partitions: each has a size of its own. Remove it";
            to.add(new ConfigProblem(tree.nearestPlace("cache.disk.size"), "cache.disk.size", what));
        }
        if (disk.named().isEmpty() && tree.find("cache.disk") != null) {
            String what = "has no effect: without cache.disk.path or cache.disk.partitions there is no disk tier";
            to.add(new ConfigProblem(tree.nearestPlace("cache.disk"), "cache.disk", what));
        }
        DiskGcConfig gc = disk.gc();
        if (!disk.named().isEmpty() && !gc.schedule().isEmpty() && gc.mode() != DiskGcConfig.Mode.SCHEDULED) {
            String what = "has no effect: cache.disk.gc.mode is "
                    + gc.mode().name().toLowerCase(Locale.ROOT) + ". Set it to scheduled, or remove the times";
            to.add(new ConfigProblem(tree.nearestPlace("cache.disk.gc.schedule"), "cache.disk.gc.schedule", what));
        }
        disk.named().forEach((name, partition) -> {
            String path = disk.key(name);
            String key = path.substring(0, path.length() - "path".length()) + "size";
            Path folder = Path.of(config.server().dataDir()).resolve(partition.path());
            long there = fileSystemBytes(folder.toAbsolutePath());
            if (there > 0 && partition.size().bytes() > there) {
                String what = "is " + partition.size() + ", more than the " + there + " bytes of the file system of "
                        + folder + ": the partition stays smaller. Lower it, so that its share is not too large.";
                to.add(new ConfigProblem(tree.nearestPlace(key), key, what));
            }
            if (there > 0 && disk.minSpace().bytes() >= there) {
                String least = "cache.disk.min-space";
                String what = "is " + disk.minSpace() + ", and the file system of " + folder + " has " + there
                        + " bytes: nothing is ever written there. Lower it.";
                to.add(new ConfigProblem(tree.nearestPlace(least), least, what));
            }
        });
    }

    private static long fileSystemBytes(Path folder) {
        for (Path at = folder; at != null; at = at.getParent()) {
            if (Files.isDirectory(at)) {
                try {
                    return Files.getFileStore(at).getTotalSpace();
                } catch (IOException _) {
                    return 0;
                }
            }
        }
        return 0;
    }

    /** Bytes of the largest body that the disk tier keeps. */
    private static long below(WeirConfig config) {
        DiskConfig disk = config.cache().disk();
        long most = disk.named().values().stream()
                .mapToLong(partition -> DiskTier.largestBody(
                        partition.size().bytes() / config.server().processes()))
                .max()
                .orElse(0);
        return Math.min(most, disk.maxObjectSize().bytes());
    }

    private static void check(
            CacheConfig cache,
            String key,
            @Nullable ByteSize most,
            long below,
            ConfigNode.Mapping tree,
            List<ConfigProblem> to) {
        long largest = Cache.largestBody(cache);
        if (most != null && most.bytes() > largest && most.bytes() > below) {
            String what = "is " + most + ", but cache.memory-budget " + cache.memoryBudget()
                    + " has room for bodies of at most " + largest
                    + " bytes: larger ones are not stored. Raise the budget, lower this, or add a disk tier (cache.disk.path).";
            to.add(new ConfigProblem(tree.nearestPlace(key), key, what));
        }
    }
}
