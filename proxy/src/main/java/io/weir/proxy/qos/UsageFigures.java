package io.weir.proxy.qos;

/**
 * What a listener, a virtual server or a client uses and has used since it was first seen. Immutable.
 *
 * @param name of the listener or virtual server, or the client's address
 * @param connections open now
 * @param mostConnections that were open at once
 * @param requests that passed the limits
 * @param requestRate of them in the latest whole second
 * @param mostRequests of them in the second with most
 * @param bytes sent to clients, before encryption
 * @param byteRate of them in the latest whole second
 * @param mostBytes of them in the second with most
 */
public record UsageFigures(
        String name,
        int connections,
        int mostConnections,
        long requests,
        long requestRate,
        long mostRequests,
        long bytes,
        long byteRate,
        long mostBytes) {}
