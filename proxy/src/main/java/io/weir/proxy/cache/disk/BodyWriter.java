package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.weir.proxy.cache.store.BodySink;
import io.weir.proxy.cache.store.LowerBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes a body into a file of its own while it arrives. Pieces are taken without a wait, and written by the partition's
 * thread for bodies; what is written can be read at once, block by block. Shared; its queue is bounded by the fill,
 * which stops reading from the origin.
 */
final class BodyWriter implements BodySink, Runnable {
    /** So much is written before others have their turn. */
    private static final int TURN = 1 << 20;
    /** Forced at this distance, so that the end of a large body is no long wait. */
    private static final long FORCE = 64 << 20;

    private final Parts parts;
    private final Listener listener;
    private final long length;

    // guarded by this object
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private boolean scheduled;
    private boolean ended;
    private boolean failed;
    private boolean aborted;
    private boolean closed;
    private boolean over;
    /** There was no room for the rest: no error. */
    private boolean crowded;

    private volatile long unwritten;
    private volatile @Nullable SegmentBody body;

    // of the writing thread
    private final BlockSums sums = BlockSums.begun();
    private final CRC32C block = new CRC32C();
    private @Nullable BodyFile file;
    private int inBlock;
    private long at;
    private long forced;
    private long reserved;
    private long claimed;

    /**
     * What it needs.
     *
     * @param key of the answer
     * @param thread that writes all bodies of the partition
     * @param over called when it writes nothing any more
     */
    record Parts(
            DiskLog log,
            WriteQueue queue,
            DiskReader reader,
            DiskCounters counters,
            SegmentBody.Key key,
            Executor thread,
            Runnable over) {}

