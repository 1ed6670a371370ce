package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.proxy.cache.store.LowerBody;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body that stays on the disk: one block after the other, as fast as the client reads. A block that the page
 * cache has is read at once; for another a reading thread waits. Confined to the loop of its reader, which closes it.
 */
public final class BodyStream {
    /** Whose client gets the body. */
    public interface Reader {
        /** The event loop that it is confined to. */
        Executor executor();

        /** There is a next piece, or there will be none. */
        void more();
    }

    private final SegmentBody body;
    private final ByteBufAllocator allocator;
    private final Reader reader;
    private long to;
    private long at;
    private @Nullable ByteBuf arrived;
    private boolean waits;
    private boolean failed;
    private boolean closed;

    private BodyStream(SegmentBody body, long from, long to, ByteBufAllocator allocator, Reader reader) {
        this.body = body;
        this.at = from;
        this.to = to;
        this.allocator = allocator;
        this.reader = reader;
        body.retain();
    }

    /** Of bytes {@code [from, to)} of a body. */
    public static BodyStream of(LowerBody below, long from, long to, ByteBufAllocator allocator, Reader reader) {
        SegmentBody body = (SegmentBody) below;
        body.reader().counters().streamed.inc();
        body.reader().used(body);
        return new BodyStream(body, from, to, allocator, reader);
    }

    /** Of a body that is still written: nothing of it is read before {@link #set}. */
    public static BodyStream arriving(LowerBody below, ByteBufAllocator allocator, Reader reader) {
        return new BodyStream((SegmentBody) below, 0, 0, allocator, reader);
    }

    /** Sets which bytes come next; not while it waits. */
    public void set(long from, long end) {
        at = from;
        to = end;
    }

    /** Whether a reading thread reads for it. */
    public boolean waits() {
        return waits;
    }

    /** The next piece, which the caller releases; null if it {@link #ended}, has {@link #failed}, or waits. */
    public @Nullable ByteBuf next() {
        ByteBuf piece = arrived;
        arrived = null;
        if (piece != null || ended() || failed || waits) {
            return piece == null ? null : part(piece);
        }
        int block = (int) (at / RecordHead.BLOCK);
        ByteBuf into;
        try {
            into = allocator.directBuffer(body.blockBytes(block), body.blockBytes(block));
        } catch (OutOfMemoryError _) {
            // others have all of it: an answer that has not begun is fetched, another one is cut
            body.reader().counters().refused("memory");
            failed = true;
            return null;
        }
        try {
            if (body.readNow(block, into.nioBuffer(0, into.capacity()))) {
                body.reader().counters().readsOfMuxers.inc();
                return part(into);
            }
        } catch (DiskReader.Damaged _) {
            into.release();
            body.reader().damaged(body);
            failed = true;
            return null;
        }
        await(block, into);
        return null;
    }

    /** The part of a block that is wanted. */
    private ByteBuf part(ByteBuf block) {
        int from = (int) (at % RecordHead.BLOCK);
        int n = (int) Math.min(block.capacity() - from, to - at);
        at += n;
        body.reader().counters().bytesRead.add(n);
        return block.setIndex(from, from + n);
    }

    private void await(int block, ByteBuf into) {
        waits = true;
        body.retain();
        try {
            body.reader().threads().execute(() -> read(block, into));
        } catch (RejectedExecutionException _) {
            body.release();
            into.release();
            body.reader().counters().refused("reads");
            waits = false;
            failed = true;
        }
    }

    private void read(int block, ByteBuf into) {
        boolean good = false;
        try {
            body.reader().counters().readsOfThreads.inc();
            body.read(block, into.nioBuffer(0, into.capacity()));
            good = true;
        } catch (IOException e) {
            body.reader().failed(body);
        } catch (DiskReader.Damaged _) {
            body.reader().damaged(body);
        } finally {
            body.release();
            arrive(good, into);
        }
    }

    private void arrive(boolean good, ByteBuf into) {
        try {
            reader.executor().execute(() -> {
                waits = false;
                if (closed || !good) {
                    into.release();
                    failed = true;
                } else {
                    arrived = into;
                }
                if (!closed) {
                    reader.more();
                }
            });
        } catch (RejectedExecutionException _) {
            // its connections are closed with its loop
            into.release();
        }
    }

    /** All of it was returned. */
    public boolean ended() {
        return at >= to;
    }

    /** The rest cannot be read: the answer has gone from memory and disk. */
    public boolean failed() {
        return failed;
    }

    /** The disk takes too long: the next request for it looks again. */
    public void giveUp() {
        body.gone();
    }

    /** Must be called once. */
    public void close() {
        closed = true;
        ByteBuf left = arrived;
        arrived = null;
        if (left != null) {
            left.release();
        }
        body.release();
    }
}
