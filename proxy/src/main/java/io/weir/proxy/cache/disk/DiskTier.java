package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.PurgeMark;
import io.weir.proxy.cache.disk.files.Routing;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.LowerTier;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The disk tier: answers that the memory stored are written to a log of segments, and read back into memory when they
 * are requested again. Shared by all loops; lives as long as the cache.
 */
// How it works, for maintainers.
//
// Writing. The store tells this class of each answer that it takes in. It is queued, with its memory retained, and
// written by one thread to the end of the newest segment: sequential writes only. Then its location is put into the
// index (DiskIndex): 16 bytes an object in arrays that are at most 85 % full. Nothing is updated in place. When all
// segments are in use, the oldest is removed as a whole; what was used in it since it was written, or is in memory
// now, is written again to the newest. So memory decides what is hot, and the disk needs no list of its own.
//
// Reading. Only a request that finds nothing in memory asks the index, which takes no I/O. If it has the hash, the
// answer is brought into memory, and the request looks again: it is answered, validated or refused there like any
// other. What the page cache has is copied by the muxer itself, with a call that never waits for the disk: two switches
// of threads cost more. Else the request waits for a reading thread; requests for the same key wait for the same read.
// A read that takes too long sends the request to its origin.
//
// Bodies that are too large for memory, or for a segment, have files of their own (BodyFiles, BodyWriter), written
// while they arrive, and read by others meanwhile. A record in the log names the file, and is written when all of it
// has arrived: so the log's order and its purges hold for them, too, and a file without a record is nobody's.
//
// Purges. A purge changes the index at once, under the lock that also publishes records, and is then written to the
// log. Until that is done, a kill undoes it: at most the writes of the last second.
//
// Partitions. Each folder is a Partition with threads, a queue and an index of its own; a key lies on one of them,
// which its hash decides (Routing). Variants lie beside their key. A purge of everything, and a doubtful connection,
// concern all of them. One that could not be opened keeps its keys: they are fetched.
//
// Start. A full segment ends with its table of contents; the others are scanned. The log's order is the truth: a later
// record replaces an earlier one. Meanwhile requests are served from memory and from their origins.
//
// Invariants:
// 1. A record is visible only after it was written, and only if its key was not purged since it was queued.
// 2. What is served was confirmed by checksums when it was read into memory: head and each block of the body. A block
//    of a large answer is trusted from then on, until the page cache is seen to have lost a page of its body.
// 3. Memory that waits to be written is bounded; what exceeds it is not written.
// 4. An error of the disk costs a hit, never an answer.
//
// Sources: M. Rosenblum, J. Ousterhout, "The design and implementation of a log-structured file system", SOSP 1991;
// B. Berg et al., "The CacheLib caching engine", OSDI 2020 (regions, reinsertion of what was used); Apache Traffic
// Server's cyclone storage (the directory in memory, the collision of tags resolved by the key in the record).
public final class DiskTier implements LowerTier, AutoCloseable {
    private static final long MOST_UNWRITTEN = 64 << 20;
    /** Each new segment begins with their numbers, so their number is bounded: beyond it everything is purged. */
    private static final int MOST_DOUBTFUL = 1000;

    private final Set<Long> doubtful = ConcurrentHashMap.newKeySet();
    /** In the order of the routing; null: its folder could not be opened. */
    private final List<@Nullable Partition> routed = new ArrayList<>();
    /** Those that could. */
    private final List<Partition> partitions;

    private final List<String> names;
    private final Routing routing;
    private final AtomicLong connections;
    private final DiskCounters counters;
    private final Runnable purge;

