package io.weir.lab.bench.cell;

import java.util.Locale;

/** The least that a server on Netty can do. */
public enum Floor {
    /** A fixed answer of HTTP/1.1 as soon as the end of a request's head was found. */
    ANSWER,
    /** Bytes passed between two sockets. */
    RELAY,
    /** A fixed answer of HTTP/2 by Netty's codec. */
    HTTP2;

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
