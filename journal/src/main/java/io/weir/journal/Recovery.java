package io.weir.journal;

import io.weir.base.Fence;
import io.weir.base.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal as it was left: finds the governing segment table, checks that every segment it names is there, walks over
 * all records, cuts torn tails, reports damage, and says what lives. Confined to the opening thread; good for one start. It
 * may itself be interrupted at every point.
 */
final class Recovery {
    private final SegmentFiles files;
    private final JournalConfig config;
    private final Disk disk;
    private final Log log;
    private final JournalCounters counters;

    private final TreeMap<Long, Segment> found = new TreeMap<>();
    /** Ends of the sealed segments by number, as the governing table has them. */
    private Map<Long, Long> ends = new HashMap<>();

    private long tableIn = -1;
    private final LocationIndex index = new LocationIndex();
    private final Ghosts ghosts = new Ghosts();
    private final List<Killing> killings = new ArrayList<>();
    private long highestSequence;
    private Fence fence = Fence.NONE;

    /** The removals of one segment. */
    private record Killing(Segment in, Removals removals) {}

    Recovery(SegmentFiles files, JournalConfig config, Disk disk, Log log, JournalCounters counters) {
        this.files = files;
        this.config = config;
        this.disk = disk;
        this.log = log;
        this.counters = counters;
    }

    Recovered run() throws IOException, JournalFault {
        NavigableMap<Long, String> names = files.list();
        for (Map.Entry<Long, String> e : names.entrySet()) {
            Segment s = files.open(e.getValue());
            if (s != null) {
                found.put(e.getKey(), s);
            }
        }
        findTable();
        check(names);
        discardLeftOvers(names);
        for (Segment s : List.copyOf(found.values())) {
            walk(s);
        }
        for (Killing k : killings) {
            apply(k);
        }
        long highest = names.isEmpty() ? 0 : names.lastKey();
        return new Recovered(List.copyOf(found.values()), index, ghosts, highest, highestSequence, fence);
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

    private void check(NavigableMap<Long, String> names) throws JournalFault {
        for (long number : ends.keySet()) {
            if (!found.containsKey(number)) {
                String file = names.getOrDefault(number, files.name(number));
                log.log(JournalMessages.MISSING, file, disk.place());
                if (!config.tolerateMissingFiles()) {
                    throw new JournalFault(
                            JournalFault.Reason.SEGMENT_MISSING,
                            "segment " + file + " is missing or unreadable in " + disk.place()
                                    + ": restore it, or start once with tolerate-missing-files, accepting the loss");
                }
            }
        }
    }

    /** Files that no table names: given back but not deleted before the end, or prepared and not used. */
    private void discardLeftOvers(NavigableMap<Long, String> names) throws IOException {
        for (Map.Entry<Long, String> e : names.entrySet()) {
            long number = e.getKey();
            Segment s = found.get(number);
            boolean named = tableIn < 0 || ends.containsKey(number) || number > tableIn;
            if (s == null || !named || !used(s)) {
                if (s != null) {
                    s.file.close();
                    found.remove(number);
                }
                if (s != null || !ends.containsKey(number)) {
                    files.deleteLeftOver(e.getValue());
                }
            }
        }
    }

    /** Whether any valid record stands in it. */
    private boolean used(Segment s) throws IOException {
        return ends.containsKey(s.number()) || new Scanner(s, s.capacity, false).next();
    }

    private void walk(Segment s) throws IOException {
        long known = ends.getOrDefault(s.number(), -1L);
        boolean sealed = known >= 0;
        Scanner scan = new Scanner(s, sealed ? Math.min(known, s.capacity) : s.capacity, sealed);
        Removals removals = new Removals();
        while (scan.next()) {
            take(s, scan, removals);
        }
        killings.add(new Killing(s, removals));
        report(s, scan);
        if (sealed && s.capacity < known) {
            damaged(s, new Scanner.Damage(s.capacity, known - s.capacity, 0, false));
        }
        cut(s, sealed ? Math.min(known, s.capacity) : scan.validEnd(), !sealed && scan.dirtyTail());
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
                    ghosts.add(scan.sequence, old.number());
                }
            }
            index.put(scan.sequence, LocationIndex.place(s.number(), scan.offset), (int) scan.size());
            s.lives(scan.size());
        } else if (scan.kind == Records.REMOVAL) {
            ByteBuffer b = scan.payload();
            for (int i = 0; i + Records.REMOVAL_BYTES <= scan.length; i += Records.REMOVAL_BYTES) {
                removals.add(b.getLong(i), b.getLong(i + 8));
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
            if (holder != null) {
                holder.dies(index.size(id));
                index.remove(id);
            }
            if (segment(k.removals().segment(i)) != null) {
                k.in().kills(k.removals().segment(i));
            }
        }
    }

    private void report(Segment s, Scanner scan) throws IOException {
        for (Scanner.Damage d : scan.damages()) {
            if (d.torn()) {
                torn(s, d.offset(), d.length());
                Repair.pad(s, d.offset(), d.length());
            } else {
                damaged(s, d);
            }
        }
    }

    private void damaged(Segment s, Scanner.Damage d) {
        log.log(JournalMessages.DAMAGED, s.name, d.offset(), d.sequence(), d.length());
        counters.damaged.inc();
        s.stuck = true;
    }

    private void torn(Segment s, long offset, long bytes) {
        log.log(JournalMessages.TORN_TAIL, s.name, offset, bytes);
        counters.torn.inc();
    }

    /** Cuts what was allocated and not used, torn or not. */
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
