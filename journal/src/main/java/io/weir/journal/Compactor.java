package io.weir.journal;

import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.journal.damage.Damage;
import io.weir.journal.damage.DamageBook;
import io.weir.journal.damage.DamageInquiry;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.Scanner;
import io.weir.journal.segment.Segment;
import io.weir.journal.segment.Segments;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Empties sealed segments with little live data, a step with each batch: live records are written again at the end of
 * the journal, then the segment is dead and deleted. Crash-safe at every point, because the old copies are kept until
 * the table that no longer names their segment is durable. Confined to the journal's thread.
 */
final class Compactor {
    private static final String FINDER = "compaction";

    private final Segments segments;
    private final LocationIndex index;
    private final JournalConfig config;
    private final Log log;
    private final Counter damaged;
    private final DamageBook damages;
    private final DamageInquiry.Knowledge known;

    private @Nullable Segment victim;
    private @Nullable Scanner scanner;
    /** The current record of the scanner has not been moved yet. */
    private boolean held;
    /** Bytes needed to move it. */
    private long heldSize;

    Compactor(
            Segments segments,
            LocationIndex index,
            JournalConfig config,
            Log log,
            JournalCounters counters,
            Journals.Kept kept) {
        this.segments = segments;
        this.index = index;
        this.config = config;
        this.log = log;
        this.damaged = counters.damaged;
        this.damages = kept.damages();
        this.known = DamageInquiry.Knowledge.of(kept.names(), _ -> false, index, segments::get);
    }

    boolean busy() {
        return victim != null;
    }

    /** Selects the sealed segment with the lowest share of live data, below the ratio. */
    void choose() {
        if (victim != null) {
            return;
        }
        double smallest = config.compactionRatio();
        for (Segment s : segments.segments()) {
            double share = (double) s.liveBytes()
                    / Math.max(s.capacity, config.maxFileSize().bytes());
            if (s.sealed && !s.stuck && !s.emptied && !s.dead() && share < smallest) {
                smallest = share;
                victim = s;
            }
        }
        Segment v = victim;
        scanner = v == null ? null : new Scanner(v, v.end, true);
        held = false;
    }

    /** Bytes to be moved before the victim is empty. */
    long remaining() {
        Segment v = victim;
        return v == null ? 0 : v.liveBytes();
    }

    /** Abandons the victim if it is among the segments being dropped. */
    void dropping(List<Segment> dead) {
        if (victim != null && dead.contains(victim)) {
            restart();
        }
    }

    /** The batch was not written, so the records that it moved were not moved. */
    void failed() {
        for (Segment s : segments.segments()) {
            s.emptied = false;
        }
        restart();
    }

    /** Abandons the victim. */
    void restart() {
        victim = null;
        scanner = null;
        held = false;
    }

    /**
     * Adds the victim's live records to the batch, up to the step's size and while they fit.
     *
     * @param others bytes to leave for the waiting groups
     */
    void contribute(Batch batch, long others) {
        Segment v = victim;
        Scanner s = scanner;
        if (v == null || s == null) {
            return;
        }
        try {
            long budget = config.compactionStep().bytes();
            while (held || s.next()) {
                held = true;
                long size = needed(v, s);
                heldSize = size;
                if (size > 0 && (!batch.fits(size + Records.HEADER + others, 0) || budget <= 0)) {
                    return;
                }
                move(v, s, batch, size);
                budget -= size;
                held = false;
            }
            ended(v, s);
        } catch (IOException e) {
            if (!damages.isAcknowledged(v.name, s.offset)) {
                log.log(JournalMessages.DAMAGED, v.name, s.offset, s.sequence, s.size(), e);
                damaged.inc();
            }
            v.stuck = true;
            List<String> lost =
                    List.of("unknown: the data there or after it could not be read; the next start tries again");
            damages.add(
                    List.of(damages.of(FINDER, v.name, s.offset, -1, "it cannot be read: " + e.getMessage(), lost)));
            restart();
        }
    }

    /** Size of the next record to move if it does not fit into a batch of the usual size, otherwise 0. */
    long heldBytes() {
        Scanner s = scanner;
        return held && s != null ? Math.max(s.size(), heldSize) + Records.HEADER : 0;
    }

    private long needed(Segment v, Scanner s) throws IOException {
        if (s.kind == Records.REMOVAL) {
            return v.movedRemovals(s.offset) ? 0 : s.length + unnamed(v, s, null);
        }
        boolean lives = s.kind == Records.ENTRY && index.get(s.sequence) == LocationIndex.place(v.number(), s.offset);
        return lives ? s.size() : 0;
    }

    private void move(Segment v, Scanner s, Batch batch, long size) throws IOException {
        if (size == 0) {
            return;
        }
        if (s.kind == Records.ENTRY) {
            batch.move(v, s);
            return;
        }
        ByteBuffer pairs = s.payload();
        for (int i = 0; i + Records.REMOVAL_BYTES <= s.length; i += Records.REMOVAL_BYTES) {
            long kills = pairs.getLong(i + 8);
            if (kills != v.number() && segments.get(kills) != null) {
                batch.moveRemoval(v, s.offset, pairs.getLong(i), kills);
            }
        }
        unnamed(v, s, batch);
    }

    /**
     * Adds removals for the copies that a record's removals kill without naming them.
     *
     * @param into null to only count
     * @return bytes that they need
     */
    private long unnamed(Segment v, Scanner s, @Nullable Batch into) throws IOException {
        if (v.namesAllItKills()) {
            return 0;
        }
        ByteBuffer pairs = s.payload();
        long bytes = 0;
        long last = -1;
        for (int i = 0; i + Records.REMOVAL_BYTES <= s.length; i += Records.REMOVAL_BYTES) {
            long id = pairs.getLong(i);
            for (long segment : id == last ? List.<Long>of() : v.killedToo(id)) {
                if (segments.get(segment) != null) {
                    bytes += Records.REMOVAL_BYTES;
                    if (into != null) {
                        into.moveRemoval(v, s.offset, id, segment);
                    }
                }
            }
            last = id;
        }
        return bytes;
    }

    private void ended(Segment v, Scanner s) throws IOException {
        List<Damage> found = new ArrayList<>();
        DamageInquiry inquiry = new DamageInquiry(v, v.end, true, known);
        for (Scanner.Damage d : s.damages()) {
            if (!damages.isAcknowledged(v.name, d.offset())) {
                log.log(JournalMessages.DAMAGED, v.name, d.offset(), d.sequence(), d.length());
                damaged.inc();
            }
            v.stuck = true;
            if (!damages.knows(v.name, d.offset())) {
                found.add(damages.of(FINDER, v.name, d.offset(), d.length(), inquiry.cause(d), inquiry.lost(d)));
            }
        }
        damages.add(found);
        v.emptied = true;
        restart();
    }
}
