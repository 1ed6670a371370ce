package io.weir.journal.recovery;

import io.weir.base.Counter;
import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.journal.damage.Damage;
import io.weir.journal.damage.DamageBook;
import io.weir.journal.damage.DamageInquiry;
import io.weir.journal.disk.Disk;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.Removals;
import io.weir.journal.segment.Scanner;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.SegmentFiles;
import io.weir.journal.segment.StaleCopies;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recovers a journal: finds the governing segment table, checks that every segment in it exists, scans all records,
 * truncates torn tails, reports damage, and determines which entries are live. Confined to the opening thread; used for
 * one start. It may itself be interrupted at any point.
 */
public final class Recovery {
    private static final String FINDER = "start";
    /** Maximum memory per removal, while its array grows. */
    private static final int PAIR = 48;

    private final SegmentFiles files;
    private final JournalConfig config;
    private final Disk disk;
    private final Log log;
    private final Counter damagedPlaces;
    private final Counter tornTails;

    private final TreeMap<Long, Segment> found = new TreeMap<>();
    /** Ends of the sealed segments by number, according to the governing table. */
    private Map<Long, Long> ends = new HashMap<>();

    private long tableIn = -1;
    private final LocationIndex index = new LocationIndex();
    private final StaleCopies staleCopies = new StaleCopies();
    private final List<Killing> killings = new ArrayList<>();
    private long highestSequence;
    private Fence fence = Fence.NONE;

    private final DamageBook damages;
    private final Replay replay;
    private final RecoveryProgress progress;
    /** Heap bytes for the index and the removals. */
    private final long room;

    private final List<Cut> cuts = new ArrayList<>();
    /** Bytes in the segments, and bytes read so far. */
    private long bytes;

    private long read;
    private long pairs;
    private final List<Place> places = new ArrayList<>();
    private final List<Long> missing = new ArrayList<>();
    private final List<Damage> setAside = new ArrayList<>();
    /** The highest sequence of each segment's entries. */
    private final TreeMap<Long, Long> highest = new TreeMap<>();
    /** Entries removed from damaged segments in which they were not found. */
    private final Set<Long> removedUnseen = new HashSet<>();

    /** By id; without copies in the same segment as their removal. */
    private final Map<Long, Unnamed> unnamed = new HashMap<>();

    /**
     * A place with damage.
     *
     * @param cut whether the file was truncated there
     */
    private record Place(Segment in, long limit, boolean sealed, boolean cut, Scanner.Damage damage) {}

    /** The removals of one segment. */
    private record Killing(Segment in, Removals removals) {}

    /** A removal, and the segments with copies that no removal of its id names. */
    private record Unnamed(Segment in, Set<Long> copies) {}

    /** The end of a segment. */
    private record Cut(Segment s, long end, boolean torn) {}

    /** Thrown if the index does not fit. */
    private static final class Crowded extends Exception {
        private static final long serialVersionUID = 1L;

        Crowded() {
            super("", null, false, false);
        }
    }

    public Recovery(
            SegmentFiles files,
            JournalConfig config,
            Disk disk,
            Log log,
            Counter damagedPlaces,
            Counter tornTails,
            DamageBook damages,
            Replay replay,
            RecoveryProgress progress) {
        this.files = files;
        this.config = config;
        this.disk = disk;
        this.log = log;
        this.damagedPlaces = damagedPlaces;
        this.tornTails = tornTails;
        this.damages = damages;
        this.replay = replay;
        this.progress = progress;
        this.room = replay.heap();
    }

    public Recovered run() throws IOException, JournalFault {
        NavigableMap<Long, String> listed = files.list();
        for (Map.Entry<Long, String> e : listed.entrySet()) {
            Segment s = files.open(e.getValue());
            if (s != null) {
                found.put(e.getKey(), s);
            }
        }
        findTable();
        check(listed);
        discardLeftOvers(listed);
        bytes = found.values().stream().mapToLong(s -> s.capacity).sum();
        try {
            for (Segment s : List.copyOf(found.values())) {
                walk(s);
            }
        } catch (Crowded e) {
            throw count();
        }
        for (Killing k : killings) {
            apply(k);
        }
        unnamed.forEach((id, u) -> u.in().killsToo(id, u.copies()));
        inquire();
        for (Cut c : cuts) {
            cut(c.s(), c.end(), c.torn());
        }
        long last = listed.isEmpty() ? 0 : listed.lastKey();
        return new Recovered(List.copyOf(found.values()), index, staleCopies, last, highestSequence, fence);
    }

    /**
     * Counts the entries if they do not fit; nothing was truncated, and all damage is found again by the next start.
     */
    private JournalFault count() throws IOException, JournalFault {
        log.log(JournalMessages.CROWDED, files.journal());
        damages.add(setAside);
        index.clear();
        killings.clear();
        replay.crowded();
        read = 0;
        long entries = 0;
        long removed = 0;
        for (Segment s : found.values()) {
            Scanner scan = new Scanner(s, limit(s), sealed(s));
            while (scan.next()) {
                if (scan.kind == Records.ENTRY) {
                    entries++;
                    replay.entry(scan.sequence, scan.type, scan.payload().asReadOnlyBuffer());
                }
                logProgress(scan, entries);
            }
            read += s.capacity;
        }
        replay.index(entries * LocationIndex.MOST_BYTES + removed * PAIR);
        replay.end();
        return new JournalFault(
                JournalFault.Reason.NO_MEMORY, "the index of " + entries + " entries does not fit the heap");
    }