    /**
     * Begins to read what is there.
     *
     * @param config as it is now
     * @param purge removes everything from memory and from here
     */
    public DiskTier(
            DiskFolders folders,
            Store store,
            Live<CacheConfig> config,
            Runnable purge,
            DiskCounters counters,
            Clock clock,
            Stats stats,
            Log log) {
        DiskConfig now = config.get().disk();
        this.purge = purge;
        this.counters = counters;
        this.connections = new AtomicLong(clock.millis() << 20);
        this.routing = folders.routing();
        List<DiskFolders.Opened> opened = folders.opened();
        this.names = opened.stream().map(DiskFolders.Opened::name).toList();
        double total = opened.stream().mapToDouble(DiskFolders.Opened::bytes).sum();
        long unwritten = Math.min(MOST_UNWRITTEN, store.budget().limit() / 4) / opened.size();
        for (int i = 0; i < opened.size(); i++) {
            DiskFolders.Opened one = opened.get(i);
            Folder folder = one.folder();
            routed.add(
                    folder == null
                            ? null
                            : new Partition(new Partition.Parts(
                                    one.name(),
                                    folder,
                                    folders.adoption(i),
                                    folders.hash(),
                                    store,
                                    one.bytes(),
                                    (int) (now.maxObjects() * (one.bytes() / total)),
                                    unwritten,
                                    now.readThreads(),
                                    () -> config.get()
                                            .disk()
                                            .maxMemoryObjectSize()
                                            .bytes(),
                                    () -> config.get().disk(),
                                    doubtful,
                                    counters.of(one.name()),
                                    clock,
                                    log)));
            gauges(stats, one.name(), routed.get(i));
        }
        this.partitions = routed.stream().filter(Objects::nonNull).toList();
        gauges(stats);
    }

    private void gauges(Stats stats) {
        stats.gauge(DiskStats.OBJECTS, () -> sum(p -> p.index().size()));
        stats.gauge(DiskStats.INDEX_BYTES, () -> sum(p -> p.index().heapBytes()));
        stats.gauge(DiskStats.AT_START, () -> sum(Partition::atStart));
        stats.gauge(DiskStats.BYTES, () -> sum(p -> p.log().bytes()));
        stats.gauge(
                DiskStats.HELD_BYTES,
                () -> sum(p -> p.log().held().bytes() + p.log().bodies().held()));
        stats.gauge(DiskStats.FILES, () -> sum(p -> p.log().bodies().count()));
        stats.gauge(DiskStats.FILE_BYTES, () -> sum(p -> p.log().bodies().bytes()));
        stats.gauge(DiskStats.CAPACITY, () -> sum(p -> p.log().capacity()));
        stats.gauge(DiskStats.SEGMENTS, () -> sum(p -> p.log().segments()));
        stats.gauge(DiskStats.MOST_SEGMENTS, () -> sum(p -> p.log().mostSegments()));
        stats.gauge(DiskStats.WAITING_BYTES, () -> sum(Partition::unwrittenBytes));
        stats.gauge(DiskStats.READS_WAITING, () -> sum(Partition::readsWaiting));
        stats.gauge(DiskStats.FAILING, () -> failing().isEmpty() ? 0 : 1);
    }

    private static void gauges(Stats stats, String name, @Nullable Partition partition) {
        stats.gauge(DiskStats.PARTITION_FAILING, () -> partition == null || partition.failing() ? 1 : 0, name);
        if (partition != null) {
            DiskLog log = partition.log();
            stats.gauge(DiskStats.PARTITION_OBJECTS, partition.index()::size, name);
            stats.gauge(DiskStats.PARTITION_BYTES, log::bytes, name);
            stats.gauge(DiskStats.PARTITION_CAPACITY, log::capacity, name);
            stats.gauge(DiskStats.PARTITION_SEGMENTS, log::segments, name);
        }
    }

    private long sum(ToLongFunction<Partition> value) {
        return partitions.stream().mapToLong(value).sum();
    }

    private @Nullable Partition of(long hash) {
        return routed.get(routing.partition(hash));
    }

    /** The partitions whose last write failed, or whose folder could not be used at the start. */
    public List<String> failing() {
        List<String> failing = new ArrayList<>();
        for (int i = 0; i < routed.size(); i++) {
            Partition partition = routed.get(i);
            if (partition == null || partition.failing()) {
                failing.add(names.get(i));
            }
        }
        return failing;
    }

    /** Whether the disk has an answer for the same requests as this one. Takes no I/O. */
    public boolean has(StoredObject object) {
        Partition partition = of(object.entry().hash());
        return partition != null && partition.has(object);
    }

    /** Where the disk has an answer for the same requests as this one; null: nowhere. Takes no I/O. */
    public @Nullable DiskCopy place(StoredObject object) {
        Partition partition = of(object.entry().hash());
        return partition == null ? null : partition.place(object);
    }

