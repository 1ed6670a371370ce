package io.weir.proxy.cache.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Section {@code cache.disk}: the disk tier. Immutable. */
public record DiskConfig(
        @Knob(
                doc = "Folder of the disk tier, private to its owner; a relative path is resolved against the data"
                        + " directory. Without one there is no disk tier. It is used by one server at a time; of"
                        + " several processes each has its own: a relative path is in workers/N of the data directory,"
                        + " an absolute one gets process-N.",
                max = "4096",
                watch = "weir_cache_disk_objects",
                knownAs = "PARTITION partitiondir")
        @Nullable
        String path,

        @Knob(
                doc = "Largest size of all its files together. More keeps more objects; when it is reached, the oldest"
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
                doc = "Largest number of objects on the disk. Each takes at most 32 bytes of heap, which is not part of"
                        + " cache.memory-budget; when it is reached, the oldest segment is reclaimed."
                        + " Rule of thumb: the size divided by the mean size of an object.",
                value = "2000000",
                unit = "objects",
                min = "1000",
                max = "500000000",
                watch = {"weir_cache_disk_objects", "weir_cache_disk_index_bytes"})
        int maxObjects,

        @Knob(
                doc = "Threads that read from the disk. No muxer does; a request that would be the 1000th to wait for"
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
                doc =
                        "How long a request waits for the disk before it goes to its origin; the read goes on, so that the"
                                + " answer is in memory for the next request."
                                + " Raise it where the origin is slower than the disk. Rule of thumb: the default.",
                value = "1s",
                min = "10ms",
                max = "1m",
                dynamic = true,
                watch = {"weir_cache_disk_timeouts_total"})
        Duration readTimeOut) {}