    private boolean sealed(Segment s) {
        return ends.getOrDefault(s.number(), -1L) >= 0;
    }

    private long limit(Segment s) {
        return sealed(s) ? Math.min(ends.getOrDefault(s.number(), s.capacity), s.capacity) : s.capacity;
    }

    private void logProgress(Scanner scan, long entries) {
        if (progress.step()) {
            progress.log(JournalMessages.READING, files.journal(), read + scan.offset, bytes, entries);
        }
    }

    /** Determines the consequences of the damage, now that everything is known, and stores them. */
    private void inquire() throws IOException {
        DamageInquiry.Knowledge known =
                DamageInquiry.Knowledge.of(replay.describer(), removedUnseen::contains, index, found::get);
        List<Damage> all = new ArrayList<>(setAside);
        for (long number : missing) {
            all.add(missing(number));
        }
        for (Place p : places) {
            Scanner.Damage d = p.damage();
            if (!damages.knows(p.in().name, d.offset())) {
                DamageInquiry inquiry = new DamageInquiry(p.in(), p.limit(), p.sealed(), known);
                all.add(damages.of(
                        FINDER,
                        p.in().name,
                        d.offset(),
                        d.length(),
                        p.cut() ? "the file was truncated" : inquiry.cause(d),
                        p.cut() ? List.of(inquiry.after()) : inquiry.lost(d)));
            }
        }
        damages.add(all);
        damages.retain(found.values().stream().map(s -> s.name).collect(Collectors.toSet()));
    }

    private Damage missing(long number) {
        Map.Entry<Long, Long> before = highest.lowerEntry(number);
        Map.Entry<Long, Long> behind = highest.higherEntry(number);
        String text = "unknown: its entire content"
                + (before == null ? "" : ", mostly entries above " + before.getValue())
                + (behind == null ? "" : ", up to " + behind.getValue());
        long end = ends.getOrDefault(number, -1L);
        return damages.of(FINDER, files.name(number), 0, end, "the file is missing", List.of(text));
    }

    /** The last valid table of the highest segment that has one. */
    private void findTable() throws IOException {
        for (Segment s : found.descendingMap().values()) {
            Scanner scan = new Scanner(s, s.capacity, false);
            while (scan.next()) {
                if (scan.kind == Records.TABLE) {
                    ends = table(scan.payload());
                    tableIn = s.number();
                }
            }
            if (tableIn >= 0) {
                return;
            }
        }
    }

    private static Map<Long, Long> table(ByteBuffer b) {
        Map<Long, Long> read = new HashMap<>();
        for (int i = 0; i + Records.TABLE_BYTES <= b.limit(); i += Records.TABLE_BYTES) {
            read.put(b.getLong(i), b.getLong(i + 8));
        }
        return read;
    }

    private void check(NavigableMap<Long, String> listed) throws JournalFault {
        for (long number : ends.keySet()) {
            if (!found.containsKey(number)) {
                String file = listed.getOrDefault(number, files.name(number));
                log.log(JournalMessages.MISSING, file, disk.place());
                if (!config.tolerateMissingFiles()) {
                    throw new JournalFault(
                            JournalFault.Reason.SEGMENT_MISSING,
                            "segment " + file + " is missing or unreadable in " + disk.place()
                                    + ": restore it, or start once with tolerate-missing-files, accepting the loss");
                }
                missing.add(number);
            }
        }
    }

    /** Deletes files that no table names: released but not deleted before the end, or prepared and not used. */
    private void discardLeftOvers(NavigableMap<Long, String> listed) throws IOException {
        for (Map.Entry<Long, String> e : listed.entrySet()) {
            long number = e.getKey();
            Segment s = found.get(number);
            boolean named = tableIn < 0 || ends.containsKey(number) || number > tableIn;
            if (s == null || !named || !used(s)) {
                if (s != null) {
                    s.file.close();
                    found.remove(number);
                }
                if (s == null && files.holdsAnything(e.getValue())) {
                    setAside(e.getValue());
                } else if (s != null || !ends.containsKey(number)) {
                    files.deleteLeftOver(e.getValue());
                }
            }
        }
    }

    /** Sets a file aside that was written to, but cannot be read without its header. */
    private void setAside(String name) throws IOException {
        String aside = files.setAside(name);
        log.log(JournalMessages.SET_ASIDE, name, aside);
        damagedPlaces.inc();
        List<String> lost = List.of("unknown: its entire content, except what other segments contain");
        setAside.add(damages.of(FINDER, name, 0, -1, "its header cannot be read; set aside as " + aside, lost));
    }

    /** Whether it contains any valid record. */
    private boolean used(Segment s) throws IOException {
        return ends.containsKey(s.number()) || new Scanner(s, s.capacity, false).next();
    }

