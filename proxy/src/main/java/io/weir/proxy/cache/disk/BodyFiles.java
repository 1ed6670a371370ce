package io.weir.proxy.cache.disk;

import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of a partition that have files of their own: those that are too large for memory or for a segment. A record
 * in the log names the file; a file that no record names is removed. Their space is part of the partition's, and they go
 * with the segments of their records, or with what replaces or purges these. Shared; files are removed by the writer
 * only.
 */
final class BodyFiles {
    private final Folder folder;
    private final DiskCounters counters;

    // all guarded by this object
    /** From oldest to newest. */
    private final Map<Long, Known> byHash = new LinkedHashMap<>();

    private final Set<Long> unused = new HashSet<>();
    /** Removed files that somebody still reads: they have their space until that ends. */
    private final Set<Long> reading = new HashSet<>();

    private final Map<Long, Long> sizes = new HashMap<>();
    private long bytes;
    private long arriving;
    private long nextId;

    /** A body that a record names. */
    private static final class Known {
        final long id;
        final long bytes;
        long location;
        /** The file while it is in use. */
        @Nullable
        BodyFile open;

        Known(long id, long bytes, long location, @Nullable BodyFile open) {
            this.id = id;
            this.bytes = bytes;
            this.location = location;
            this.open = open;
        }
    }

    /** @param firstId greater than all that were used before, also before a restart: a name is never used again */
    BodyFiles(Folder folder, DiskCounters counters, long firstId) {
        this.folder = folder;
        this.counters = counters;
        this.nextId = firstId;
    }

    /** Bytes of all files, with those that are reserved for bodies that arrive. */
    synchronized long bytes() {
        return bytes;
    }

    /** Bytes of removed files that are still read; part of {@link #bytes}. */
    synchronized long held() {
        return reading.stream().mapToLong(id -> sizes.getOrDefault(id, 0L)).sum();
    }

    synchronized int count() {
        return byHash.size();
    }

    /** Bodies that arrive will have so many bytes more; false: too much arrives at once. */
    synchronized boolean claim(long more, long most) {
        if (arriving + more > most) {
            return false;
        }
        arriving += more;
        return true;
    }

    /** What was claimed has arrived, or will not. */
    synchronized void unclaim(long claimed) {
        arriving -= claimed;
    }

    /** Bytes are reserved for a body that arrives, or given back. */
    synchronized void reserve(long more) {
        bytes += more;
    }

    /** Creates a file for a body that arrives; held by the caller. */
    BodyFile create() throws IOException {
        long id;
        synchronized (this) {
            id = nextId++;
        }
        return new BodyFile(this, id, folder.create(BodyFile.name(id)), 0, false);
    }

    /** A body has arrived: its file has its size from now on, instead of what was reserved. */
    synchronized void arrived(BodyFile file, long reserved, long size) {
        file.bytes(size);
        sizes.put(file.id, size);
        bytes += size - reserved;
    }

    /** A record with the body is visible from now on. */
    void named(long hash, BodyFile file, long location) {
        leave(replaced(hash, file, location));
    }

    private synchronized @Nullable BodyFile replaced(long hash, BodyFile file, long location) {
        place(file, hash, location);
        Known before = byHash.get(hash);
        if (before != null && before.id == file.id) {
            before.location = location;
            renew(hash, before);
            return null;
        }
        BodyFile old = remove(hash);
        byHash.put(hash, new Known(file.id, file.bytes(), location, file));
        file.known(true);
        return old;
    }

    private static void place(BodyFile file, long hash, long location) {
        SegmentBody.Place place = new SegmentBody.Place(hash, location);
        file.bodies.forEach(body -> body.place(place));
    }

    private void renew(long hash, Known known) {
        byHash.remove(hash);
        byHash.put(hash, known);
    }

    /**
     * The oldest of the bodies whose records are in a segment; null: there is none. One that was used has a second chance,
     * once.
     */
    synchronized @Nullable Long oldest(int slot, DiskIndex index) {
        Map<Long, Known> spared = new LinkedHashMap<>();
        Long oldest = null;
        for (Map.Entry<Long, Known> one : byHash.entrySet()) {
            Known known = one.getValue();
            if (Location.slot(known.location) == slot) {
                long now = index.find(one.getKey());
                if (!Location.same(now, known.location) || Location.uses(now) == 0) {
                    oldest = one.getKey();
                    break;
                }
                index.replace(one.getKey(), now, Location.unused(now));
                spared.put(one.getKey(), known);
            }
        }
        Long first = spared.isEmpty() ? null : spared.keySet().iterator().next();
        spared.forEach(this::renew);
        return oldest == null ? first : oldest;
    }

