package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.http.Fields;
import io.weir.proxy.cache.config.DiskConfig;
import io.weir.proxy.cache.config.DiskStats;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.KeyHash;
import io.weir.proxy.cache.store.LowerTier;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
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
// A
// read that takes too long sends the request to its origin.
//
// Purges. A purge changes the index at once, under the lock that also publishes records, and is then written to the
// log. Until that is done, a kill undoes it: at most the writes of the last second.
//
// Start. A full segment ends with its table of contents; the others are scanned. The log's order is the truth: a later
// record replaces an earlier one. Meanwhile requests are served from memory and from their origins.
//
// Invariants:
// 1. A record is visible only after it was written, and only if its key was not purged since it was queued.
// 2. What is served was confirmed by checksums when it was read into memory: head and each block of the body.
// 3. Memory that waits to be written is bounded; what exceeds it is not written.
// 4. An error of the disk costs a hit, never an answer.
//
// Sources: M. Rosenblum, J. Ousterhout, "The design and implementation of a log-structured file system", SOSP 1991;
// B. Berg et al., "The CacheLib caching engine", OSDI 2020 (regions, reinsertion of what was used); Apache Traffic
// Server's cyclone storage (the directory in memory, the collision of tags resolved by the key in the record).
public final class DiskTier implements LowerTier, AutoCloseable {
    private static final int READS_OF_A_THREAD = 1000;
    /** A muxer copies this much from the page cache; more takes longer than waking a reading thread. */
    private static final int MOST_AT_ONCE = 2 << 20;

    private static final long SMALLEST_SEGMENT = 1 << 20;
    private static final long USUAL_SEGMENT = 64 << 20;
    private static final long MOST_UNWRITTEN = 64 << 20;
    private static final long CLOSE_SECONDS = 10;
    /** Each new segment begins with their numbers, so their number is bounded: beyond it everything is purged. */
    private static final int MOST_DOUBTFUL = 1000;

    private final DiskIndex index = new DiskIndex();
    private final Set<Long> doubtful = ConcurrentHashMap.newKeySet();
    private final Map<Long, DiskLoad> loads = new ConcurrentHashMap<>();
    private final AtomicLong connections;
    private final KeyHash hash;
    private final WriteQueue queue;
    private final DiskReader reader;
    private final DiskWriter writer;
    private final ThreadPoolExecutor readers;
    private final Thread thread;
    private final DiskCounters counters;
    private final Runnable purge;

    /** Where a tier lies, and the seeds of its keys' hashes. Opened before the cache, which needs them. */
    public static final class Place implements AutoCloseable {
        private final Folder folder;
        private final Identity identity;

        private final int sharers;

        Place(Folder folder, int sharers, RandomGenerator random) throws IOException {
            this.folder = folder;
            this.sharers = sharers;
            this.identity = Identity.of(folder, random);
        }

        /**
         * Opens a folder, which is created if there is none; it is locked until the tier is closed.
         *
         * @param sharers among how many processes the configured size is divided
         * @param follows whether another process may still use it, which this one replaces
         * @param random makes the seeds, which clients must not guess
         */
        public static Place open(Path path, int sharers, boolean follows, RandomGenerator random) throws IOException {
            Folder folder = follows ? RealFolder.unclaimed(path) : RealFolder.open(path);
            try {
                return new Place(folder, sharers, random);
            } catch (IOException e) {
                folder.close();
                throw e;
            }
        }

        /** The hash of all keys. */
        public KeyHash hash() {
            return new KeyHash(identity.k0(), identity.k1());
        }

        @Override
        public void close() {
            folder.close();
        }
    }

    /**
     * Begins to read what is there.
     *
     * @param purge removes everything from memory and from here
     */
    public DiskTier(
            Place place,
            Store store,
            DiskConfig config,
            Runnable purge,
            DiskCounters counters,
            Clock clock,
            Stats stats,
            Log log) {
        this.purge = purge;
        this.hash = place.hash();
        this.counters = counters;
        this.connections = new AtomicLong(clock.millis() << 20);
        long bytes = Math.max(SMALLEST_SEGMENT, config.size().bytes() / place.sharers);
        long segment = segmentBytes(bytes);
        int segments = Math.clamp(bytes / segment, 4, Location.MOST_SEGMENTS - 16);
        // so that the number of objects can be kept by removing one segment after the other
        int records = Math.max(64, config.maxObjects() / (segments - 2));
        this.queue =
                new WriteQueue(index, Math.min(MOST_UNWRITTEN, store.budget().limit() / 4));
        DiskLog written =
                new DiskLog(place.folder, index, counters, segment, segments, records, store.table()::has, doubtful);
        this.reader = new DiskReader(index, hash, store, doubtful, counters);
        reader.of(written, queue);
        this.writer = new DiskWriter(new DiskWriter.Parts(
                place.folder,
                place.identity,
                written,
                index,
                queue,
                reader,
                doubtful,
                counters,
                config.maxObjects(),
                segment,
                clock,
                log));
        this.readers = readers(config.readThreads());
        gauges(stats, written);
        this.thread = Thread.ofPlatform().daemon().name("weir.cache.disk.write").unstarted(writer);
        thread.start();
    }

