package io.weir.lab.bench.cell;

/** The program that loads the servers. */
public enum Generator {
    /** {@code wrk -t1 -c32}. */
    WRK,
    /** {@code h2load --h1 -t1 -c32 -m1}, where wrk waits for the body that a 304 has not, but announces. */
    H1LOAD,
    /** {@code h2load -t1 -c8 -m32}. */
    H2LOAD,
    /** Clients {@code openssl s_time}: a full handshake and a request each time. */
    HANDSHAKES,
    /** {@code h2load} with a request on each connection, at a fixed rate of connections. */
    H2_CONNECTIONS,
    /** 32 connections of the lab's own program, with an echo at a time on each. */
    ECHO
}