    /** A start found a record that names the file. */
    synchronized void recovered(long hash, long id, long size, long location) {
        nextId = Math.max(nextId, id + 1);
        byHash.put(hash, new Known(id, size, location, null));
        sizes.put(id, size);
        bytes += size;
    }

    /** A start found the file, and no record that names it. */
    synchronized void unnamed(long id) {
        nextId = Math.max(nextId, id + 1);
        unused.add(id);
    }

    /** A record was carried over. */
    synchronized void moved(long hash, long from, long to) {
        Known known = byHash.get(hash);
        if (known != null && Location.same(known.location, from)) {
            known.location = to;
            renew(hash, known);
            if (known.open != null) {
                place(known.open, hash, to);
            }
        }
    }

    /** Size of the body that a record at the location names; 0: none. */
    synchronized long size(long hash, long location) {
        Known known = byHash.get(hash);
        return known != null && Location.same(known.location, location) ? known.bytes : 0;
    }

    /** The name of the file that a record at the location names; null: none. */
    synchronized @Nullable String name(long hash, long location) {
        Known known = byHash.get(hash);
        return known != null && Location.same(known.location, location) ? BodyFile.name(known.id) : null;
    }

    /**
     * Opens a body's file, retained.
     *
     * @param waits whether the disk may be waited for; otherwise only what is open is returned
     * @return null: it is not there, or not open
     */
    @Nullable
    BodyFile open(long hash, long id, boolean waits) throws IOException {
        synchronized (this) {
            Known known = byHash.get(hash);
            if (known == null || known.id != id) {
                return null;
            }
            BodyFile open = known.open;
            if (open != null && open.retain()) {
                return open;
            }
        }
        return waits ? opened(hash, id, folder.open(BodyFile.name(id))) : null;
    }

    private synchronized @Nullable BodyFile opened(long hash, long id, SegmentFile file) {
        Known known = byHash.get(hash);
        if (known == null || known.id != id) {
            file.close();
            return null;
        }
        BodyFile other = known.open;
        if (other != null && other.retain()) {
            file.close();
            return other;
        }
        BodyFile opened = new BodyFile(this, id, file, known.bytes, true);
        known.open = opened;
        return opened;
    }

    /** No record of the hash is valid any more. The writer's. */
    void drop(long hash) {
        leave(remove(hash));
    }

    /** The record at the location is not valid any more. The writer's. */
    void drop(long hash, long location) {
        BodyFile dropped;
        synchronized (this) {
            Known known = byHash.get(hash);
            dropped = known != null && Location.same(known.location, location) ? remove(hash) : null;
        }
        leave(dropped);
    }

    /** No record is valid any more. The writer's. */
    void clear() {
        List<Long> all;
        synchronized (this) {
            all = List.copyOf(byHash.keySet());
        }
        all.forEach(this::drop);
    }

    /** Removes the files whose records the index has lost. The writer's. */
    void sweep(DiskIndex index) {
        List<Long> lost = new ArrayList<>();
        synchronized (this) {
            byHash.forEach((hash, known) -> {
                if (!Location.same(index.find(hash), known.location)) {
                    lost.add(hash);
                }
            });
        }
        lost.forEach(this::drop);
    }

    /** Returns the file if it is in use. */
    private synchronized @Nullable BodyFile remove(long hash) {
        Known known = byHash.remove(hash);
        if (known == null) {
            return null;
        }
        unused.add(known.id);
        BodyFile open = known.open;
        if (open == null || !open.used()) {
            return null;
        }
        open.known(false);
        reading.add(known.id);
        if (!open.used()) {
            // meanwhile
            reading.remove(known.id);
            return null;
        }
        return open;
    }

    /** Nothing is answered from the file any more. Not under the lock: the store's is taken, whose holder may close files. */
    private void leave(@Nullable BodyFile file) {
        if (file != null) {
            file.bodies.forEach(SegmentBody::gone);
        }
    }

    /** Nobody uses the file any more; from any thread. */
    void closed(BodyFile file) {
        if (!file.known()) {
            synchronized (this) {
                reading.remove(file.id);
                unused.add(file.id);
            }
        }
    }

    /** Removes files that nothing names; the writer's. One that cannot be removed is tried again. */
    void removeUnused() {
        List<Long> all;
        synchronized (this) {
            all = unused.isEmpty() ? List.of() : List.copyOf(unused);
        }
        all.forEach(this::delete);
    }

    /** Not under the lock: muxers take it, and a large file takes long. */
    private void delete(long id) {
        try {
            folder.delete(BodyFile.name(id));
        } catch (IOException _) {
            counters.writeErrors.inc();
            return;
        }
        synchronized (this) {
            unused.remove(id);
            if (!reading.contains(id)) {
                Long size = sizes.remove(id);
                bytes -= size == null ? 0 : size;
            }
        }
    }
}
