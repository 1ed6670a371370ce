package io.weir.proxy.accesslog;

import io.weir.base.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * One event loop's part of the access log: a byte ring buffer with the loop as the only producer and the writer as the
 * only consumer. Contains complete records only. {@link #append} is confined to the loop; methods for the writer are
 * marked.
 */
public final class LogLane {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(LogLane.class, "tail", long.class);
            HEAD = lookup.findVarHandle(LogLane.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LogTarget target;
    private final RecordFormat format;
    private final LogClock clock;
    private final RecordText text;
    private final byte[] ring;
    private final int mask;
    private final Runnable wake;
    private final Counter records;
    private final Counter dropped;
    private final Counter cut;

    // total bytes ever written by the loop, and ever read by the writer
    @SuppressWarnings("UnusedVariable") // accessed through TAIL and HEAD
    private long tail;

    private long head;
    private boolean woken;

    LogLane(
            LogTarget target,
            RecordFormat format,
            LogClock clock,
            int ringBytes,
            int recordBytes,
            Runnable wake,
            AccessLogCounters counters) {
        this.target = target;
        this.format = format;
        this.clock = clock;
        int size = Integer.highestOneBit(Math.max(ringBytes, recordBytes) * 2 - 1);
        this.ring = new byte[size];
        this.mask = size - 1;
        this.text = new RecordText(recordBytes);
        this.wake = wake;
        this.records = counters.records();
        this.dropped = counters.dropped();
        this.cut = counters.cut();
    }

    /** The log's name. */
    String log() {
        return target.name();
    }

    /** Whether the log records the exchanges of this virtual server. */
    boolean serves(String virtualServer) {
        return target.serves(virtualServer);
    }

    /**
     * Appends a record of an exchange if its status is recorded; drops and counts it if the ring is full. Allocates
     * nothing.
     */
    public void append(LogSource source) {
        append(source, format);
    }

    /** The same in another format than the log's. */
    void append(LogSource source, RecordFormat format) {
        if (target.filters() && !target.wants(source.logStatus())) {
            return;
        }
        text.clear();
        format.write(source, clock, text);
        text.endLine();
        int length = text.length();
        long from = tail;
        long used = from - (long) HEAD.getAcquire(this);
        if (used + length > ring.length) {
            dropped.inc();
            return;
        }
        if (text.wasCut()) {
            cut.inc();
        }
        int at = (int) from & mask;
        int first = Math.min(length, ring.length - at);
        System.arraycopy(text.bytes(), 0, ring, at, first);
        System.arraycopy(text.bytes(), first, ring, 0, length - first);
        TAIL.setRelease(this, from + length);
        records.inc();
        boolean half = used + length > ring.length / 2;
        if (half && !woken) {
            wake.run();
        }
        woken = half;
    }

    /** For the writer: moves as many complete records as fit into the buffer; returns the bytes moved. */
    int drain(ByteBuffer into) {
        long from = head;
        long there = (long) TAIL.getAcquire(this) - from;
        int length = (int) Math.min(into.remaining(), there);
        if (length < there) {
            while (length > 0 && ring[(int) (from + length - 1) & mask] != '\n') {
                length--;
            }
        }
        int at = (int) from & mask;
        int first = Math.min(length, ring.length - at);
        into.put(ring, at, first);
        into.put(ring, 0, length - first);
        HEAD.setRelease(this, from + length);
        return length;
    }

    /** For the writer and gauges: pending bytes. */
    long waiting() {
        return (long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this);
    }
}
