package io.weir.journal.segment;

import io.weir.base.Fence;
import io.weir.journal.disk.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Iterates over the valid records of one segment, including members of complete groups; records damage and continues
 * after it. Confined to one thread; used for one scan.
 */
public final class Scanner {
    /**
     * A place whose content is not what was written.
     *
     * @param sequence of the record, 0 if its header is unreadable
     * @param torn in the last batch: the write was not completed, and nothing of it was acknowledged
     */
    public record Damage(long offset, long length, long sequence, boolean torn) {}

    private final Segment segment;
    private final Window window;
    private final Records records = new Records();
    private final long limit;
    private final boolean sealed;
    private final List<Damage> damages = new ArrayList<>();
    /** Damage before this index is located before a later batch. */
    private int settled;

    private long next;
    private long validEnd;
    private long groupEnd;

    public byte kind;
    public int type;
    public int length;
    public long sequence;
    public long offset;
    public Fence fence = Fence.NONE;

    /**
     * A scan from the first record.
     *
     * @param limit the end of the segment; with {@code sealed} everything before it is known to have been durable
     */
    public Scanner(Segment segment, long limit, boolean sealed) {
        this.segment = segment;
        this.window = new Window(segment.file, limit);
        this.limit = limit;
        this.sealed = sealed;
        this.next = segment.header.firstRecord();
        this.validEnd = next;
    }

    /** Moves to the next valid record that is neither padding nor a group's head. */
    public boolean next() throws IOException {
        while (next + Records.HEADER <= limit) {
            if (!header(next)) {
                if (!resynchronise()) {
                    return false;
                }
            } else if (accept()) {
                return true;
            }
        }
        return false;
    }

    /** The position after the last valid record, including padding. */
    public long validEnd() {
        return validEnd;
    }

    /** Whether there is anything but zeros after the last valid record. */
    public boolean dirtyTail() throws IOException {
        return window.skipZeros(validEnd) < limit;
    }

    /** The damaged places, in order; without the part after the last valid record unless the segment was sealed. */
    public List<Damage> damages() {
        List<Damage> all = new ArrayList<>();
        for (int i = 0; i < damages.size(); i++) {
            Damage d = damages.get(i);
            if (sealed || d.offset() < validEnd) {
                all.add(new Damage(d.offset(), d.length(), d.sequence(), !sealed && i >= settled));
            }
        }
        return all;
    }

    /** The payload of the current record; valid until the next call. */
    public ByteBuffer payload() throws IOException {
        ByteBuffer b = window.view(offset + Records.HEADER, length);
        if (b == null) {
            throw new IOException("segment " + segment.name + " was truncated while it was read");
        }
        return b;
    }

    public long size() {
        return Records.size(length);
    }

    /** Steps over the record at {@code next}, which has a valid header; returns true if it must be delivered. */
    private boolean accept() throws IOException {
        long at = next;
        int i = window.at(at, (int) size());
        boolean lone = at >= groupEnd;
        if (i < 0 || !records.payloadValid(window.buffer(), i, length, segment.header.salt()) || (lone && member())) {
            damages.add(new Damage(at, size(), sequence, false));
            next = Math.min(limit, at + size());
            return false;
        }
        settle();
        if (kind == Records.GROUP) {
            return group(at);
        }
        next = at + size();
        validEnd = next;
        offset = at;
        return kind != Records.PAD;
    }

    private boolean group(long at) throws IOException {
        long sequenceOfHead = sequence;
        long from = at + size();
        ByteBuffer body = window.view(at + Records.HEADER, length);
        long until = body == null || length < 8 ? limit + 1 : from + body.getLong(0);
        if (until <= limit && until >= from && whole(from, until)) {
            groupEnd = until;
            next = from;
        } else {
            next = Math.min(limit, Math.max(from, until));
            damages.add(new Damage(at, next - at, sequenceOfHead, false));
        }
        return false;
    }

    private boolean whole(long from, long until) throws IOException {
        long at = from;
        while (at < until) {
            int i = header(at) ? window.at(at, (int) size()) : -1;
            if (i < 0 || !records.payloadValid(window.buffer(), i, length, segment.header.salt())) {
                return false;
            }
            at += size();
        }
        return at == until;
    }

    private boolean member() throws IOException {
        return (flags(next) & Records.MEMBER) != 0;
    }

    /** At the first record of a batch: everything damaged before it had been durable. */
    private void settle() throws IOException {
        if ((flags(next) & Records.FIRST) != 0) {
            settled = damages.size();
        }
    }

    private int flags(long at) throws IOException {
        int i = window.at(at, Records.HEADER);
        return i < 0 ? 0 : window.buffer().getShort(i + Records.AT_FLAGS);
    }

    private boolean resynchronise() throws IOException {
        long from = next;
        for (long at = nonZero(from + 8); at + Records.HEADER <= limit; at = nonZero(at + 8)) {
            int i = window.at(at, Records.HEADER);
            if (i < 0) {
                break;
            }
            if (window.buffer().getInt(i) == Records.MAGIC && header(at)) {
                damages.add(new Damage(from, at - from, 0, false));
                next = at;
                return true;
            }
        }
        next = limit;
        if (sealed && from < limit) {
            damages.add(new Damage(from, limit - from, 0, false));
        }
        return false;
    }

    /** The next place at which a record may begin. */
    private long nonZero(long at) throws IOException {
        return at + (window.skipZeros(at) - at) / 8 * 8;
    }

    private boolean header(long at) throws IOException {
        int i = window.at(at, Records.HEADER);
        if (i < 0 || !records.headerValid(window.buffer(), i, segment.header.salt(), at)) {
            return false;
        }
        ByteBuffer b = window.buffer();
        int claimed = b.getInt(i + Records.AT_LENGTH);
        if (at + Records.size(claimed) > limit) {
            return false;
        }
        kind = b.get(i + Records.AT_KIND);
        length = claimed;
        type = b.getInt(i + Records.AT_TYPE);
        sequence = b.getLong(i + Records.AT_SEQUENCE);
        fence = new Fence(b.getLong(i + Records.AT_EPOCH), b.getLong(i + Records.AT_COUNTER));
        return true;
    }
}
