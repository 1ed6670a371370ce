package io.weir.lab.slow;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/** Counts of the outcomes of slow clients. Shared by the thread that drives them and readers. */
public final class SlowCounts {
    private final Map<SlowKind, Count> counts = new EnumMap<>(SlowKind.class);
    private int awaited;

    /**
     * The counts of one kind.
     *
     * @param open connections now
     * @param cut connections that the server closed without an answer
     * @param refused connections that it closed with an answer, or unsuccessful answers
     * @param unconnected attempts to connect that failed
     * @param said the text of the last refusal
     */
    public record Of(int open, long cut, long refused, long unconnected, String said) {}

    /** Guarded by the counts. */
    private static final class Count {
        private final BitSet came = new BitSet();
        private int open;
        private long cut;
        private long refused;
        private long unconnected;
        private String said = "";
    }

    /** Adds to the number of expected clients. */
    synchronized void expect(SlowKind kind, int clients) {
        counts.put(kind, new Count());
        awaited += clients;
    }

    private Count count(SlowKind kind) {
        return counts.computeIfAbsent(kind, _ -> new Count());
    }

    synchronized void opened(SlowKind kind, int index) {
        Count count = count(kind);
        count.open++;
        if (!count.came.get(index)) {
            count.came.set(index);
            awaited--;
            notifyAll();
        }
    }

    synchronized void dropped(SlowKind kind) {
        count(kind).open--;
    }

    synchronized void cut(SlowKind kind) {
        count(kind).cut++;
    }

    synchronized void refused(SlowKind kind, SlowManner.Refused refusal) {
        Count count = count(kind);
        count.refused++;
        count.said = String.valueOf(refusal.getMessage());
    }

    synchronized void unconnected(SlowKind kind) {
        count(kind).unconnected++;
    }

    /** Waits until each has been connected once and has sent its opening. */
    synchronized int awaitAll(long millis) throws InterruptedException {
        // each event restarts the wait: the bound is for a time without any
        for (int before = -1; awaited > 0 && awaited != before; ) {
            before = awaited;
            wait(millis);
        }
        return awaited;
    }

    /** The counts of the existing kinds. */
    public synchronized Map<SlowKind, Of> read() {
        Map<SlowKind, Of> read = new EnumMap<>(SlowKind.class);
        counts.forEach((kind, count) ->
                read.put(kind, new Of(count.open, count.cut, count.refused, count.unconnected, count.said)));
        return read;
    }

    /** Connections that are open now. */
    public synchronized int open() {
        return counts.values().stream().mapToInt(c -> c.open).sum();
    }
}
