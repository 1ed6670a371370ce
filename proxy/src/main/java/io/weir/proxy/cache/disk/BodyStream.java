package io.weir.proxy.cache.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.weir.proxy.cache.store.LowerBody;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body that stays on the disk, as fast as the client reads. What the page cache has and was compared with its
 * checksum before is sent from there, where the client's socket can be sent to ({@link #part}). The rest is read, one block
 * after the other: a block that the page cache has at once; for another a reading thread waits. Confined to the loop of
 * its reader, which closes it.
 */
public final class BodyStream {
    /** Whose client gets the body. */
    public interface Reader {
        /** The event loop that it is confined to. */
        Executor executor();

        /** There is a next piece, or there will be none, or a part was sent. */
        void more();

        /** Runs on the loop when its sockets were polled next. */
        default void afterPoll(Runnable task) {
            executor().execute(task);
        }

        /** The client's socket, to which parts of files can be sent; less than 0: they cannot. */
        default int socket() {
            return -1;
        }

        /** The time, in nanoseconds. */
        default long now() {
            return 0;
        }
    }

    /** Longest part of a small rest. Longer ones cost more processor time: their client reads little while they are sent. */
    private static final long LONGEST = 256 << 10;
    /** Where so much is left, the calls cost more than that. */
    private static final long LARGE = 16 << 20;

    private static final long LONGEST_OF_LARGE = 1 << 20;
    /** After so many bytes others have their turn, also if the client reads as fast as it is sent to. */
    private static final long TURN = 1 << 20;
    /** Shorter ones are read: that costs less than the look and the calls. */
    private static final long SHORTEST = 32 << 10;
    /** So far ahead the page cache is looked at: farther than the system reads ahead. */
    private static final long AHEAD = 1 << 20;
    /** So long what was seen is trusted. */
    private static final long TRUSTED_NANOS = 1_000_000;

    private final SegmentBody body;
    private final ByteBufAllocator allocator;
    private final Reader reader;
    private long to;
    private long at;
    private @Nullable ByteBuf arrived;
    private boolean waits;
    private boolean failed;
    private boolean closed;
    private int socket;
    private @Nullable FilePart part;
    /** Bytes of parts that are over. */
    private long sent;

    private long told;
    /** Bytes of parts in this turn. */
    private long turn;
    /** Until the next turn. */
    private boolean rests;
    /** The page cache has what is before this position. */
    private long seenTo;

    private long seenAt;

    private BodyStream(SegmentBody body, long from, long to, ByteBufAllocator allocator, Reader reader) {
        this.body = body;
        this.at = from;
        this.to = to;
        this.allocator = allocator;
        this.reader = reader;
        this.socket = body.reader().sendsFiles() ? reader.socket() : -1;
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

    /**
     * The next part of the file that can be sent as it is, which the caller writes to the socket; null if there is none:
     * then {@link #next} may have a piece. There is one at a time; {@link Reader#more} tells that it was sent, whole or in
     * part.
     */
    public @Nullable FileRegion part() {
        if (socket < 0 || part != null || rests || arrived != null || waits || failed) {
            return null;
        }
        long longest = to - at > LARGE ? LONGEST_OF_LARGE : LONGEST;
        long length = body.confirmed(at, Math.min(longest, to - at));
        if (length < SHORTEST || !there(at, length)) {
            return null;
        }
        body.retain();
        part = new FilePart(this, socket, at, length);
        return part;
    }

    /** Whether a part is on its way, or others have their turn. */
    public boolean sending() {
        return part != null || rests;
    }

    /** Bytes of parts that were sent since the last call. */
    public long sent() {
        long all = sent + (part == null ? 0 : part.transferred());
        long before = told;
        told = all;
        return all - before;
    }

    private boolean there(long from, long length) {
        long now = reader.now();
        if (from + length <= seenTo && now - seenAt < TRUSTED_NANOS) {
            return true;
        }
        long ahead = Math.min(AHEAD, to - from);
        if (!body.cached(from, ahead)) {
            seenTo = 0;
            return false;
        }
        seenTo = from + ahead;
        seenAt = now;
        return true;
    }

    /** Sends some of a part; -1: it must be read. */
    long send(int client, long from, long most) {
        // another client's stream may have seen it leave the page cache
        if (body.confirmed(from, most) < most || !there(from, most)) {
            return -1;
        }
        long n = body.send(client, from, most);
        if (n < 0) {
            // a failure of the file, or of the socket: other calls tell which
            socket = -1;
        } else {
            body.reader().counters().sendfileBytes.add(n);
        }
        return n;
    }

    /** A part is released. */
    void over(FilePart released) {
        part = null;
        sent += released.transferred();
        at += released.transferred();
        turn = released.waited() ? 0 : turn + released.transferred();
        body.release();
        try {
            if (turn < TURN || ended()) {
                // not from within the writing of the channel
                reader.executor().execute(this::goOn);
            } else {
                rests = true;
                reader.afterPoll(this::goOn);
            }
        } catch (RejectedExecutionException _) {
            // its connections are closed with its loop
            failed = true;
        }
    }

    private void goOn() {
        turn = rests ? 0 : turn;
        rests = false;
        if (!closed) {
            reader.more();
        }
    }

    /** The next piece, which the caller releases; null if it {@link #ended}, has {@link #failed}, or waits. */
    public @Nullable ByteBuf next() {
        ByteBuf piece = arrived;
        arrived = null;
        if (piece != null || part != null || rests || ended() || failed || waits) {
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
