package io.weir.proxy.cache.config;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of the disk tier. */
public final class DiskStats {
    private static final String PARTITION = "partition";

    public static final StatSpec HITS = StatSpec.counter(
            "weir_cache_disk_hits_total",
            "objects",
            "Answers read from the disk into memory; requests that waited for one count as cache hits.");
    public static final StatSpec MISSES = StatSpec.counter(
            "weir_cache_disk_misses_total",
            "requests",
            "Requests that found nothing in memory and are not on the disk either.");
    public static final StatSpec MISSING = StatSpec.counter(
            "weir_cache_disk_missing_total",
            "objects",
            "Records that were read but not usable: of another key with the same hash, of variants before a purge, or"
                    + " of a doubtful connection.");
    public static final StatSpec WRITTEN = StatSpec.counter(
            "weir_cache_disk_written_total",
            "objects",
            "Answers written to the disk that are found there from then on.");
    public static final StatSpec BYTES_WRITTEN = StatSpec.counter(
            "weir_cache_disk_written_bytes_total",
            "bytes",
            "Bytes of all records written: answers, purges, and what was carried over.");
    public static final StatSpec BYTES_READ = StatSpec.counter(
            "weir_cache_disk_read_bytes_total",
            "bytes",
            "Bytes of the answers that were read. Those that were sent from the page cache without being read"
                    + " are in weir_cache_disk_sendfile_bytes_total.");
    public static final StatSpec READS = StatSpec.counter(
            "weir_cache_disk_reads_total",
            "reads",
            "Reads, by who did them: muxer (the page cache had everything: no wait), thread (a reading thread waited for"
                    + " the disk, or may have).",
            "by");
    public static final StatSpec STREAMED = StatSpec.counter(
            "weir_cache_disk_streamed_total",
            "answers",
            "Answers whose body was sent from the disk: those larger than" + " cache.disk.max-memory-object-size.");
    public static final StatSpec CONTINUED = StatSpec.counter(
            "weir_cache_disk_continued_total",
            "answers",
            "Answers that had begun when the disk failed within their body, and whose rest was requested from the origin."
                    + " It can be if they have a strong ETag; without one they are cut.");
    public static final StatSpec CUT = StatSpec.counter(
            "weir_cache_disk_cut_total",
            "answers",
            "Answers that had begun when the disk failed within their body, and that ended there: the rest could not be"
                    + " requested, or the origin did not give it. The access log has them with the client's status INTR.");
    public static final StatSpec BODIES_DROPPED = StatSpec.counter(
            "weir_cache_disk_bodies_dropped_total",
            "bodies",
            "Large bodies with files of their own that were removed because they were damaged or could not be read.");
    public static final StatSpec SENDFILE_BYTES = StatSpec.counter(
            "weir_cache_disk_sendfile_bytes_total",
            "bytes",
            "Bytes of large answers that the system sent from its page cache (sendfile), without being read: their"
                    + " blocks had been compared with their checksums before.");
    public static final StatSpec REFUSALS = StatSpec.counter(
            "weir_cache_disk_refusals_total",
            "objects",
            "Answers not written or not read, by reason: busy (too much waits to be written), failing (the last write"
                    + " failed), size (larger than a segment), reads (too many reads wait), memory (no room in the"
                    + " memory tier), unreadable (the body of an answer with a new head cannot be read), slow (removed"
                    + " segments that were still being sent, and were closed because they had too much of the disk), room (no room"
                    + " could be made for a body with a file of its own).",
            "reason");
    public static final StatSpec TIMEOUTS = StatSpec.counter(
            "weir_cache_disk_timeouts_total",
            "requests",
            "Requests that waited longer than cache.disk.read-time-out and went to their origin.");
    public static final StatSpec EVICTIONS = StatSpec.counter(
            "weir_cache_disk_evictions_total", "objects", "Objects removed with the segment that held them.");
    public static final StatSpec CARRIED = StatSpec.counter(
            "weir_cache_disk_carried_total",
            "objects",
            "Objects of reclaimed segments that were used and therefore written again.");
    public static final StatSpec RECLAIMED =
            StatSpec.counter("weir_cache_disk_segments_reclaimed_total", "segments", "Segments removed to make room.");
    public static final StatSpec COLLECTIONS = StatSpec.counter(
            "weir_cache_disk_collections_total",
            "collections",
            "Garbage collections of partitions, by reason: size, file-system, schedule, command.",
            "reason");
    public static final StatSpec DROPPED = StatSpec.counter(
            "weir_cache_disk_segments_dropped_total", "segments", "Segments removed because they were damaged.");
    public static final StatSpec TAILS = StatSpec.counter(
            "weir_cache_disk_tails_total",
            "segments",
            "Segments that did not end with a whole record at the start: the last writes were lost.");
    public static final StatSpec ERRORS = StatSpec.counter(
            "weir_cache_disk_errors_total", "errors", "Errors of the disk, by kind: read, write, checksum.", "kind");
    public static final StatSpec OBJECTS =
            StatSpec.gauge("weir_cache_disk_objects", "objects", "Objects on the disk, markers of variants included.");
    public static final StatSpec AT_START =
            StatSpec.gauge("weir_cache_disk_objects_at_start", "objects", "Objects that the start found on the disk.");
    public static final StatSpec BYTES = StatSpec.gauge(
            "weir_cache_disk_bytes",
            "bytes",
            "Size of the records in all segments on the disk, and of the bodies with files of their own; the table of"
                    + " contents at the end of each segment is not counted.");
    public static final StatSpec HELD_BYTES = StatSpec.gauge(
            "weir_cache_disk_held_bytes",
            "bytes",
            "Size of removed segments and bodies that are still being sent, and not free yet. Segments: not part of"
                    + " weir_cache_disk_bytes, and at most an eighth of the capacity, or two segments. Bodies with files"
                    + " of their own: part of it, so that fewer are stored meanwhile.");
    public static final StatSpec FILES =
            StatSpec.gauge("weir_cache_disk_body_files", "objects", "Objects whose bodies have files of their own.");
    public static final StatSpec FILE_BYTES = StatSpec.gauge(
            "weir_cache_disk_body_file_bytes",
            "bytes",
            "Size of the bodies that have files of their own, with what is reserved for those that arrive; part of"
                    + " weir_cache_disk_bytes.");
    public static final StatSpec ARRIVED = StatSpec.counter(
            "weir_cache_disk_bodies_total",
            "bodies",
            "Bodies written to files of their own while they arrived, by result: whole, failed (the disk), aborted (the"
                    + " fetch failed, nobody needed the rest, or there was no room for it).",
            "result");
    public static final StatSpec CAPACITY = StatSpec.gauge(
            "weir_cache_disk_capacity_bytes",
            "bytes",
            "Largest size of all segments and bodies with files of their own.");
    public static final StatSpec SEGMENTS =
            StatSpec.gauge("weir_cache_disk_segments", "segments", "Segments on the disk.");
    public static final StatSpec MOST_SEGMENTS =
            StatSpec.gauge("weir_cache_disk_most_segments", "segments", "Largest number of segments on the disk.");
    public static final StatSpec INDEX_BYTES =
            StatSpec.gauge("weir_cache_disk_index_bytes", "bytes", "Heap of the index.");
    public static final StatSpec WAITING_BYTES = StatSpec.gauge(
            "weir_cache_disk_unwritten_bytes", "bytes", "Memory of the answers that wait to be written.");
    public static final StatSpec READS_WAITING =
            StatSpec.gauge("weir_cache_disk_reads_waiting", "reads", "Reads that wait for a thread.");
    public static final StatSpec FAILING = StatSpec.gauge(
            "weir_cache_disk_failing",
            "1 or 0",
            "Whether a partition cannot be written; it is tried again every ten seconds.");