    /** What the disk has for a request; waits for the disk, and is no use of the answer. Null: nothing. */
    public @Nullable DiskCopy find(KeyBuilder key, Fields fields) {
        Partition partition = of(key.hash());
        return partition == null ? null : partition.find(key, fields);
    }

    /** Whether all that was queued is written, or given up. */
    boolean idle() {
        return partitions.stream().allMatch(Partition::idle);
    }

    /** How far all that was there at the start had followed a cluster's purges. */
    public PurgeMark mark() {
        return partitions.stream()
                .map(Partition::markAtStart)
                .filter(Objects::nonNull)
                .reduce(PurgeMark::least)
                .orElse(PurgeMark.NONE);
    }

    /** All purges up to there were queued before: to be remembered once they are on the disks. */
    public void mark(PurgeMark reached) {
        partitions.forEach(partition -> partition.mark(reached));
    }

    /** Whether what was there at the start can be found. */
    public boolean ready() {
        return partitions.stream().allMatch(Partition::ready);
    }

    /**
     * Begins to read the answer of a key into memory, or joins a read that has begun.
     *
     * @param fields of the request; called if they select the variant, for a copy
     * @return may be over already, if the page cache has it; null if the disk does not have it, or too many reads wait
     */
    public @Nullable DiskLoad load(KeyBuilder key, Supplier<Fields> fields) {
        Partition partition = of(key.hash());
        if (partition == null) {
            counters.misses.inc();
            return null;
        }
        return partition.load(key, fields);
    }

    /**
     * Asks all partitions for a garbage collection, which they begin within a second.
     *
     * @param percent of its size at which each ends; less than 0: at the low margin
     */
    public void collect(int percent) {
        partitions.forEach(partition -> partition.gc().ask(percent));
    }

    /** The last collection of each partition, or that which is under way. */
    public List<Collected> collected() {
        return partitions.stream().map(partition -> partition.gc().report()).toList();
    }

    /** A hit was read from the disk, or its body is sent from there. */
    public void answered(StoredObject object) {
        Partition partition = of(object.entry().hash());
        if (partition != null) {
            partition.answered();
        }
    }

    /** A request did not wait any longer. */
    public void timedOut() {
        counters.timeouts.inc();
    }

    /** An answer that it could not read to the end ended there. */
    public void cut() {
        counters.cut.inc();
    }

    /** The rest of an answer that it could not read is requested from the origin. */
    public void continued() {
        counters.continued.inc();
    }

    @Override
    public boolean stored(StoredObject object) {
        Partition partition = of(object.entry().hash());
        if (partition == null) {
            counters.refused("failing");
            return true;
        }
        return partition.stored(object, object.provenance().numbers(this)) || !SegmentBody.hasFile(object);
    }

    @Override
    public boolean removed(long of) {
        Partition partition = of(of);
        return partition != null && partition.removed(of);
    }

    @Override
    public int cleared() {
        int n = (int) Math.min(Integer.MAX_VALUE, sum(p -> p.index().size()));
        partitions.forEach(Partition::clear);
        return n;
    }

    @Override
    public void doubted(long connection) {
        if (doubtful.size() >= MOST_DOUBTFUL) {
            purge.run();
            doubtful.clear();
        }
        doubtful.add(connection);
        partitions.forEach(partition -> partition.doubted(connection));
    }

    @Override
    public boolean doubtful(long connection) {
        return doubtful.contains(connection);
    }

    @Override
    public long nextConnection() {
        return connections.incrementAndGet();
    }

    /** Bytes of the largest body that a partition of this size keeps; a process's, if there are several. */
    public static long largestBody(long partitionBytes) {
        return Partition.largestBody(partitionBytes);
    }

    @Override
    public long sinksFrom() {
        return partitions.stream().mapToLong(Partition::sinksFrom).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public long sinksTo() {
        return partitions.stream().mapToLong(Partition::sinksTo).max().orElse(0);
    }

    @Override
    public @Nullable BodySink sink(CacheEntry entry, long length, BodySink.Listener listener) {
        Partition partition = of(entry.hash());
        return partition == null ? null : partition.sink(entry, length, listener);
    }

    /** Writes what waits, and ends the segments, so that the next start is quick. */
    @Override
    public void close() {
        partitions.forEach(Partition::stop);
        partitions.forEach(Partition::close);
    }
}
