package io.weir.journal.damage;

import io.weir.journal.disk.Window;
import io.weir.journal.segment.LocationIndex;
import io.weir.journal.segment.Records;
import io.weir.journal.segment.Scanner;
import io.weir.journal.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Determines what was stored in damaged places of a segment, as far as possible: from headers that are intact or can be
 * repaired by flipping one bit, otherwise from the neighbouring entries. Confined to one thread; used for one segment.
 */
public final class DamageInquiry {
    private final Segment segment;
    private final Window window;
    private final Records records = new Records();
    private final Knowledge known;
    private final boolean sealed;
    private final long limit;

    /**
     * Knowledge about the rest of the journal.
     *
     * @param removed whether an entry had been removed
     * @param living the name of an entry of which another copy is live; null if there is none
     */
    public record Knowledge(Describer names, LongPredicate removed, LongFunction<@Nullable String> living) {
        /** Based on the index of live entries. */
        public static Knowledge of(
                Describer names, LongPredicate removed, LocationIndex index, LongFunction<@Nullable Segment> segments) {
            return new Knowledge(names, removed, id -> {
                long place = index.get(id);
                Segment s = place == LocationIndex.NONE ? null : segments.apply(LocationIndex.segment(place));
                return s == null ? null : name(names, s, LocationIndex.offset(place));
            });
        }

        private static String name(Describer names, Segment s, long offset) {
            try {
                Window w = new Window(s.file, s.capacity);
                int head = w.at(offset, Records.HEADER);
                if (head < 0) {
                    return "unreadable";
                }
                int type = w.buffer().getInt(head + Records.AT_TYPE);
                ByteBuffer payload = w.view(offset + Records.HEADER, w.buffer().getInt(head + Records.AT_LENGTH));
                return payload == null ? "unreadable" : names.name(type, payload.asReadOnlyBuffer());
            } catch (IOException e) {
                return "unreadable";
            }
        }
    }

    /** A record whose header is readable. */
    private record Found(long at, byte kind, int type, int length, long sequence, boolean repaired) {}

    /** @param limit the end of the segment */
    public DamageInquiry(Segment segment, long limit, boolean sealed, Knowledge known) {
        this.segment = segment;
        this.window = new Window(segment.file, limit);
        this.limit = limit;
        this.sealed = sealed;
        this.known = known;
    }

    /** What was lost at a place, a line each. */
    public List<String> lost(Scanner.Damage place) throws IOException {
        List<Found> found = found(place);
        List<String> lines = new ArrayList<>();
        for (Found f : found) {
            if (lines.size() == DamageBook.MOST_LINES) {
                lines.add("and the rest of " + found.size() + " records");
                break;
            }
            String line = line(f);
            if (!line.isEmpty()) {
                lines.add(f.repaired() ? line + " (its header has a flipped bit)" : line);
            }
        }
        if (found.isEmpty()) {
            lines.add("unknown: " + place.length() + " bytes " + between(place));
        } else if (lines.isEmpty()) {
            lines.add("nothing: it contained only padding and tables");
        }
        return lines;
    }

    /** What is wrong with a place. */
    public String cause(Scanner.Damage place) throws IOException {
        Found first = at(place.offset());
        if (first == null) {
            return "no readable header";
        }
        return first.kind() == Records.GROUP ? "a group is incomplete" : "the checksum does not match";
    }

    private List<Found> found(Scanner.Damage place) throws IOException {
        List<Found> all = new ArrayList<>();
        long end = place.offset() + place.length();
        for (long at = place.offset(); at + Records.HEADER <= end; ) {
            Found f = at(at);
            if (f == null && at == place.offset()) {
                f = repaired(at);
            }
            if (f != null) {
                all.add(f);
            }
            at += f == null ? 8 : Records.size(f.length());
        }
        return all;
    }

