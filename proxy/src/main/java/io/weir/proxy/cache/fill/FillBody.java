package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.weir.proxy.cache.store.Block;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a fill: a sequence of pieces, in store memory while it is to be stored, in the leader's buffers once it
 * is too large. Guarded by the fill's lock.
 */
final class FillBody {
    private static final int FIRST_BLOCK = 4 << 10;

    /** Bytes {@code [from, to)} of a buffer, which start at {@code start} of the body. */
    private static final class Piece {
        final ByteBuf buffer;
        final @Nullable Block block;
        final int from;
        final long start;
        int to;

        Piece(ByteBuf buffer, @Nullable Block block, int from, int to, long start) {
            this.buffer = buffer;
            this.block = block;
            this.from = from;
            this.to = to;
            this.start = start;
        }

        long end() {
            return start + to - from;
        }
    }

    private final Store store;
    private final List<Piece> pieces = new ArrayList<>(1);
    private @Nullable ArrayDeque<Block> spare;
    private long written;
    private long forgotten;
    private long outside;
    private @Nullable BodySink sink;
    private int lastSize = FIRST_BLOCK;

    FillBody(Store store) {
        this.store = store;
    }

    long written() {
        return written;
    }

    /** Bytes that are held for readers. */
    long held() {
        return written - forgotten;
    }

    /** The part of {@link #held} that is outside the budget. */
    long outside() {
        return outside;
    }

    /** Where the body is written while it arrives; null: it stays in memory. */
    @Nullable
    BodySink sink() {
        return sink;
    }

    /** From now on all data goes to the sink, with what there is already. */
    void sinkTo(BodySink to) {
        sink = to;
        for (Piece piece : pieces) {
            if (piece.to > piece.from) {
                to.write(piece.buffer.retainedSlice(piece.from, piece.to - piece.from));
            }
        }
    }

    /** Adds data that goes to the sink; takes over the reference. */
    void sink(ByteBuf data) {
        BodySink to = sink;
        if (to == null) {
            throw new IllegalStateException("no sink");
        }
        to.write(data.retainedSlice());
        pass(data);
    }

    /** Whether the bytes at a position are not in memory any more, but can be read below. */
    boolean isBelow(long position) {
        return sink != null && position < (pieces.isEmpty() ? written : pieces.getFirst().start);
    }

    /** Adds the first block, which has the head before {@code bodyFrom}; takes over the reference. */
    void begin(Block block, int bodyFrom) {
        pieces.add(new Piece(block.buffer(), block, bodyFrom, bodyFrom, 0));
    }

    /**
     * Allocates a body of known length at once, so that a fill begun for the store stays in it: no reader can fall
     * behind.
     *
     * @param length of the body
     * @return false if the store has no room; then nothing was allocated
     */
    boolean reserve(long length) {
        Piece first = pieces.getFirst();
        Block begun = first.block;
        long left = length - (begun == null ? 0 : begun.bytes() - first.from);
        if (left <= 0) {
            return true;
        }
        ArrayDeque<Block> taken = new ArrayDeque<>((int) Math.min(left / Block.LARGEST + 1, 1024));
        while (left > 0) {
            int size = (int) Math.min(left, Block.LARGEST);
            Block block = store.allocate(size, Math.min(size, FIRST_BLOCK));
            if (block == null) {
                taken.forEach(b -> b.buffer().release());
                return false;
            }
            taken.add(block);
            left -= block.bytes();
        }
        spare = taken;
        return true;
    }

    /** Frees allocated blocks that were not filled: no more data follows. */
    void forgetSpare() {
        ArrayDeque<Block> unused = spare;
        spare = null;
        if (unused != null) {
            unused.forEach(b -> b.buffer().release());
        }
    }

    /** Uses a body that is already stored. */
    void adopt(StoredObject object) {
        for (int i = 0; i < object.bodyParts(); i++) {
            ByteBuf buffer = object.block(i).buffer().retain();
            pieces.add(new Piece(buffer, null, object.bodyStart(i), object.bodyEnd(i), written));
            written += object.bodyEnd(i) - object.bodyStart(i);
        }
    }

