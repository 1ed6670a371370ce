package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.MovedKeys;
import io.weir.proxy.cache.disk.files.PurgeMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The partition's only writing thread: reads what is there at the start, then writes what is queued, and forces it once
 * a second. While the disk fails, answers are not written, and purges are kept until they can be.
 */
final class DiskWriter implements Runnable {
    private static final long FORCE_MILLIS = 1000;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST_OWED = 4096;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final Folder folder;
    private final Adoption adoption;
    private final DiskLog log;
    private final PartitionGc gc;
    private final DiskIndex index;
    private final WriteQueue queue;
    private final DiskReader reader;
    private final Set<Long> doubtful;
    private final DiskCounters counters;
    private final long mostObjects;
    private final long segmentBytes;
    private final LongSupplier minSpace;
    private final Clock clock;
    private final Log messages;
    private final Markers markers;
    private final UnwrittenPurges unwritten;
    /** What was written since the last flush. */
    private final List<Written> written = new ArrayList<>();
    /** Purges that could not be written yet. */
    private final List<WriteQueue.Note> owed = new ArrayList<>();

    private long retryAt;
    private long forcedAt;
    private long sweptAt;
    private boolean dirty;
    private volatile boolean failing;
    private volatile boolean ready;
    private volatile long atStart;

    /** How far the purges of a cluster have come, when everything up to a ticket is written. */
    private record Reached(PurgeMark mark, long ticket) {}

    private final AtomicReference<@Nullable Reached> reached = new AtomicReference<>();

    /** A record that was written and is not visible yet. */
    private record Written(WriteQueue.Put put, long location, long marker, boolean newMarker) {}

    /** What the writer needs. */
    record Parts(
            String name,
            Folder folder,
            Adoption adoption,
            DiskLog log,
            PartitionGc gc,
            LongSupplier minSpace,
            DiskIndex index,
            WriteQueue queue,
            DiskReader reader,
            Set<Long> doubtful,
            DiskCounters counters,
            long mostObjects,
            long segmentBytes,
            Clock clock,
            Log messages) {}

    DiskWriter(Parts parts) {
        this.name = parts.name();
        this.folder = parts.folder();
        this.adoption = parts.adoption();
        this.log = parts.log();
        this.gc = parts.gc();
        this.minSpace = parts.minSpace();
        this.index = parts.index();
        this.queue = parts.queue();
        this.reader = parts.reader();
        this.doubtful = parts.doubtful();
        this.counters = parts.counters();
        this.mostObjects = parts.mostObjects();
        this.segmentBytes = parts.segmentBytes();
        this.clock = parts.clock();
        this.messages = parts.messages();
        this.markers = new Markers(index, reader);
        this.unwritten = new UnwrittenPurges(name, folder, adoption, counters, messages);
        log.reclaiming().before(this::publish);
    }

    /** Whether the index is complete: before that nothing is found. */
    boolean ready() {
        return ready;
    }

    /** Objects that were there at the start. */
    long atStart() {
        return atStart;
    }

    /** Whether the last write failed. */
    boolean failing() {
        return failing;
    }

