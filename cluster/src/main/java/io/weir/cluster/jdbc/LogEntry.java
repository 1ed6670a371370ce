package io.weir.cluster.jdbc;

/** An entry of the log table, or a snapshot of the state after one. Immutable, its bytes by convention. */
final class LogEntry {
    final long seq;
    /** Identifier of the request; empty for a snapshot. */
    final String request;

    final byte[] bytes;

    LogEntry(long seq, String request, byte[] bytes) {
        this.seq = seq;
        this.request = request;
        this.bytes = bytes;
    }

    /** A snapshot of the state after an entry. */
    static LogEntry snapshot(long seq, byte[] state) {
        return new LogEntry(seq, "", state);
    }
}