    /**
     * Copies the data into store memory; what did not fit stays in {@code data}.
     *
     * @param remaining bytes still to come, including these; -1 if unknown
     * @return false if the store has no room
     */
    boolean store(ByteBuf data, long remaining) {
        long left = remaining;
        while (data.isReadable()) {
            Piece last = pieces.get(pieces.size() - 1);
            Block block = last.block;
            int room = block == null ? 0 : block.bytes() - last.to;
            if (room == 0) {
                if (!extend(data.readableBytes(), left)) {
                    return false;
                }
                continue;
            }
            int n = Math.min(room, data.readableBytes());
            last.buffer.setBytes(last.to, data, data.readerIndex(), n);
            data.skipBytes(n);
            last.to += n;
            written += n;
            left -= remaining >= 0 ? n : 0;
        }
        return true;
    }

    private boolean extend(int now, long remaining) {
        ArrayDeque<Block> taken = spare;
        Block next = taken == null ? null : taken.poll();
        if (next != null) {
            pieces.add(new Piece(next.buffer(), next, 0, 0, written));
            return true;
        }
        lastSize = Math.min(Block.LARGEST, lastSize * 2);
        long want = remaining >= 0 ? remaining : Math.max(lastSize, now);
        int size = (int) Math.min(want, Block.LARGEST);
        Block block = store.allocate(size, Math.min(size, FIRST_BLOCK));
        if (block == null) {
            return false;
        }
        pieces.add(new Piece(block.buffer(), block, 0, 0, written));
        return true;
    }

    /** Keeps the leader's buffer, for an object that is not stored; takes over the reference. */
    void pass(ByteBuf data) {
        int n = data.readableBytes();
        pieces.add(new Piece(data, null, data.readerIndex(), data.writerIndex(), written));
        written += n;
        outside += n;
    }

    /** A retained slice of the written bytes from {@code position} on, at least one byte; null if there are none. */
    @Nullable
    ByteBuf slice(long position) {
        for (int i = firstAt(position); i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (position < piece.end()) {
                int from = piece.from + (int) (position - piece.start);
                return piece.buffer.retainedSlice(from, piece.to - from);
            }
        }
        return null;
    }

    /** Index of the piece that holds the position, or of one shortly before it. */
    private int firstAt(long position) {
        int low = 0;
        int high = pieces.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (pieces.get(middle).start <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Releases the pieces that end at or before {@code position}; they have no readers left. */
    void forget(long position) {
        int n = 0;
        while (n < pieces.size() && pieces.get(n).end() <= position) {
            release(pieces.get(n++));
        }
        if (n > 0) {
            pieces.subList(0, n).clear();
        }
    }

    private void release(Piece piece) {
        int n = piece.to - piece.from;
        forgotten += n;
        outside -= piece.block == null ? n : 0;
        piece.buffer.release();
    }

    /** Releases everything. */
    void close() {
        forgetSpare();
        pieces.forEach(piece -> piece.buffer.release());
        pieces.clear();
        outside = 0;
        BodySink to = sink;
        if (to != null) {
            to.close();
        }
    }

    /** Frees the unused end of the last block. */
    void trim() {
        Piece last = pieces.get(pieces.size() - 1);
        if (last.block != null) {
            store.trim(last.block, Math.max(1, last.to));
        }
    }

    int parts() {
        return pieces.size();
    }

    /** The blocks, each retained once more, for the object made of them. */
    Block[] blocks() {
        Block[] blocks = new Block[pieces.size()];
        for (int i = 0; i < blocks.length; i++) {
            Block block = pieces.get(i).block;
            if (block == null) {
                throw new IllegalStateException("not in the store");
            }
            block.buffer().retain();
            blocks[i] = block;
        }
        return blocks;
    }

    /** Position of the body in each block: from, to. */
    int[] spans() {
        int[] spans = new int[2 * pieces.size()];
        for (int i = 0; i < pieces.size(); i++) {
            spans[2 * i] = pieces.get(i).from;
            spans[2 * i + 1] = pieces.get(i).to;
        }
        return spans;
    }
}