    public static final StatSpec PARTITION_HITS = StatSpec.counter(
            "weir_cache_disk_partition_hits_total", "objects", "Answers read from a partition into memory.", PARTITION);
    public static final StatSpec PARTITION_ANSWERED = StatSpec.counter(
            "weir_cache_hits_from_partition_total",
            "requests",
            "Hits for which the answer was first read from a partition into memory, or whose body is sent from there;"
                    + " together weir_cache_hits_from_disk_total.",
            PARTITION);
    public static final StatSpec PARTITION_ERRORS = StatSpec.counter(
            "weir_cache_disk_partition_errors_total",
            "errors",
            "Errors of a partition's disk, by kind: read, write, checksum.",
            PARTITION,
            "kind");
    public static final StatSpec PARTITION_OBJECTS = StatSpec.gauge(
            "weir_cache_disk_partition_objects",
            "objects",
            "Objects of a partition, markers of variants included.",
            PARTITION);
    public static final StatSpec PARTITION_BYTES =
            StatSpec.gauge("weir_cache_disk_partition_bytes", "bytes", "Size of a partition's segments.", PARTITION);
    public static final StatSpec PARTITION_CAPACITY = StatSpec.gauge(
            "weir_cache_disk_partition_capacity_bytes", "bytes", "Largest size of a partition's segments.", PARTITION);
    public static final StatSpec PARTITION_SEGMENTS =
            StatSpec.gauge("weir_cache_disk_partition_segments", "segments", "Segments of a partition.", PARTITION);
    public static final StatSpec PARTITION_FAILING = StatSpec.gauge(
            "weir_cache_disk_partition_failing",
            "1 or 0",
            "Whether the partition's last write failed, or its folder could not be used at the start.",
            PARTITION);

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            HITS,
            MISSES,
            MISSING,
            WRITTEN,
            BYTES_WRITTEN,
            BYTES_READ,
            READS,
            STREAMED,
            CONTINUED,
            CUT,
            BODIES_DROPPED,
            SENDFILE_BYTES,
            REFUSALS,
            TIMEOUTS,
            EVICTIONS,
            CARRIED,
            RECLAIMED,
            COLLECTIONS,
            DROPPED,
            TAILS,
            ERRORS,
            OBJECTS,
            AT_START,
            BYTES,
            HELD_BYTES,
            FILES,
            FILE_BYTES,
            ARRIVED,
            CAPACITY,
            SEGMENTS,
            MOST_SEGMENTS,
            INDEX_BYTES,
            WAITING_BYTES,
            READS_WAITING,
            FAILING,
            PARTITION_HITS,
            PARTITION_ANSWERED,
            PARTITION_ERRORS,
            PARTITION_OBJECTS,
            PARTITION_BYTES,
            PARTITION_CAPACITY,
            PARTITION_SEGMENTS,
            PARTITION_FAILING);

    private DiskStats() {}
}
