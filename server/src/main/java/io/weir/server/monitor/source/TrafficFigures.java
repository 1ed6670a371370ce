package io.weir.server.monitor.source;

/**
 * The usage of a listener, a virtual server or a client, and its limits: quality of service. Immutable.
 *
 * @param scope listener, virtual-server, client
 * @param name its name; a client's address
 * @param connections connections that had a request
 * @param requests so far, without refused ones
 * @param bytes sent so far
 */
public record TrafficFigures(
        String scope, String name, Figure connections, Figure requestRate, Figure byteRate, long requests, long bytes) {
    /** Number of clients that perfdump and stats-xml show. */
    public static final int CLIENTS = 10;

    /** Maximum number of clients that may be requested. */
    public static final int MAX_CLIENTS = 1000;

    /**
     * A figure of the latest whole second, its peak, and its bound.
     *
     * @param limit 0 for none
     */
    public record Figure(long now, long most, double limit) {}
}
