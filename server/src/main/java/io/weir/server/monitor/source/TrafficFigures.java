package io.weir.server.monitor.source;

/**
 * What a listener, a virtual server or a client uses, and what it may: quality of service. Immutable.
 *
 * @param scope listener, virtual-server, client
 * @param name of it; a client's address
 * @param connections those that had a request
 * @param requests so far, those that were refused not counted
 * @param bytes sent so far
 */
public record TrafficFigures(
        String scope, String name, Figure connections, Figure requestRate, Figure byteRate, long requests, long bytes) {
    /** Clients that perfdump and stats-xml show. */
    public static final int CLIENTS = 10;

    /** Clients that may be asked for. */
    public static final int MAX_CLIENTS = 1000;

    /**
     * A figure of the latest whole second, the most that it was, and its bound.
     *
     * @param limit 0 for none
     */
    public record Figure(long now, long most, double limit) {}
}
