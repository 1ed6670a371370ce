package io.weir.proxy.cache.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Section {@code cache.disk}: the disk tier. Immutable. */
public record DiskConfig(
        @Knob(
                doc = "Folder of the disk tier, private to its owner; a relative path is resolved against the data"
                        + " directory. Without one there is no disk tier, unless there are partitions. It is used by"
                        + " one server at a time; of several processes each has its own: a relative path is in"
                        + " workers/N of the data directory, an absolute one gets process-N.",
                max = "4096",
                watch = "weir_cache_disk_objects",
                knownAs = "PARTITION partitiondir")
        @Nullable
        String path,

        @Knob(
                doc = "Several disks, by name, at most 64, instead of path and size. Each answer lies on one of them,"
                        + " by its key; larger ones get more. A partition that is added or removed moves its share of"
                        + " the keys, which is fetched again; so does one that gets another name. One that cannot be"
                        + " opened at the start is left out.",
                watch = {"weir_cache_disk_partition_objects", "weir_cache_disk_partition_failing"},
                knownAs = "PARTITION partitionname")
        Map<String, DiskPartitionConfig> partitions,

        @Knob(
                doc =
                        "Largest size of all files of the folder of path together. More keeps more objects; when it is reached, the oldest"
                                + " segment is reclaimed, and what was used in it is carried over. If the disk has less room,"
                                + " the tier stays smaller. With several processes each has its share."
                                + " Rule of thumb: what the disk can spare; the objects that are requested within a day.",
                value = "10GiB",
                min = "8MiB",
                max = "900GiB",
                watch = {"weir_cache_disk_bytes", "weir_cache_disk_evictions_total"},
                knownAs = "PARTITION maxsize, CACHE size")
        ByteSize size,

        @Knob(
                doc =
                        "Largest body that is kept on the disk. A partition keeps less than half of its size at most; of several"
                                + " processes (server.processes) each has its share of the partition, and less than half of"
                                + " that is the bound. WEIR-101803 tells it at the start. Bodies larger than"
                                + " cache.max-object-size (at least 1MiB) are not brought into memory: each has a file of its"
                                + " own, written while it arrives, and others read it meanwhile. With 0 none has."
                                + " Rule of thumb: the largest file that is worth keeping; a tenth of the size.",
                value = "1GiB",
                min = "0",
                max = "900GiB",
                dynamic = true,
                watch = {"weir_cache_disk_body_file_bytes", "weir_cache_disk_bodies_total"})
        ByteSize maxObjectSize,

        @Knob(
                doc =
                        "Largest number of objects on all disks together; each has its share, by size. An object takes at most 32 bytes of heap, which is not part of"
                                + " cache.memory-budget; when it is reached, the oldest segment is reclaimed."
                                + " Rule of thumb: the size divided by the mean size of an object.",
                value = "2000000",
                unit = "objects",
                min = "1000",
                max = "500000000",
                watch = {"weir_cache_disk_objects", "weir_cache_disk_index_bytes"})
        int maxObjects,

        @Knob(
                doc = "Bytes of a folder's file system that the disk tier leaves free, for the journal, the logs and"
                        + " others: below them the oldest segments are removed, and nothing is written where none is"
                        + " left. Rule of thumb: the default; what the journal and the logs grow by in a day, if they"
                        + " are on the same file system.",
                value = "64MiB",
                min = "0",
                dynamic = true,
                watch = {"weir_cache_disk_failing", "weir_cache_disk_bytes"},
                knownAs = "PARTITION minspace")
        ByteSize minSpace,

        @Knob(doc = "When partitions are made smaller before they are full.", dynamic = true)
        DiskGcConfig gc,

        @Knob(
                doc = "Threads that read from each disk. No muxer does; a request that would be the 1000th to wait for"
                        + " them for each thread goes to its origin."
                        + " Raise it while reads wait and the disk is not busy. Rule of thumb: 4 for a disk, 16 for"
                        + " flash with many objects that are not in the page cache.",
                value = "4",
                unit = "threads",
                min = "1",
                max = "256",
                watch = {"weir_cache_disk_reads_waiting", "weir_cache_disk_refusals_total"})
        int readThreads,

        @Knob(
                doc = "Largest body that is brought back into memory. Of a larger one only the head is, and the body is"
                        + " sent from its segment block by block, so that large answers do not evict many small ones."
                        + " Lower it where memory is scarce, raise it where large answers are requested often."
                        + " Rule of thumb: a hundredth of cache.memory-budget.",
                value = "525KiB",
                min = "4KiB",
                max = "1GiB",
                dynamic = true,
                watch = {"weir_cache_disk_streamed_total", "weir_cache_disk_read_bytes_total"},
                knownAs = "FILECACHE mediumfilesizelimit")
        ByteSize maxMemoryObjectSize,

        @Knob(
                doc = "Whether large answers are sent from the page cache without being read (sendfile), where their"
                        + " blocks were compared with their checksums before and the connection is plain HTTP/1."
                        + " Off: each block is read and compared each time it is sent, which costs two to three times"
                        + " the processor time. Rule of thumb: on; off where the memory of the machine is not trusted.",
                value = "on",
                dynamic = true,
                watch = {"weir_cache_disk_sendfile_bytes_total"})
        boolean sendfile,

        @Knob(
                doc =
                        "How long a request waits for the disk before it goes to its origin; the read goes on, so that the"
                                + " answer is in memory for the next request."
                                + " Raise it where the origin is slower than the disk. Rule of thumb: the default.",
                value = "1s",
                min = "10ms",
                max = "1m",
                dynamic = true,
                watch = {"weir_cache_disk_timeouts_total"})
        Duration readTimeOut) {
    /** Name of the only partition, if it is configured as {@code path} and {@code size}. */
    public static final String ONLY = "part1";

    private static final int MOST_PARTITIONS = 64;

    public DiskConfig {
        if (path != null && path.isEmpty()) {
            path = null;
        }
        if (path != null && !partitions.isEmpty()) {
            throw new IllegalArgumentException(
                    "path and partitions exclude each other: name the folder of path as one of the partitions");
        }
        if (partitions.size() > MOST_PARTITIONS) {
            throw new IllegalArgumentException(
                    "partitions has " + partitions.size() + " entries, and may have " + MOST_PARTITIONS);
        }
        DiskPartitionConfig.check(path);
        Map<String, String> names = new HashMap<>();
        partitions.forEach((name, partition) -> {
            String other = names.putIfAbsent(partition.path(), name);
            if (other != null) {
                throw new IllegalArgumentException("partitions " + other + " and " + name + " have the same path "
                        + partition.path() + ": each needs a folder of its own");
            }
        });
    }

    /** All partitions by name; none: there is no disk tier. */
    public Map<String, DiskPartitionConfig> named() {
        return path == null ? partitions : Map.of(ONLY, new DiskPartitionConfig(path, size));
    }

    /** The key of a partition's folder. */
    public String key(String partition) {
        return path == null ? "cache.disk.partitions." + partition + ".path" : "cache.disk.path";
    }
}