    /** @param length of the body, which is claimed, or -1 if it is not known yet */
    BodyWriter(Parts parts, long length, Listener listener) {
        this.parts = parts;
        this.length = length;
        this.claimed = Math.max(0, length);
        this.listener = listener;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public synchronized void write(ByteBuf piece) {
        if (failed || aborted) {
            piece.release();
            return;
        }
        waiting.add(piece);
        unwritten += piece.readableBytes();
        schedule();
    }

    @Override
    public synchronized void end() {
        ended = true;
        schedule();
    }

    @Override
    public synchronized void abort() {
        aborted = true;
        forgetWaiting();
        schedule();
    }

    @Override
    public long unwritten() {
        return unwritten;
    }

    @Override
    public long readable() {
        return body == null ? 0 : sums.length();
    }

    @Override
    public LowerBody body() {
        SegmentBody now = body;
        if (now == null) {
            throw new IllegalStateException("nothing is written yet");
        }
        return now;
    }

    @Override
    public synchronized void close() {
        closed = true;
        SegmentBody own = body;
        if (own != null) {
            own.release();
        }
    }

    private void forgetWaiting() {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        unwritten = 0;
    }

    private void schedule() {
        if (scheduled || over) {
            return;
        }
        scheduled = true;
        try {
            parts.thread().execute(this);
        } catch (RejectedExecutionException _) {
            // the tier ends, and with it the loops that wait for this
            failed = true;
            over = true;
            forgetWaiting();
        }
    }

    @Override
    public void run() {
        try {
            step();
        } catch (IOException | RuntimeException | OutOfMemoryError _) {
            parts.counters().writeErrors.inc();
            fail();
        }
    }

    private void step() throws IOException {
        if (stopped()) {
            return;
        }
        for (int done = 0; done < TURN; ) {
            ByteBuf piece = next();
            if (piece == null) {
                break;
            }
            int n = piece.readableBytes();
            if (at + n > reserved) {
                back(piece);
                makeRoom(n);
                return;
            }
            try {
                write(piece.nioBuffer());
            } finally {
                written(piece, n);
            }
            done += n;
        }
        if (at - forced >= FORCE) {
            force();
        }
        if (goesOn()) {
            parts.thread().execute(this);
        }
        listener.progressed();
    }

    /** Whether there is nothing to write any more. */
    private boolean stopped() throws IOException {
        boolean none;
        boolean bad;
        synchronized (this) {
            none = aborted || over;
            bad = failed;
            if (!none && !bad && !(ended && waiting.isEmpty())) {
                return false;
            }
        }
        if (none) {
            if (leave(reserved)) {
                parts.counters().aborted.inc();
            }
        } else if (bad) {
            fail();
        } else {
            finish();
        }
        return true;
    }

    private synchronized @Nullable ByteBuf next() {
        return waiting.poll();
    }

    private synchronized void back(ByteBuf piece) {
        if (failed || aborted) {
            piece.release();
        } else {
            waiting.addFirst(piece);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private synchronized void written(ByteBuf piece, int n) {
        piece.release();
        unwritten = Math.max(0, unwritten - n);
    }

    private synchronized boolean goesOn() {
        scheduled = !waiting.isEmpty() || ended || aborted || failed;
        return scheduled;
    }

    private void write(ByteBuffer piece) throws IOException {
        BodyFile to = open();
        int n = piece.remaining();
        to.file.write(piece.duplicate(), at);
        at += n;
        while (piece.hasRemaining()) {
            int part = Math.min(RecordHead.BLOCK - inBlock, piece.remaining());
            block.update(piece.slice(piece.position(), part));
            piece.position(piece.position() + part);
            inBlock += part;
            if (inBlock == RecordHead.BLOCK) {
                endBlock();
            }
        }
    }

    private void endBlock() {
        sums.add((int) block.getValue(), inBlock);
        block.reset();
        inBlock = 0;
    }

    private BodyFile open() throws IOException {
        BodyFile known = file;
        if (known != null) {
            return known;
        }
        BodyFile created = parts.log().bodies().create();
        file = created;
        SegmentBody made = new SegmentBody(parts.reader(), created, 0, sums, parts.key());
        synchronized (this) {
            body = made;
            if (closed) {
                made.release();
            }
        }
        return created;
    }

    /** Asks for the bytes that come next; the rest waits until the writer has made room for them. */
    private void makeRoom(int n) {
        DiskLog log = parts.log();
        long unit = Math.max(n, log.segmentBytes());
        long more = length < 0 ? unit : Math.max(n, Math.min(unit, length - reserved));
        if (length < 0 && !log.bodies().claim(more, log.mostBody())) {
            parts.counters().refused("busy");
            crowded = true;
            fail();
            return;
        }
        claimed += length < 0 ? more : 0;
        reserved += more;
        log.bodies().reserve(more);
        if (!parts.queue().room(this::roomMade)) {
            roomMade(false);
        }
    }

    /** From the writer's thread, while this one has no turn. */
    private void roomMade(boolean made) {
        synchronized (this) {
            if (!made) {
                parts.counters().refused("room");
                crowded = true;
                failed = true;
                forgetWaiting();
            }
            try {
                parts.thread().execute(this);
            } catch (RejectedExecutionException _) {
                over = true;
                forgetWaiting();
            }
        }
    }

    private void force() throws IOException {
        BodyFile now = file;
        if (now != null) {
            now.file.force();
        }
        forced = at;
    }

    private void finish() throws IOException {
        if (inBlock > 0) {
            endBlock();
        }
        force();
        BodyFile now = file;
        SegmentBody own = body;
        if (now == null || own == null) {
            throw new IOException("an empty body has no file");
        }
        if (own.spoiled()) {
            throw new IOException("what was written cannot be read");
        }
        parts.counters().bytesWritten.add(at);
        parts.counters().whole.inc();
        parts.log().bodies().arrived(now, reserved, at);
        leave(0);
        listener.ended(true);
    }

    private void fail() {
        boolean told;
        synchronized (this) {
            failed = true;
            forgetWaiting();
            told = over || aborted;
        }
        leave(reserved);
        if (!told) {
            (crowded ? parts.counters().aborted : parts.counters().broken).inc();
            listener.ended(false);
        }
    }

    /** It writes nothing any more; the file stays while somebody reads it, or if an answer has it. */
    private boolean leave(long unneeded) {
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
        }
        parts.log().bodies().unclaim(claimed);
        parts.log().bodies().reserve(-unneeded);
        BodyFile now = file;
        if (now != null) {
            now.release();
        }
        parts.over().run();
        return true;
    }
}
