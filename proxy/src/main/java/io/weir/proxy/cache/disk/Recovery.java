package io.weir.proxy.cache.disk;

import io.weir.base.Log;
import io.weir.proxy.cache.disk.files.Folder;
import io.weir.proxy.cache.disk.files.MovedKeys;
import io.weir.proxy.cache.disk.files.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a partition at its start: the contents of full segments, and the records of those that were not ended, which are
 * ended now. Nothing is thrown away that is intact; what is not is counted and removed. One call, on the writer's
 * thread.
 */
final class Recovery {
    private static final int WINDOW = 1 << 20;

    private final String name;
    private final Folder folder;
    private final MovedKeys moved;
    private final DiskLog log;
    private final DiskReader reader;
    private final DiskIndex index;
    private final DiskIndex.Intake intake;
    private final long most;
    private final Set<Long> doubtful;
    private final DiskCounters counters;
    private final Log messages;
    /** Records that name files, by hash: where the last of each is. */
    private final Map<Long, Long> large = new HashMap<>();

    /**
     * Prepares it.
     *
     * @param most objects that the partition may have
     */
    Recovery(
            String name,
            Folder folder,
            MovedKeys moved,
            DiskLog log,
            DiskReader reader,
            DiskIndex index,
            long most,
            Set<Long> doubtful,
            DiskCounters counters,
            Log messages) {
        this.name = name;
        this.folder = folder;
        this.moved = moved;
        this.log = log;
        this.reader = reader;
        this.index = index;
        this.intake = index.new Intake();
        this.most = most;
        this.doubtful = doubtful;
        this.counters = counters;
        this.messages = messages;
    }

    private record Found(long sequence, SegmentFile file, int records) {}

    void run() throws IOException {
        List<Found> found = new ArrayList<>();
        log.taken(moved.latest() - 1);
        List<String> files = folder.names();
        for (String file : files) {
            if (Segment.isName(file)) {
                log.taken(Segment.number(file));
                open(file, found);
            }
        }
        found.sort(Comparator.comparingLong(Found::sequence));
        while (found.size() > Location.MOST_SEGMENTS - 2) {
            Found oldest = found.removeFirst();
            oldest.file().close();
            folder.delete(Segment.name(oldest.sequence()));
        }
        index.expect(Math.min(most, found.stream().mapToLong(Found::records).sum()));
        for (Found one : found) {
            try {
                read(one);
            } catch (IOException e) {
                unreadable(Segment.name(one.sequence()), e);
            }
        }
        intake.flush();
        index.fit();
        bodies(files);
    }

    /** Finds the bodies that records name; those that none names had not arrived, or their records were lost. */
    private void bodies(List<String> files) {
        Set<String> present = new HashSet<>(files);
        BodyFiles bodies = log.bodies();
        large.forEach((hash, location) -> {
            if (!Location.same(index.find(hash), location)) {
                return;
            }
            DiskReader.Named named = reader.named(hash, location);
            if (named != null && present.remove(BodyFile.name(named.id()))) {
                bodies.recovered(hash, named.id(), named.bytes(), location);
            } else {
                index.remove(hash, location);
                counters.missing.inc();
            }
        });
        for (String name : present) {
            if (BodyFile.isName(name)) {
                bodies.unnamed(BodyFile.id(name));
                delete(name);
            }
        }
    }

    private void delete(String body) {
        try {
            folder.delete(body);
        } catch (IOException e) {
            unreadable(body, e);
        }
    }

    /** One file that cannot be read costs what is in it, and nothing else. */
    private void open(String called, List<Found> found) {
        try {
            SegmentFile file = folder.open(called);
            long sequence = Segment.sequence(file);
            if (sequence < 0 || !called.equals(Segment.name(sequence))) {
                file.close();
                folder.delete(called);
                counters.dropped.inc();
            } else {
                found.add(new Found(sequence, file, Contents.records(file, sequence)));
            }
        } catch (IOException e) {
            unreadable(called, e);
        }
    }

    private void unreadable(String file, IOException e) {
        counters.readErrors.inc();
        messages.log(DiskMessages.READ_FAILED, name, file + ": " + e.getMessage());
    }

    private void read(Found one) throws IOException {
        Contents contents = Contents.read(one.file(), one.sequence());
        boolean ended = contents != null;
        if (contents == null) {
            contents = scan(one.file());
        }
        long end = contents.end();
        int slot = log.recovered(one.sequence(), one.file(), end);
        contents.forEach((kind, hash, offset, length) -> {
            if (moved.counts(hash, one.sequence()) || kind == RecordHead.Kind.CLEAR || kind == RecordHead.Kind.DOUBT) {
                apply(slot, kind, hash, offset, length);
            }
        });
        log.recoveredRecords(contents.nextRecord());
        if (!ended) {
            contents.write(one.file(), end, one.sequence());
            // what a killed process wrote is as certain from now on as what this one will have forced
            one.file().force();
        }
    }

    private void apply(int slot, RecordHead.Kind kind, long hash, long offset, long length) {
        switch (kind) {
            case OBJECT -> intake.put(hash, Location.of(slot, offset, length, false));
            case MARKER -> intake.put(hash, Location.of(slot, offset, length, true));
            case LARGE -> {
                long location = Location.of(slot, offset, length, false);
                intake.put(hash, location);
                large.put(hash, location);
            }
            case GONE -> intake.put(hash, Location.NONE);
            case CLEAR -> {
                intake.flush();
                index.clear();
            }
            case DOUBT -> doubtful.add(hash);
        }
    }

    /** The records of a segment that was not ended, up to the first that is not whole. */
    private Contents scan(SegmentFile file) throws IOException {
        Contents contents = new Contents();
        long size = file.size();
        ByteBuffer window = ByteBuffer.allocate(WINDOW);
        ByteBuffer trailer = ByteBuffer.allocate(RecordHead.TRAILER);
        long at = Segment.HEADER;
        long windowAt = -1;
        int windowSize = 0;
        while (at + RecordHead.BYTES <= size) {
            if (windowAt < 0 || at < windowAt || at + RecordHead.BYTES > windowAt + windowSize) {
                windowAt = at;
                windowSize = file.read(window.clear(), at);
                window.flip();
            }
            RecordHead head = RecordHead.read(window, (int) (at - windowAt));
            if (head == null || at + head.length() > size) {
                break;
            }
            if (at + head.bodyAt() > windowAt + windowSize) {
                if (head.bodyAt() > WINDOW) {
                    window = ByteBuffer.allocate(head.bodyAt());
                }
                windowAt = at;
                windowSize = file.read(window.clear(), at);
                window.flip();
            }
            ByteBuffer record = window.slice((int) (at - windowAt), (int) (windowAt + windowSize - at));
            file.read(trailer.clear(), at + head.length() - RecordHead.TRAILER);
            if (!head.intact(record) || Long.reverseBytes(trailer.getLong(0)) != head.sequence()) {
                break;
            }
            contents.add(head.kind(), head.hash(), at, head.length());
            contents.nextRecord(Math.max(contents.nextRecord(), head.sequence() + 1));
            at += head.length();
        }
        if (at < size) {
            counters.tails.inc();
        }
        return contents;
    }
}
