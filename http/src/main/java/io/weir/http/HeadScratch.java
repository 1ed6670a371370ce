package io.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * A small store of arrays that heads are parsed in. Confined to one event loop and shared by its decoders: a
 * decoder borrows arrays with a head's first byte and gives them back when its connection goes idle, so that
 * an idle connection holds none. Arrays that grew beyond {@link #KEPT_BYTES} are left to the collector.
 */
public final class HeadScratch {
    static final int FIRST_BYTES = 2048;
    static final int FIRST_SPANS = 32 * Fields.STRIDE;
    static final int KEPT_BYTES = 16 * 1024;
    static final int KEPT_SPANS = 256 * Fields.STRIDE;

    private final byte @Nullable [][] bytes;
    private final int @Nullable [][] spans;
    private int bytesHeld;
    private int spansHeld;

    /** A store that keeps 64 pairs of arrays. */
    public HeadScratch() {
        this(64);
    }

    /** A store that keeps at most {@code kept} pairs of arrays. */
    public HeadScratch(int kept) {
        bytes = new byte @Nullable [kept][];
        spans = new int @Nullable [kept][];
    }

    byte[] takeBytes() {
        if (bytesHeld == 0) return new byte[FIRST_BYTES];
        byte[] taken = bytes[--bytesHeld];
        bytes[bytesHeld] = null;
        return taken == null ? new byte[FIRST_BYTES] : taken;
    }

    int[] takeSpans() {
        if (spansHeld == 0) return new int[FIRST_SPANS];
        int[] taken = spans[--spansHeld];
        spans[spansHeld] = null;
        return taken == null ? new int[FIRST_SPANS] : taken;
    }

    void give(byte[] array, int[] spanArray) {
        if (array.length >= FIRST_BYTES && array.length <= KEPT_BYTES && bytesHeld < bytes.length) {
            bytes[bytesHeld++] = array;
        }
        if (spanArray.length >= FIRST_SPANS && spanArray.length <= KEPT_SPANS && spansHeld < spans.length) {
            spans[spansHeld++] = spanArray;
        }
    }

    /** Arrays held for the next heads: for tests and gauges. */
    public int held() {
        return bytesHeld;
    }
}
