package io.weir.proxy.cache.disk;

import io.weir.base.Clock;
import io.weir.base.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The partition's only writing thread: reads what is there at the start, then writes what is queued, and forces it once
 * a second. While the disk fails, answers are not written, and purges are kept until they can be.
 */
final class DiskWriter implements Runnable {
    private static final long FORCE_MILLIS = 1000;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MARKERS = 4096;

    private final Folder folder;
    private final DiskLog log;
    private final DiskIndex index;
    private final WriteQueue queue;
    private final DiskReader reader;
    private final Set<Long> doubtful;
    private final DiskCounters counters;
    private final long mostObjects;
    private final long segmentBytes;
    private final Clock clock;
    private final Log messages;
    private final Map<Long, Marker> markers = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Marker> eldest) {
            return size() > MARKERS;
        }
    };
    /** Purges that could not be written yet. */
    private final List<WriteQueue.Note> owed = new ArrayList<>();

    private long retryAt;
    private long forcedAt;
    private boolean dirty;
    private volatile boolean failing;
    private volatile boolean ready;
    private volatile long atStart;

    /** A key's marker as it was last seen. */
    private record Marker(long location, List<String> names) {}

    /** A record that was written and is not visible yet. */
    private record Written(WriteQueue.Put put, long location, long marker, boolean newMarker) {}

    /** What the writer needs. */
    record Parts(
            Folder folder,
            DiskLog log,
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
        this.folder = parts.folder();
        this.log = parts.log();
        this.index = parts.index();
        this.queue = parts.queue();
        this.reader = parts.reader();
        this.doubtful = parts.doubtful();
        this.counters = parts.counters();
        this.mostObjects = parts.mostObjects();
        this.segmentBytes = parts.segmentBytes();
        this.clock = parts.clock();
        this.messages = parts.messages();
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
            recover();
            // purges that came meanwhile are applied to what was read
            write(queue.take(0));
            queue.open();
            ready = true;
            while (!queue.finished()) {
                write(queue.take(FORCE_MILLIS));
                forceInTime();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            ready = false;
            log.close();
            folder.close();
        }
    }

    private void recover() {
        long begun = clock.nanos();
        try {
            new Recovery(folder, log, index, doubtful, counters).run();
        } catch (IOException e) {
            counters.readErrors.inc();
            messages.log(DiskMessages.READ_FAILED, e.toString());
        }
        atStart = index.size();
        messages.log(
                DiskMessages.RECOVERED,
                index.size(),
                log.segments(),
                TimeUnit.NANOSECONDS.toMillis(clock.nanos() - begun));
    }

    private void write(List<WriteQueue.Task> batch) {
        boolean waits = failing && clock.nanos() - retryAt < 0;
        List<Written> written = new ArrayList<>();
        try {
            if (waits) {
                giveUp(batch);
                return;
            }
            dropReported();
            if (!batch.isEmpty() || !owed.isEmpty()) {
                writeOwed();
                append(batch, written);
                log.flush();
                dirty = true;
                failing = false;
            }
            written.forEach(this::publish);
        } catch (IOException e) {
            failed(e);
            giveUp(batch);
        } finally {
            queue.done(batch);
        }
    }

    private void append(List<WriteQueue.Task> batch, List<Written> written) throws IOException {
        Map<Long, Marker> begun = new HashMap<>();
        for (WriteQueue.Task task : batch) {
            switch (task) {
                case WriteQueue.Note note -> note(note);
                case WriteQueue.Put put -> put(put, begun, written);
            }
        }
    }

    private void note(WriteQueue.Note note) throws IOException {
        switch (note.kind()) {
            case GONE -> index.remove(note.hash());
            case DOUBT, CLEAR, OBJECT, MARKER -> {}
        }
        log.append(log.note(note.kind(), note.hash()));
    }

    private void put(WriteQueue.Put put, Map<Long, Marker> begun, List<Written> written) throws IOException {
        while (index.size() >= mostObjects && log.reclaim()) {
            // each round removes a segment's objects
        }
        long marker = Location.NONE;
        boolean newMarker = false;
        if (put.variant() != 0) {
            Marker known = begun.get(put.hash());
            newMarker = known != null;
            known = known == null ? marker(put.hash()) : known;
            List<String> names = put.object().vary().names();
            if (known == null || !known.names().equals(names)) {
                newMarker = true;
                known = new Marker(log.append(Encoding.marker(put, log.nextSequence())), names);
                begun.put(put.hash(), known);
                markers.put(put.hash(), known);
            }
            marker = known.location();
        }
        DiskLog.Parts record = Encoding.object(put, log.nextSequence());
        if (!log.fits(record.head().length())) {
            refused(put, "size");
            return;
        }
        written.add(new Written(put, log.append(record), marker, newMarker));
    }

    private @Nullable Marker marker(long hash) {
        long location = index.find(hash);
        if (!Location.marker(location)) {
            return null;
        }
        Marker known = markers.get(hash);
        if (known == null || !Location.same(known.location(), location)) {
            List<String> names = reader.names(hash, location);
            known = names == null ? null : new Marker(location, names);
            if (known != null) {
                markers.put(hash, known);
            }
        }
        return known;
    }

    private void publish(Written one) {
        WriteQueue.Put put = one.put();
        boolean visible = put.variant() == 0
                ? queue.publish(put, put.hash(), one.location())
                : queue.publish(put, one.location(), one.marker(), one.newMarker());
        if (visible) {
            counters.written.inc();
        }
    }

    /** Segments in which readers found damage. */
    private void dropReported() throws IOException {
        for (Integer slot = reader.damaged(); slot != null; slot = reader.damaged()) {
            log.drop(slot);
        }
    }

    private void writeOwed() throws IOException {
        for (WriteQueue.Note note : owed) {
            log.append(log.note(note.kind(), note.hash()));
        }
        log.flush();
        owed.clear();
    }

    private void giveUp(List<WriteQueue.Task> batch) {
        for (WriteQueue.Task task : batch) {
            switch (task) {
                case WriteQueue.Note note -> owed.add(note);
                case WriteQueue.Put put -> {
                    refused(put, "failing");
                }
            }
        }
        if (owed.size() > MARKERS) {
            owed.clear();
            queue.clear();
        }
    }

    /** An older answer of the key must not outlive the one that is not written, after a restart either. */
    private void refused(WriteQueue.Put put, String reason) {
        counters.refused(reason);
        long hash = put.variant() == 0 ? put.hash() : put.variant();
        if (index.remove(hash)) {
            owed.add(new WriteQueue.Note(put.ticket(), RecordHead.Kind.GONE, hash));
        }
    }

    private void failed(IOException e) {
        counters.writeErrors.inc();
        if (!failing) {
            messages.log(DiskMessages.WRITE_FAILED, e.toString());
        }
        failing = true;
        retryAt = clock.nanos() + RETRY_NANOS;
        log.failed();
        try {
            if (folder.usableBytes() < segmentBytes) {
                // a full disk: the cache gets smaller
                log.shrink();
                retryAt = clock.nanos();
            }
        } catch (IOException _) {
            counters.writeErrors.inc();
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
