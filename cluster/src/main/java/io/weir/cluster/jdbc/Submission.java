package io.weir.cluster.jdbc;

import java.util.concurrent.CompletableFuture;

/** A submitted command until its result is known. Confined to the log's thread, but for its future. */
final class Submission {
    final String request;
    final byte[] command;
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    final long begun;
    /** The last applied entry when it was first tried; -1 before. */
    long base = -1;

    Submission(String request, byte[] command, long begun) {
        this.request = request;
        this.command = command;
        this.begun = begun;
    }

    /** Whether it may be in the table. */
    boolean tried() {
        return base >= 0;
    }
}