    private void walk(Segment s) throws IOException, Crowded {
        long known = ends.getOrDefault(s.number(), -1L);
        boolean sealed = sealed(s);
        long limit = limit(s);
        Scanner scan = new Scanner(s, limit, sealed);
        Removals removals = new Removals();
        while (scan.next()) {
            if (index.bytesForOneMore() + pairs * PAIR > room) {
                throw new Crowded();
            }
            take(s, scan, removals);
            logProgress(scan, index.count());
        }
        read += s.capacity;
        killings.add(new Killing(s, removals));
        report(s, scan, limit, sealed);
        if (sealed && s.capacity < known) {
            damaged(new Place(s, limit, true, true, new Scanner.Damage(s.capacity, known - s.capacity, 0, false)));
        }
        boolean dirty = !sealed && scan.dirtyTail();
        boolean shortened = dirty && s.capacity < s.header.capacity();
        if (shortened) {
            // a segment is zero-filled before it is written to, and only a start truncates it, at a record boundary:
            // this was not caused by a crash
            long missingBytes = s.header.capacity() - scan.validEnd();
            damaged(new Place(s, limit, false, true, new Scanner.Damage(scan.validEnd(), missingBytes, 0, false)));
        }
        cuts.add(new Cut(s, sealed ? limit : scan.validEnd(), dirty && !shortened));
    }

    private void take(Segment s, Scanner scan, Removals removals) throws IOException {
        highestSequence = Math.max(highestSequence, scan.sequence);
        fence = fence.compareTo(scan.fence) < 0 ? scan.fence : fence;
        if (scan.kind == Records.ENTRY) {
            long before = index.get(scan.sequence);
            if (before != LocationIndex.NONE) {
                Segment old = segment(LocationIndex.segment(before));
                if (old != null) {
                    old.dies(index.size(scan.sequence));
                    staleCopies.add(scan.sequence, old.number());
                }
            }
            highest.merge(s.number(), scan.sequence, Math::max);
            index.put(scan.sequence, LocationIndex.place(s.number(), scan.offset), (int) scan.size());
            s.lives(scan.size());
        } else if (scan.kind == Records.REMOVAL) {
            ByteBuffer b = scan.payload();
            for (int i = 0; i + Records.REMOVAL_BYTES <= scan.length; i += Records.REMOVAL_BYTES) {
                removals.add(b.getLong(i), b.getLong(i + 8));
                pairs++;
            }
        }
    }

    private @Nullable Segment segment(long number) {
        return found.get(number);
    }

    private void apply(Killing k) {
        for (int i = 0; i < k.removals().size(); i++) {
            long id = k.removals().id(i);
            highestSequence = Math.max(highestSequence, id);
            long at = index.get(id);
            Segment holder = at == LocationIndex.NONE ? null : segment(LocationIndex.segment(at));
            Segment killed = segment(k.removals().segment(i));
            if (holder != null) {
                holder.dies(index.size(id));
                index.remove(id);
                if (holder != killed || !staleCopies.of(id).isEmpty()) {
                    unnamed(id, k.in(), holder);
                }
            }
            named(id, k.removals().segment(i));
            if (killed != null && killed != holder && killed.stuck) {
                removedUnseen.add(id);
            }
            if (killed != null) {
                k.in().kills(killed.number());
            }
        }
    }

    /** Records all copies of a removed entry, until its removals name them. */
    private void unnamed(long id, Segment in, Segment holder) {
        Set<Long> copies = new HashSet<>(staleCopies.of(id));
        copies.add(holder.number());
        copies.remove(in.number());
        if (!copies.isEmpty()) {
            unnamed.put(id, new Unnamed(in, copies));
        }
    }

    private void named(long id, long segment) {
        Unnamed u = unnamed.get(id);
        if (u != null && u.copies().remove(segment) && u.copies().isEmpty()) {
            unnamed.remove(id);
        }
    }

    private void report(Segment s, Scanner scan, long limit, boolean sealed) throws IOException {
        for (Scanner.Damage d : scan.damages()) {
            if (d.torn()) {
                torn(s, d.offset(), d.length());
                Repair.pad(s, d.offset(), d.length());
            } else {
                damaged(new Place(s, limit, sealed, false, d));
            }
        }
    }

    private void damaged(Place p) {
        Scanner.Damage d = p.damage();
        if (!damages.isAcknowledged(p.in().name, d.offset())) {
            log.log(JournalMessages.DAMAGED, p.in().name, d.offset(), d.sequence(), d.length());
            damagedPlaces.inc();
        }
        p.in().stuck = true;
        places.add(p);
    }

    private void torn(Segment s, long offset, long bytes) {
        log.log(JournalMessages.TORN_TAIL, s.name, offset, bytes);
        tornTails.inc();
    }

    /** Truncates the allocated but unused tail, torn or not. */
    private void cut(Segment s, long end, boolean torn) throws IOException {
        if (torn) {
            torn(s, end, s.capacity - end);
        }
        s.end = end;
        if (end < s.capacity) {
            s.file.truncate(end);
            s.file.force();
            s.capacity = end;
        } else {
            s.file.force();
        }
    }
}