    @Override
    public void run() {
        try {
            MovedKeys moved = claim();
            if (moved == null) {
                return;
            }
            recover(moved);
            fit();
            // purges that came meanwhile are applied to what was read, before any of it is found
            while (!queue.openIfIdle()) {
                write(queue.take(0));
            }
            ready = true;
            while (!queue.finished()) {
                write(queue.take(gc.running() ? 0 : FORCE_MILLIS));
                collect();
                sweep();
                forceInTime();
                writeMark();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            ready = false;
            gc.stop();
            abandon();
            log.close();
            folder.close();
        }
    }

    /** Without a writer nothing may wait for it. */
    private void abandon() {
        queue.close();
        while (!queue.finished()) {
            List<WriteQueue.Task> batch = queue.poll();
            batch.stream()
                    .filter(WriteQueue.Room.class::isInstance)
                    .forEach(task -> ((WriteQueue.Room) task).made().made(false));
            queue.done(batch);
        }
    }

    /** Bodies whose records were found to be unreadable or doubtful: nobody told of them. */
    private void sweep() {
        long now = clock.nanos();
        if (now - sweptAt >= SWEEP_NANOS) {
            sweptAt = now;
            log.bodies().sweep(index);
        }
        log.bodies().removeUnused();
    }

    private void collect() {
        if (failing) {
            gc.stop();
            return;
        }
        try {
            gc.step();
            dirty = dirty || gc.running();
        } catch (IOException | RuntimeException e) {
            gc.stop();
            failed(e);
        }
    }

    /** The process that this one follows may still use the folder: what is there is found when that has ended. */
    private @Nullable MovedKeys claim() {
        try {
            while (!folder.claim()) {
                if (queue.closed()) {
                    return null;
                }
                LockSupport.parkNanos(CLAIM_NANOS);
            }
            return adoption.run(folder, messages);
        } catch (IOException e) {
            counters.writeErrors.inc();
            messages.log(DiskMessages.WRITE_FAILED, name, e.toString());
            failing = true;
            return null;
        }
    }

    private void recover(MovedKeys moved) {
        long begun = clock.nanos();
        try {
            new Recovery(name, folder, moved, log, reader, index, mostObjects, doubtful, counters, messages).run();
        } catch (IOException e) {
            counters.readErrors.inc();
            messages.log(DiskMessages.READ_FAILED, name, e.toString());
        }
        atStart = index.size();
        messages.log(
                DiskMessages.RECOVERED,
                name,
                index.size(),
                log.segments(),
                TimeUnit.NANOSECONDS.toMillis(clock.nanos() - begun),
                log.mostBody());
    }

    /** The size may be smaller than at the last start. */
    private void fit() {
        try {
            log.fit();
        } catch (IOException e) {
            failed(e);
        }
    }

    private void write(List<WriteQueue.Task> batch) {
        boolean waits = failing && clock.nanos() - retryAt < 0;
        apply(batch);
        try {
            if (waits) {
                giveUp(batch);
                return;
            }
            dropReported();
            log.held().limit();
            if (!batch.isEmpty() || !owed.isEmpty() || failing) {
                writeOwed();
                if (failing) {
                    // whether it can be written again: bodies with files of their own wait for that
                    note(new WriteQueue.Note(0, RecordHead.Kind.GONE, 0));
                }
                append(batch);
                log.flush();
                unwritten.show();
                dirty = true;
                resumed();
            }
            publish();
        } catch (IOException | RuntimeException e) {
            // whatever it is, the next ones are written again
            failed(e);
            giveUp(batch);
        } finally {
            queue.done(batch);
        }
    }

    /** Purges that came before the index was complete have not reached all of it. */
    private void apply(List<WriteQueue.Task> batch) {
        for (WriteQueue.Task task : batch) {
            if (task instanceof WriteQueue.Note note) {
                switch (note.kind()) {
                    case GONE -> {
                        index.remove(note.hash());
                        log.bodies().drop(note.hash());
                    }
                    case CLEAR -> {
                        index.clear();
                        log.bodies().clear();
                    }
                    case DOUBT, OBJECT, MARKER, LARGE -> {}
                }
            }
        }
    }

    private void append(List<WriteQueue.Task> batch) throws IOException {
        Map<Long, Markers.Marker> begun = new HashMap<>();
        for (WriteQueue.Task task : batch) {
            switch (task) {
                case WriteQueue.Note note -> note(note);
                case WriteQueue.Put put -> put(put, begun);
                case WriteQueue.Room room -> room.made().made(log.makeRoom());
            }
        }
    }

    private void note(WriteQueue.Note note) throws IOException {
        log.append(Encoding.note(note.kind(), note.hash(), log.nextSequence()));
    }

    private void put(WriteQueue.Put put, Map<Long, Markers.Marker> begun) throws IOException {
        while (index.size() + written.size() >= mostObjects && log.reclaim()) {
            // each round removes a segment's objects
        }
        long marker = Location.NONE;
        boolean newMarker = false;
        if (put.variant() != 0) {
            Markers.Marker known = begun.get(put.hash());
            newMarker = known != null;
            known = known == null ? markers.find(put.hash()) : known;
            List<String> names = put.object().vary().names();
            if (known == null || !known.names().equals(names)) {
                newMarker = true;
                known = new Markers.Marker(log.append(Encoding.marker(put, log.nextSequence())), names);
                begun.put(put.hash(), known);
                markers.put(put.hash(), known);
            }
            marker = known.location();
        }
        RecordParts record = Encoding.object(put, log.nextSequence());
        if (!log.fits(record.head().length())) {
            refused(put, "size");
            return;
        }
        try {
            written.add(new Written(put, log.append(record), marker, newMarker));
        } catch (RecordOutput.Unreadable _) {
            // nothing of the record is kept; the next one is written in its place
            refused(put, "unreadable");
        }
    }

    private void publish() {
        written.forEach(this::publish);
        written.clear();
    }

    private void publish(Written one) {
        WriteQueue.Put put = one.put();
        boolean visible = put.variant() == 0
                ? queue.publish(put, put.hash(), one.location())
                : queue.publish(put, one.location(), one.marker(), one.newMarker());
        if (visible) {
            counters.written.inc();
            SegmentBody below = (SegmentBody) put.object().below();
            BodyFile own = below == null ? null : below.own();
            long hash = put.variant() == 0 ? put.hash() : put.variant();
            if (own == null) {
                log.bodies().drop(hash);
            } else {
                log.bodies().named(hash, own, one.location());
            }
        } else {
            unnamed(put);
        }
    }

    /** No record names the body's file: memory lets it go, too, since only what has a record is freed. */
    private void unnamed(WriteQueue.Put put) {
        if (put.object().below() instanceof SegmentBody body) {
            BodyFile own = body.own();
            if (own != null && !own.known()) {
                reader.gone(body);
            }
        }
    }

    /** Segments and bodies in which readers found damage; the bodies are purged. */
    private void dropReported() throws IOException {
        for (String body = reader.dropped(); body != null; body = reader.dropped()) {
            messages.log(DiskMessages.BODY_DROPPED, body, name);
        }
        for (Integer slot = reader.damaged(); slot != null; slot = reader.damaged()) {
            String dropped = log.drop(slot);
            if (dropped != null) {
                messages.log(DiskMessages.SEGMENT_DROPPED, dropped, name);
            }
        }
    }

    private void writeOwed() throws IOException {
        for (WriteQueue.Note note : owed) {
            log.append(Encoding.note(note.kind(), note.hash(), log.nextSequence()));
        }
        log.flush();
        owed.clear();
    }

    private void giveUp(List<WriteQueue.Task> batch) {
        for (WriteQueue.Task task : batch) {
            switch (task) {
                case WriteQueue.Note note -> owed.add(note);
                case WriteQueue.Put put -> refused(put, "failing");
                case WriteQueue.Room room -> room.made().made(false);
            }
        }
        if (owed.size() > MOST_OWED) {
            // one purge of everything instead; owed, so that the folder stays hidden until it is written
            owed.clear();
            queue.clear();
            owed.add(new WriteQueue.Note(0, RecordHead.Kind.CLEAR, 0));
        }
        if (!owed.isEmpty()) {
            unwritten.hide();
        }
    }

    /** An older answer of the key must not outlive the one that is not written, after a restart either. */
    private void refused(WriteQueue.Put put, String reason) {
        counters.refused(reason);
        long hash = put.variant() == 0 ? put.hash() : put.variant();
        log.bodies().drop(hash);
        unnamed(put);
        if (index.remove(hash)) {
            owed.add(new WriteQueue.Note(put.ticket(), RecordHead.Kind.GONE, hash));
        }
    }

    private void resumed() {
        if (failing) {
            failing = false;
            messages.log(DiskMessages.WRITES_AGAIN, name, log.bytes(), log.capacity());
        }
    }

    private void failed(Exception e) {
        counters.writeErrors.inc();
        written.clear();
        // what it stands for may not be on the disk: the next start applies those purges again
        reached.set(null);
        if (!failing) {
            messages.log(DiskMessages.WRITE_FAILED, name, e.toString());
        }
        failing = true;
        retryAt = clock.nanos() + RETRY_NANOS;
        log.failed();
        try {
            if (folder.usableBytes() < segmentBytes + minSpace.getAsLong()) {
                // a full disk: the cache gets smaller
                log.shrink();
                retryAt = clock.nanos();
            }
        } catch (IOException _) {
            counters.writeErrors.inc();
        }
    }

    /** To be remembered once everything up to the ticket is forced. From any thread. */
    void mark(PurgeMark mark, long ticket) {
        reached.set(new Reached(mark, ticket));
    }

    private void writeMark() {
        Reached to = reached.get();
        if (to == null || failing || dirty || !owed.isEmpty() || !queue.done(to.ticket())) {
            return;
        }
        try {
            to.mark().write(folder);
            reached.compareAndSet(to, null);
        } catch (IOException e) {
            failed(e);
        }
    }

    private void forceInTime() {
        long now = clock.nanos();
        if (dirty && now - forcedAt >= TimeUnit.MILLISECONDS.toNanos(FORCE_MILLIS)) {
            forcedAt = now;
            dirty = false;
            try {
                log.force();
            } catch (IOException e) {
                failed(e);
            }
        }
    }
}
