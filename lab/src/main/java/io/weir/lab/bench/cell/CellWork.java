package io.weir.lab.bench.cell;

import java.util.Locale;

/** What a unit of a cell consists of. */
public enum CellWork {
    /** An answer from memory. */
    HIT("/hit/"),
    /** An answer that the origin marks {@code no-store}, with a length and few fields. */
    MISS("/miss/"),
    /** The same with more than twenty fields. */
    MISS_FIELDS("/fields/"),
    /** The same in chunks. */
    MISS_CHUNKED("/chunked/"),
    /** The same ended by the close of the origin's connection. */
    MISS_CLOSED("/closed/"),
    /** A stored answer that the client already has: 304. */
    CONDITIONAL("/hit/"),
    /** A part of a stored answer, which is twice as long: 206. */
    RANGE("/hit/twice-"),
    /** A POST with a body. */
    UPLOAD("/upload/"),
    /** Bytes there and back through a CONNECT tunnel. */
    TUNNEL("/"),
    /** A WebSocket frame there and back. */
    WEBSOCKET("/ws/"),
    /** A new connection, with its handshake under TLS, and a hit. */
    CONNECTION("/hit/");

    /** The validator of all of the origin's answers. */
    public static final String ENTITY_TAG = "\"bench\"";

    private final String folder;

    CellWork(String folder) {
        this.folder = folder;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The path of its requests, without the name of the size. */
    String folder() {
        return folder;
    }

    /** Whether it is a kind of miss. */
    public boolean misses() {
        return this == MISS || this == MISS_FIELDS || this == MISS_CHUNKED || this == MISS_CLOSED;
    }

    /** Whether a unit is an echo instead of a request with its answer. */
    public boolean echoes() {
        return this == TUNNEL || this == WEBSOCKET;
    }
}
