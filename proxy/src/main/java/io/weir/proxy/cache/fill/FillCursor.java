package io.weir.proxy.cache.fill;

import io.netty.buffer.ByteBuf;
import io.weir.http.Fields;
import io.weir.proxy.cache.disk.BodyStream;
import io.weir.proxy.cache.store.LowerBody;
import io.weir.proxy.cache.store.StoredObject;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A reader's position in a fill. Confined to the reader's executor; its state in the fill is guarded by the fill's
 * lock. Its reader must close it exactly once, in every case.
 */
public final class FillCursor implements Runnable, BodyStream.Reader {
    /** Heap bytes reserved for each cursor. */
    static final int HEAP_BYTES = 128;

    private final Fill fill;
    private final FillReader reader;
    public final FillRequest request;
    // written by the reader only
    volatile long position;
    // guarded by the fill's lock
    boolean headSeen;
    boolean armed;
    boolean elected;
    boolean open = true;
    boolean released;

    @Nullable
    FillFailure failure;
    // confined to the reader's executor
    private @Nullable StoredObject object;
    private @Nullable ByteBuf data;
    private @Nullable BodyStream stream;
    private long readable;
    private boolean below;

    public FillCursor(Fill fill, FillRequest request, FillReader reader) {
        this.fill = fill;
        this.request = request;
        this.reader = reader;
    }

    /** Takes the next signal. After DATA, call {@link #data()} before the next call. */
    public Signal poll() {
        return fill.poll(this);
    }

    /** After HEAD: the response. Held by the cursor; valid until it is closed. */
    public StoredObject object() {
        StoredObject now = object;
        if (now == null) {
            throw new IllegalStateException("no head yet");
        }
        return now;
    }

    /** After DATA: the piece; the caller owns it. */
    public ByteBuf data() {
        ByteBuf now = data;
        if (now == null) {
            throw new IllegalStateException("no data");
        }
        data = null;
        return now;
    }

    /** After END: the trailer fields, or null. */
    public @Nullable Fields trailers() {
        return fill.trailers();
    }

    /** After FAILED. */
    public FillFailure failure() {
        FillFailure own = failure;
        return own != null ? own : fill.failure();
    }

    /** After HEAD: the answer is stale (served instead of an origin's error). */
    public boolean stale() {
        return fill.servedStale();
    }

    public Fill fill() {
        return fill;
    }

    /** Before it is closed: the client needs only the head, so the rest is fetched for the store alone. */
    public void satisfied() {
        fill.satisfied();
    }

    /** The reader is done or disconnected. This may abort a fetch that has no readers left. */
    public void close() {
        fill.close(this);
        BodyStream reads = stream;
        if (reads != null) {
            stream = null;
            reads.close();
        }
        ByteBuf left = data;
        if (left != null) {
            data = null;
            left.release();
        }
        StoredObject held = object;
        if (held != null) {
            object = null;
            held.release();
        }
    }

    void head(StoredObject retained) {
        object = retained;
        headSeen = true;
    }

    /** The next bytes are not in memory any more: those up to the end can be read below. */
    void below(LowerBody from, long end) {
        BodyStream reads = stream;
        if (reads == null) {
            reads = BodyStream.arriving(from, reader.allocator(), this);
            stream = reads;
        }
        readable = end;
        below = true;
    }

    boolean below() {
        return below;
    }

    /** Reads on below; called without the fill's lock. */
    Signal readBelow() {
        below = false;
        BodyStream reads = stream;
        if (reads == null) {
            throw new IllegalStateException("nothing below");
        }
        if (!reads.waits()) {
            reads.set(position, readable);
        }
        ByteBuf piece = reads.next();
        if (piece != null) {
            data(piece);
            return Signal.DATA;
        }
        if (reads.failed()) {
            fill.failed(this, FillFailure.UNREADABLE);
            return Signal.FAILED;
        }
        return Signal.WAIT;
    }

    /** Whether it waits for the disk. */
    public boolean waitsBelow() {
        BodyStream reads = stream;
        return reads != null && reads.waits();
    }

    @Override
    public Executor executor() {
        return reader.executor();
    }

    /** The disk has read it; on the reader's executor. */
    @Override
    public void more() {
        run();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    void data(ByteBuf slice) {
        data = slice;
        position += slice.readableBytes();
    }

    /** Notifies the reader on its loop; called without the fill's lock. */
    void wake() {
        try {
            reader.executor().execute(this);
        } catch (RejectedExecutionException _) {
            // the loop and its exchanges are shut down: no one else would close this cursor
            fill.close(this);
        }
    }

    /** The reader's mailbox: runs on its executor. */
    @Override
    public void run() {
        if (fill.isOpen(this)) {
            reader.ready(this);
        }
    }
}
