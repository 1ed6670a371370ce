package io.weir.cluster.jdbc;

/** An entry of the log as it stands in the table; or the state after one. Immutable, its bytes by convention. */
final class LogEntry {
    final long seq;
    /** Who asked for it; empty for a state. */
    final String request;

    final byte[] bytes;

    LogEntry(long seq, String request, byte[] bytes) {
        this.seq = seq;
        this.request = request;
        this.bytes = bytes;
    }

    /** The state after an entry. */
    static LogEntry snapshot(long seq, byte[] state) {
        return new LogEntry(seq, "", state);
    }
}