    private @Nullable Found at(long at) throws IOException {
        int i = window.at(at, Records.HEADER);
        return i < 0 ? null : header(window.buffer(), i, at, false);
    }

    private @Nullable Found header(ByteBuffer b, int i, long at, boolean repaired) {
        if (!records.headerValid(b, i, segment.header.salt(), at)) {
            return null;
        }
        int length = b.getInt(i + Records.AT_LENGTH);
        return at + Records.size(length) > limit
                ? null
                : new Found(
                        at,
                        b.get(i + Records.AT_KIND),
                        b.getInt(i + Records.AT_TYPE),
                        length,
                        b.getLong(i + Records.AT_SEQUENCE),
                        repaired);
    }

    /** The record whose header is valid except for one bit, or null. */
    private @Nullable Found repaired(long at) throws IOException {
        ByteBuffer seen = window.view(at, Records.HEADER);
        if (seen == null) {
            return null;
        }
        ByteBuffer header = ByteBuffer.allocate(Records.HEADER).put(seen).flip();
        for (int bit = 0; bit < Records.HEADER * 8; bit++) {
            flip(header, bit);
            Found f = header(header, 0, at, true);
            if (f != null) {
                return f;
            }
            flip(header, bit);
        }
        return null;
    }

    private static void flip(ByteBuffer b, int bit) {
        b.put(bit / 8, (byte) (b.get(bit / 8) ^ 1 << bit % 8));
    }

    /** Describes a loss; empty if nothing was lost. */
    private String line(Found f) throws IOException {
        return switch (f.kind()) {
            case Records.ENTRY -> entry(f);
            case Records.REMOVAL -> removals(f);
            default -> "";
        };
    }

    private String entry(Found f) throws IOException {
        String living = known.living().apply(f.sequence());
        if (living != null) {
            return "nothing: entry " + f.sequence() + ", " + living + ", has another copy";
        }
        if (known.removed().test(f.sequence())) {
            return "nothing: entry " + f.sequence() + " had been removed";
        }
        return "entry " + f.sequence() + ": " + known.names().loss(f.type(), payload(f));
    }

    private ByteBuffer payload(Found f) throws IOException {
        ByteBuffer payload = window.view(f.at() + Records.HEADER, f.length());
        return payload == null ? ByteBuffer.allocate(0) : payload.asReadOnlyBuffer();
    }

    private String removals(Found f) throws IOException {
        ByteBuffer pairs = payload(f);
        List<String> back = new ArrayList<>();
        for (int i = 0; i + Records.REMOVAL_BYTES <= pairs.limit(); i += Records.REMOVAL_BYTES) {
            String living = known.living().apply(pairs.getLong(i));
            if (living != null) {
                back.add("entry " + pairs.getLong(i) + ", " + living);
            }
        }
        return back.isEmpty()
                ? "removals of " + f.type() + " entries, none of which is known to reappear"
                : "removals of " + f.type() + " entries, these reappear: " + String.join("; ", back);
    }

    /** What was lost with the end of a segment. */
    public String after() throws IOException {
        return "unknown: everything " + between(new Scanner.Damage(limit, 0, 0, false));
    }

    /** The entries between which a place is located. */
    private String between(Scanner.Damage place) throws IOException {
        Scanner scan = new Scanner(segment, limit, sealed);
        long before = -1;
        long behind = -1;
        while (behind < 0 && scan.next()) {
            if (scan.kind == Records.ENTRY && scan.offset > place.offset()) {
                behind = scan.offset;
            } else if (scan.kind == Records.ENTRY) {
                before = scan.offset;
            }
        }
        return "between " + neighbour(before, "the segment's beginning") + " and "
                + neighbour(behind, "the segment's end");
    }

    private String neighbour(long at, String none) throws IOException {
        Found f = at < 0 ? null : at(at);
        return f == null ? none : "entry " + f.sequence() + " (" + known.names().name(f.type(), payload(f)) + ")";
    }
}
