package io.weir.proxy.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes the bytes of records. Stateless. */
final class RecordOutput {
    private RecordOutput() {}

    /** The body of a record cannot be read where it is now. */
    static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1;

        Unreadable(Exception cause) {
            super("the body of an answer cannot be read", cause);
        }
    }

    /** Fills a record up, and ends it with its number. */
    static void pad(ByteBuffer to, int end, long sequence) {
        while (to.position() < end - RecordHead.TRAILER) {
            to.put((byte) 0);
        }
        to.putLong(Long.reverseBytes(sequence));
    }

    /** Writes a record that is too large to wait for others, to the segment's end. */
    static void write(Segment to, RecordParts record, long length) throws IOException {
        long at = to.end();
        long start = at;
        at += record.beforeBody().remaining();
        to.file.write(record.beforeBody(), start);
        for (ByteBuffer piece : record.body()) {
            int n = piece.remaining();
            to.file.write(piece, at);
            at += n;
        }
        if (record.from() != null) {
            try {
                at = copy(record.from(), to, at);
            } catch (Unreadable e) {
                // a scan must not find parts of it behind the record that is written in its place
                to.file.truncate(start);
                throw e;
            }
        }
        ByteBuffer tail = ByteBuffer.allocate((int) (start + length - at));
        pad(tail, tail.capacity(), record.head().sequence());
        to.file.write(tail.flip(), at);
        to.end(start + length);
    }

    /** Copies a body from another segment; returns where it ends. */
    private static long copy(SegmentBody from, Segment to, long start) throws IOException {
        ByteBuffer block = ByteBuffer.allocateDirect(RecordHead.BLOCK);
        long at = start;
        for (int i = 0; i < from.blocks(); i++) {
            int n = from.blockBytes(i);
            try {
                from.read(i, block.clear().limit(n));
            } catch (IOException | DiskReader.Damaged e) {
                throw new Unreadable(e);
            }
            to.file.write(block.flip(), at);
            at += n;
        }
        return at;
    }
}
