package io.weir.proxy.cache.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A partition of the disk tier. Immutable. */
public record DiskPartitionConfig(
        @Knob(
                doc = "Folder of the partition, as cache.disk.path.",
                required = true,
                max = "4096",
                watch = "weir_cache_disk_partition_objects",
                knownAs = "PARTITION partitiondir")
        String path,

        @Knob(
                doc = "Largest size of all its files together; and its weight: a partition gets as much of the answers"
                        + " as it has of all sizes together."
                        + " Rule of thumb: what the disk can spare.",
                value = "10GiB",
                min = "8MiB",
                max = "900GiB",
                watch = {"weir_cache_disk_partition_bytes", "weir_cache_disk_evictions_total"},
                knownAs = "PARTITION maxsize")
        ByteSize size) {
    public DiskPartitionConfig {
        check(path);
    }

    /**
     * The folder of a process: of several, each has its own in an absolute path.
     *
     * @param of what a relative path is resolved against, the process's own folder
     */
    public Path folder(Path of, int process, int processes) {
        Path whole = of.resolve(path);
        return processes > 1 && Path.of(path).isAbsolute() ? whole.resolve("process-" + process) : whole;
    }

    static void check(@Nullable String path) {
        if (path != null && path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("path has a NUL character, which no name of a folder may have");
        }
    }
}
