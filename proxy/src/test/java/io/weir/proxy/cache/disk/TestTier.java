package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.http.Fields;
import io.weir.http.Version;
import io.weir.http.caching.Freshness;
import io.weir.http.caching.Vary;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.config.CacheCounters;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredHead;
import io.weir.proxy.cache.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A store with a disk tier, and what a cache does with both. */
final class TestTier implements AutoCloseable {
    static final byte[] HEAD =
            "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Type: text/plain\r\n".getBytes(StandardCharsets.ISO_8859_1);

    final Stats stats = new Stats();
    final Live<CacheConfig> config;
    final Store store;
    final DiskTier tier;
    private final DiskFolders folders;

    TestTier(Folder folder, String... knobs) throws IOException {
        this(folder, SystemClock.INSTANCE, knobs);
    }

    TestTier(Folder folder, Clock clock, String... knobs) throws IOException {
        this(folder, clock, true, knobs);
    }

    /** @param waits until what is there was read */
    TestTier(Folder folder, Clock clock, boolean waits, String... knobs) throws IOException {
        this(List.of(one(folder, knobs)), clock, waits, knobs);
    }

    /** Several partitions. */
    TestTier(List<DiskFolders.Opened> partitions, Clock clock, boolean waits, String... knobs) throws IOException {
        this(partitions, DiskFolders.Own.UNKNOWN, clock, waits, knobs);
    }

    /** @param own what is known of the folders */
    TestTier(List<DiskFolders.Opened> partitions, DiskFolders.Own own, Clock clock, boolean waits, String... knobs)
            throws IOException {
        config = new Live<>(config(knobs));
        folders = new DiskFolders(partitions, own, Chance.unseeded().random());
        store = new Store(config, UnpooledByteBufAllocator.DEFAULT, new CacheCounters(stats), clock.millis(), Log.NONE);
        tier = new DiskTier(folders, store, config, this::clear, new DiskCounters(stats), clock, stats, Log.NONE);
        store.lower(tier);
        if (waits) {
            await("it has read what was there", () -> tier.ready());
        }
    }

    private static DiskFolders.Opened one(Folder folder, String... knobs) {
        return new DiskFolders.Opened("part1", config(knobs).disk().size().bytes(), folder);
    }

    /** Knobs of the section, those of its part with a point. */
    static CacheConfig config(String... knobs) {
        ConfigNode.Place place = ConfigNode.Place.of("test");
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(place);
        ConfigNode.Mapping disk = ConfigNode.Mapping.empty(place);
        ConfigNode.Mapping gc = ConfigNode.Mapping.empty(place);
        for (String knob : knobs) {
            int equals = knob.indexOf('=');
            ConfigNode value = new ConfigNode.Scalar(place, knob.substring(equals + 1));
            if (knob.startsWith("disk.gc.schedule=")) {
                gc = gc.with("schedule", new ConfigNode.Sequence(place, List.of(value)));
            } else if (knob.startsWith("disk.gc.")) {
                gc = gc.with(knob.substring(8, equals), value);
            } else if (knob.startsWith("disk.")) {
                disk = disk.with(knob.substring(5, equals), value);
            } else {
                tree = tree.with(knob.substring(0, equals), value);
            }
        }
        ConfigBinder binder = new ConfigBinder();
        CacheConfig bound = binder.bind(tree.with("disk", disk.with("gc", gc)), CacheConfig.class);
        if (!binder.problems().isEmpty()) {
            throw new AssertionError(binder.problems());
        }
        return bound;
    }

