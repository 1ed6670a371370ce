package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.PurgeMark;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.KeyHash;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One folder of the disk tier: its log, its index, its queue, the thread that writes and those that read. It has nothing
 * in common with the others but the numbers of doubtful connections, so one that hangs or fails holds up none of them.
 * Shared by all loops; lives as long as the tier.
 */
final class Partition implements AutoCloseable {
    private static final int READS_OF_A_THREAD = 1000;
    private static final long SMALLEST_SEGMENT = 1 << 20;
    private static final long USUAL_SEGMENT = 64 << 20;
    private static final long CLOSE_SECONDS = 10;
    /** Bodies with files of their own that are written at once; each has a window of memory. */
    private static final int MOST_ARRIVING = 64;
    /** What a record may have beside its body. */
    private static final long BESIDE_BODY = 128 << 10;

    private final String name;
    private final DiskIndex index = new DiskIndex();
    private final Map<Long, DiskLoad> loads = new ConcurrentHashMap<>();
    private final KeyHash hash;
    private final WriteQueue queue;
    private final DiskLog log;
    private final PartitionGc gc;
    private final DiskReader reader;
    private final DiskWriter writer;
    private final DiskFinder finder;
    private final ThreadPoolExecutor readers;
    /** Writes bodies with files of their own, so that small answers do not wait for them. */
    private final ThreadPoolExecutor bodyWriter;

    private final AtomicInteger arriving = new AtomicInteger();
    private final Thread thread;
    private final DiskCounters counters;
    private final @Nullable PurgeMark markAtStart;

    /**
     * What a partition needs.
     *
     * @param bytes its size
     * @param mostObjects it may have
     * @param largest bytes of a body that is brought back into memory
     * @param mostUnwritten bytes of answers that may wait to be written
     * @param config of the whole tier, as it is now
     */
    record Parts(
            String name,
            Folder folder,
            Adoption adoption,
            KeyHash hash,
            Store store,
            long bytes,
            int mostObjects,
            long mostUnwritten,
            int readThreads,
            LongSupplier largest,
            Supplier<DiskConfig> config,
            Set<Long> doubtful,
            DiskCounters counters,
            Clock clock,
            Log messages) {}

    /** Begins to read what is there. */
    Partition(Parts parts) {
        this.name = parts.name();
        this.hash = parts.hash();
        this.counters = parts.counters();
        this.markAtStart = mark(parts.folder());
        long segment = segmentBytes(parts.bytes());
        int segments = segments(parts.bytes(), segment);
        // so that the number of objects can be kept by removing one segment after the other
        int records = Math.max(64, parts.mostObjects() / (segments - 2));
        this.queue = new WriteQueue(index, parts.mostUnwritten());
        this.log = new DiskLog(
                parts.folder(),
                index,
                counters,
                segment,
                segments,
                records,
                parts.store().table()::has,
                parts.doubtful(),
                parts.clock().millis() << 20);
        LongSupplier minSpace = () -> parts.config().get().minSpace().bytes();
        log.leaves(minSpace);
        this.gc = new PartitionGc(
                parts.name(), parts.config(), log, parts.folder(), counters, parts.clock(), parts.messages());
        int threads = parts.readThreads();
        this.readers = threads(parts.name() + ".read", threads, new ArrayBlockingQueue<>(threads * READS_OF_A_THREAD));
        this.reader = new DiskReader(
                index,
                hash,
                parts.store(),
                parts.doubtful(),
                counters,
                parts.largest(),
                log.bodies(),
                () -> parts.config().get().sendfile());
        this.finder = new DiskFinder(index, log, reader, hash);
        this.bodyWriter = threads(parts.name() + ".body", 1, new LinkedBlockingQueue<>());
        reader.of(log, queue, readers);
        this.writer = new DiskWriter(new DiskWriter.Parts(
                parts.name(),
                parts.folder(),
                parts.adoption(),
                log,
                gc,
                minSpace,
                index,
                queue,
                reader,
                parts.doubtful(),
                counters,
                parts.mostObjects(),
                segment,
                parts.clock(),
                parts.messages()));
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("weir.cache.disk." + parts.name() + ".write")
                .unstarted(writer);
        thread.start();
    }

    private static @Nullable PurgeMark mark(Folder folder) {
        try {
            return folder.names().stream().anyMatch(Segment::isName) ? PurgeMark.read(folder) : null;
        } catch (IOException _) {
            return PurgeMark.NONE;
        }
    }

    /** A request was answered with what is here. */
    void answered() {
        if (counters.answered != null) {
            counters.answered.inc();
        }
    }

    /** Bytes from which on a body has a file of its own. */
    long sinksFrom() {
        return log.largestRecord() - BESIDE_BODY;
    }

    /** Bytes of the largest body with a file of its own. */
    long sinksTo() {
        return log.mostBody();
    }

    /** As {@link DiskTier#sink}. */
    @Nullable
    BodySink sink(CacheEntry entry, long length, BodySink.Listener listener) {
        if (!writer.ready() || writer.failing() || length > log.mostBody()) {
            return null;
        }
        if (arriving.incrementAndGet() > MOST_ARRIVING || !log.bodies().claim(Math.max(0, length), log.mostBody())) {
            arriving.decrementAndGet();
            counters.refused("busy");
            return null;
        }
        BodyWriter.Parts parts = new BodyWriter.Parts(
                log,
                queue,
                reader,
                counters,
                new SegmentBody.Key(entry.hash(), entry.key()),
                bodyWriter,
                arriving::decrementAndGet);
        return new BodyWriter(parts, length, listener);
    }