    /** Few files, but even a small tier has eight, so that one of them is a small part. */
    private static long segmentBytes(long bytes) {
        long usual = Math.min(USUAL_SEGMENT, Math.max(bytes / 64, Math.min(USUAL_SEGMENT / 4, bytes / 8)));
        long needed = bytes / (Location.MOST_SEGMENTS - 96);
        long wanted = Math.clamp(Math.max(usual, needed), SMALLEST_SEGMENT, Location.LARGEST_SEGMENT);
        return wanted / Location.UNIT * Location.UNIT;
    }

    private static ThreadPoolExecutor readers(int threads) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(threads * READS_OF_A_THREAD),
                work -> Thread.ofPlatform()
                        .daemon()
                        .name("weir.cache.disk.read-" + number.getAndIncrement())
                        .unstarted(work));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private void gauges(Stats stats, DiskLog written) {
        stats.gauge(DiskStats.OBJECTS, index::size);
        stats.gauge(DiskStats.INDEX_BYTES, index::heapBytes);
        stats.gauge(DiskStats.AT_START, writer::atStart);
        stats.gauge(DiskStats.BYTES, written::bytes);
        stats.gauge(DiskStats.CAPACITY, written::capacity);
        stats.gauge(DiskStats.SEGMENTS, written::segments);
        stats.gauge(DiskStats.WAITING_BYTES, queue::bytes);
        stats.gauge(DiskStats.READS_WAITING, () -> readers.getQueue().size());
        stats.gauge(DiskStats.FAILING, () -> writer.failing() ? 1 : 0);
    }

    /** Whether the last write failed. */
    public boolean failing() {
        return writer.failing();
    }

    /** Whether all that was queued is written, or given up. */
    boolean idle() {
        return queue.idle();
    }

    /** Whether what was there at the start can be found. */
    public boolean ready() {
        return writer.ready();
    }

    /**
     * Begins to read the answer of a key into memory, or joins a read that has begun.
     *
     * @param fields of the request; called if they select the variant, for a copy
     * @return may be over already, if the page cache has it; null if the disk does not have it, or too many reads wait
     */
    public @Nullable DiskLoad load(KeyBuilder key, Supplier<Fields> fields) {
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
        if (Location.length(location) <= MOST_AT_ONCE && reader.loadNow(load)) {
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

    /** A request did not wait any longer. */
    public void timedOut() {
        counters.timeouts.inc();
    }

    @Override
    public void stored(StoredObject object) {
        long of = object.entry().hash();
        boolean variants = !object.vary().isEmpty();
        SourceConnection.Numbers numbers = object.provenance().numbers(this);
        if (!object.vary().matchable() || object.provenance().doubtful() || !object.tryRetain()) {
            queue.purge(of);
            return;
        }
        long variant = variants ? DiskReader.variant(hash, of, object.varyKey()) : 0;
        if (!queue.put(of, variant, object, numbers)) {
            object.release();
            counters.refused("busy");
        }
    }

    @Override
    public boolean removed(long of) {
        return queue.purge(of);
    }

    @Override
    public int cleared() {
        int n = (int) Math.min(Integer.MAX_VALUE, index.size());
        queue.clear();
        return n;
    }

    @Override
    public void doubted(long connection) {
        if (doubtful.size() >= MOST_DOUBTFUL) {
            purge.run();
            doubtful.clear();
        }
        doubtful.add(connection);
        queue.doubt(connection);
    }

    @Override
    public boolean doubtful(long connection) {
        return doubtful.contains(connection);
    }

    @Override
    public long nextConnection() {
        return connections.incrementAndGet();
    }

    /** Writes what waits, and ends the segment, so that the next start is quick. */
    @Override
    public void close() {
        readers.shutdown();
        readers.getQueue().clear();
        queue.close();
        try {
            readers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