    static void await(String what, BooleanSupplier condition) {
        long begin = SystemClock.INSTANCE.nanos();
        while (!condition.getAsBoolean()) {
            if (SystemClock.INSTANCE.nanos() - begin > TimeUnit.MINUTES.toNanos(3)) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    KeyBuilder key(String path) {
        return new KeyBuilder(folders.hash())
                .start(false)
                .host("origin.test", 80)
                .path(path);
    }

    /** Stores an answer in memory, so that it is queued for the disk. */
    StoredObject put(String path, byte[] body) {
        return put(path, body, "", new Fields(), null);
    }

    StoredObject put(String path, byte[] body, String vary, Fields request, @Nullable FetchedFrom from) {
        Vary names = vary.isEmpty() ? Vary.NONE : Vary.parse(vary);
        String variant = names.key(request);
        Metadata meta = new Metadata(
                new StoredHead(200, 17, HEAD.length, HEAD.length, Version.HTTP_1_1),
                new Freshness(60, Freshness.Source.MAX_AGE, 1, 2, 3, false, true, 4, 5),
                names,
                from,
                new SourceConnection.Numbers(0, 0));
        KeyBuilder key = key(path);
        store.lock().lock();
        try {
            CacheEntry known = store.table().find(key);
            for (StoredObject o = known == null ? null : known.variants(); o != null; o = o.nextVariant()) {
                if (o.varyKey().equals(variant)) {
                    store.drop(o);
                    break;
                }
            }
            try (Restored made = new Restored(store, key.hash(), key.copy(), meta, variant)) {
                if (!made.begin(HEAD, body.length)) {
                    throw new AssertionError("no memory");
                }
                made.add(ByteBuffer.wrap(body));
                if (!made.store(() -> true)) {
                    throw new AssertionError("not stored");
                }
            }
            StoredObject stored = Objects.requireNonNull(inMemory(path, variant));
            tier.stored(stored);
            return stored;
        } finally {
            store.lock().unlock();
        }
    }

    @Nullable
    StoredObject inMemory(String path, String variant) {
        CacheEntry entry = store.table().find(key(path));
        for (StoredObject o = entry == null ? null : entry.variants(); o != null; o = o.nextVariant()) {
            if (o.varyKey().equals(variant)) {
                return o;
            }
        }
        return null;
    }

    /** Evicts everything from memory; the disk keeps it. */
    void forget() {
        store.lock().lock();
        try {
            store.table().forEach(entry -> {
                for (StoredObject o = entry.variants(); o != null; o = entry.variants()) {
                    store.drop(o);
                }
            });
        } finally {
            store.lock().unlock();
        }
    }

    boolean purge(String path) {
        store.lock().lock();
        try {
            CacheEntry entry = store.table().find(key(path));
            if (entry != null) {
                store.clear(entry);
            }
            return tier.removed(key(path).hash());
        } finally {
            store.lock().unlock();
        }
    }

    void clear() {
        store.lock().lock();
        try {
            store.table().forEach(store::clear);
            tier.cleared();
        } finally {
            store.lock().unlock();
        }
    }

    /** Waits until all that was queued is written, or given up. */
    void settle() {
        await("what was queued is written", () -> tier.idle());
    }

    /** The body that a request gets from memory or from the disk; null: neither has it. */
    byte @Nullable [] get(String path) {
        return get(path, new Fields(), "");
    }

    byte @Nullable [] get(String path, Fields request, String variant) {
        if (inMemory(path, variant) == null) {
            load(path, request);
        }
        StoredObject found = inMemory(path, variant);
        if (found == null) {
            return null;
        }
        LowerBody below = found.below();
        return below == null ? body(found) : sent(below, 0, found.contentLength());
    }

    /** Waits for a load; returns false if there was none. */
    boolean load(String path, Fields request) {
        DiskLoad load = tier.load(key(path), () -> request);
        if (load == null) {
            return false;
        }
        AtomicBoolean over = new AtomicBoolean();
        boolean waits = load.await(new DiskLoad.Waiter() {
            @Override
            public Executor executor() {
                return Runnable::run;
            }

            @Override
            public void loaded(DiskLoad which) {
                over.set(true);
            }
        });
        if (waits) {
            await("it is loaded", over::get);
        }
        return true;
    }

    static byte[] body(StoredObject object) {
        if (object.below() != null) {
            throw new AssertionError("it is not in memory");
        }
        byte[] body = new byte[(int) object.contentLength()];
        int at = 0;
        for (int i = 0; i < object.bodyParts(); i++) {
            ByteBuf part = object.bodyPart(i);
            int n = part.readableBytes();
            part.readBytes(body, at, n);
            part.release();
            at += n;
        }
        return body;
    }

    /** What a client gets of a body that stays on the disk; null: the answer is cut. */
    static byte @Nullable [] sent(LowerBody below, long from, long to) {
        LinkedBlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BodyStream stream = BodyStream.of(below, from, to, UnpooledByteBufAllocator.DEFAULT, new BodyStream.Reader() {
            @Override
            public Executor executor() {
                return loop::add;
            }

            @Override
            public void more() {}
        });
        try {
            while (!stream.ended() && !stream.failed()) {
                ByteBuf piece = stream.next();
                if (piece != null) {
                    out.writeBytes(ByteBufUtil.getBytes(piece));
                    piece.release();
                } else if (!stream.failed()) {
                    loop.take().run();
                }
            }
            return stream.failed() ? null : out.toByteArray();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            stream.close();
        }
    }

    /** A body that tells whose it is: any mixture of two is recognised. */
    static byte[] body(String path, int version, int size) {
        byte[] body = new byte[size];
        Chance.seeded(path.hashCode() * 31L + version).random().nextBytes(body);
        return body;
    }

    long count(StatSpec spec, String... labels) {
        return stats.value(spec, labels);
    }

    @Override
    public void close() {
        tier.close();
        store.close();
    }
}
