package io.weir.http;

import java.util.ArrayDeque;

/**
 * A small pool of arrays in which heads are parsed. Confined to one event loop and shared by its decoders: a decoder
 * borrows arrays with a head's first byte and returns them when its connection goes idle, so that an idle connection
 * holds none. Arrays that grew beyond {@link #KEPT_BYTES} are left to the garbage collector.
 */
public final class HeadScratch {
    static final int FIRST_BYTES = 2048;
    static final int FIRST_SPANS = 32 * Fields.STRIDE;
    static final int KEPT_BYTES = 16 * 1024;
    static final int KEPT_SPANS = 256 * Fields.STRIDE;

    private final int kept;
    private final ArrayDeque<byte[]> bytes;
    private final ArrayDeque<int[]> spans;

    /** A pool that keeps 64 pairs of arrays. */
    public HeadScratch() {
        this(64);
    }

    /** A pool that keeps at most {@code kept} pairs of arrays. */
    public HeadScratch(int kept) {
        this.kept = kept;
        this.bytes = new ArrayDeque<>(kept);
        this.spans = new ArrayDeque<>(kept);
    }

    byte[] takeBytes() {
        byte[] taken = bytes.pollLast();
        return taken == null ? new byte[FIRST_BYTES] : taken;
    }

    int[] takeSpans() {
        int[] taken = spans.pollLast();
        return taken == null ? new int[FIRST_SPANS] : taken;
    }

    void give(byte[] array, int[] spanArray) {
        if (keeps(array.length, FIRST_BYTES, KEPT_BYTES, bytes.size())) bytes.addLast(array);
        if (keeps(spanArray.length, FIRST_SPANS, KEPT_SPANS, spans.size())) spans.addLast(spanArray);
    }

    private boolean keeps(int length, int least, int most, int held) {
        return length >= least && length <= most && held < kept;
    }

    /** Number of pooled arrays, for tests and gauges. */
    public int held() {
        return bytes.size();
    }
}
