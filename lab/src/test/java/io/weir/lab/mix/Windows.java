package io.weir.lab.mix;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** How much may be sent on an HTTP/2 connection and its streams. Thread-safe; guarded by itself. */
final class Windows {
    private static final int FIRST = 65_535;
    private final Map<Integer, Long> changes = new HashMap<>();
    private long connection = FIRST;
    private long initial = FIRST;
    private boolean closed;

    synchronized void opened(int stream, int by) {
        if (stream == 0) {
            connection += by;
        } else {
            changes.merge(stream, (long) by, Long::sum);
        }
        notifyAll();
    }

    synchronized void initial(int size) {
        initial = size;
        notifyAll();
    }

    /** Waits until something may be sent; how much of it, taken from both windows. */
    synchronized int take(int stream, int wanted) throws IOException {
        long patience = Wire.PATIENCE_MILLIS;
        try {
            while (!closed && Math.min(connection, room(stream)) <= 0 && wanted > 0) {
                wait(patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (closed) {
            throw new IOException("the connection is over");
        }
        int taken = (int) Math.min(wanted, Math.min(connection, room(stream)));
        connection -= taken;
        changes.merge(stream, (long) -taken, Long::sum);
        return taken;
    }

    private long room(int stream) {
        return initial + changes.getOrDefault(stream, 0L);
    }

    /** A stream that is reset waits no longer. */
    synchronized void forget(int stream) {
        changes.put(stream, Long.MAX_VALUE / 2);
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