    /** How far what was there at the start had followed a cluster's purges; null: nothing was there. */
    @Nullable
    PurgeMark markAtStart() {
        return markAtStart;
    }

    /** As {@link DiskTier#mark}. */
    void mark(PurgeMark reached) {
        long ticket = queue.lastTicket();
        if (ticket >= 0) {
            writer.mark(reached, ticket);
        }
    }

    /** Bytes of the largest body that a partition of a size keeps. */
    static long largestBody(long bytes) {
        long segment = segmentBytes(bytes);
        return Math.max(
                DiskLog.mostBody(segments(bytes, segment), segment), DiskLog.largestRecord(segment) - BESIDE_BODY);
    }

    private static int segments(long bytes, long segment) {
        return Math.clamp(bytes / segment, 4, Location.MOST_SEGMENTS - 16);
    }

    /** Few files, but even a small partition has eight, so that one of them is a small part. */
    private static long segmentBytes(long size) {
        long bytes = Math.max(SMALLEST_SEGMENT, size);
        long usual = Math.min(USUAL_SEGMENT, Math.max(bytes / 64, Math.min(USUAL_SEGMENT / 4, bytes / 8)));
        long needed = bytes / (Location.MOST_SEGMENTS - 96);
        long wanted = Math.clamp(Math.max(usual, needed), SMALLEST_SEGMENT, Location.LARGEST_SEGMENT);
        return wanted / Location.UNIT * Location.UNIT;
    }

    private static ThreadPoolExecutor threads(String name, int threads, BlockingQueue<Runnable> waiting) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                30,
                TimeUnit.SECONDS,
                waiting,
                work -> Thread.ofPlatform()
                        .daemon()
                        .name("weir.cache.disk." + name + "-" + number.getAndIncrement())
                        .unstarted(work));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    PartitionGc gc() {
        return gc;
    }

    DiskIndex index() {
        return index;
    }

    DiskLog log() {
        return log;
    }

    /** Objects that were there at the start. */
    long atStart() {
        return writer.atStart();
    }

    /** Bytes of objects that wait to be written. */
    long unwrittenBytes() {
        return queue.bytes();
    }

    int readsWaiting() {
        return readers.getQueue().size();
    }

    /** Whether the last write failed. */
    boolean failing() {
        return writer.failing();
    }

    /** Whether all that was queued is written, or given up. */
    boolean idle() {
        return queue.idle();
    }

    /** Whether what was there at the start can be found. */
    boolean ready() {
        return writer.ready();
    }

    /** As {@link DiskTier#load}. */
    @Nullable
    DiskLoad load(KeyBuilder key, Supplier<Fields> fields) {
        long of = key.hash();
        long location = writer.ready() ? index.find(of) : Location.NONE;
        if (location == Location.NONE) {
            counters.misses.inc();
            return null;
        }
        boolean variants = Location.marker(location);
        DiskLoad begun = variants ? null : loads.get(of);
        if (begun != null) {
            return begun;
        }
        DiskLoad load = new DiskLoad(of, key.copy(), variants ? fields.get() : null);
        if (reader.loadNow(load)) {
            return load;
        }
        DiskLoad other = variants ? null : loads.putIfAbsent(of, load);
        if (other != null) {
            return other;
        }
        try {
            readers.execute(() -> run(load));
            return load;
        } catch (RejectedExecutionException _) {
            loads.remove(of, load);
            load.finish();
            counters.refused("reads");
            return null;
        }
    }

    private void run(DiskLoad load) {
        try {
            reader.load(load);
        } finally {
            loads.remove(load.hash, load);
        }
    }

    /** As {@link DiskTier#has}. */
    boolean has(StoredObject object) {
        return index.find(object.entry().hash()) != Location.NONE
                && object.vary().matchable()
                && index.find(indexed(object)) != Location.NONE;
    }

    /** As {@link DiskTier#place}. */
    @Nullable
    DiskCopy place(StoredObject object) {
        return has(object) ? named(finder.place(indexed(object))) : null;
    }

    /** As {@link DiskTier#find}. */
    @Nullable
    DiskCopy find(KeyBuilder key, Fields fields) {
        return writer.ready() ? named(finder.find(key, fields)) : null;
    }

    private @Nullable DiskCopy named(@Nullable DiskCopy copy) {
        return copy == null ? null : copy.in(name);
    }

    /** The hash under which the index has an answer. */
    private long indexed(StoredObject object) {
        long of = object.entry().hash();
        return object.vary().isEmpty() ? of : DiskReader.variant(hash, of, object.varyKey());
    }

    /** Queues an answer; false if it is not kept. */
    boolean stored(StoredObject object, SourceConnection.Numbers numbers) {
        long of = object.entry().hash();
        if (!object.vary().matchable() || object.provenance().doubtful() || !object.tryRetain()) {
            queue.purge(of);
            return false;
        }
        long variant = object.vary().isEmpty() ? 0 : DiskReader.variant(hash, of, object.varyKey());
        if (!queue.put(of, variant, object, numbers)) {
            object.release();
            counters.refused("busy");
            return false;
        }
        return true;
    }

    /** No answer of the key may be used from now on; returns whether there was one. */
    boolean removed(long of) {
        return queue.purge(of);
    }

    /** No answer may be used from now on. */
    void clear() {
        queue.clear();
    }

    void doubted(long connection) {
        queue.doubt(connection);
    }

    /** No more reads and writes from now on. */
    void stop() {
        readers.shutdown();
        readers.getQueue().clear();
        bodyWriter.shutdown();
        queue.close();
    }

    /** Waits until what was queued is written, and the segment is ended. */
    @Override
    public void close() {
        stop();
        try {
            readers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            bodyWriter.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
