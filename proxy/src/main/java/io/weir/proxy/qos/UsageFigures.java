package io.weir.proxy.qos;

/**
 * The current usage of a listener, a virtual server or a client, and its usage since it was first seen. Immutable.
 *
 * @param name of the listener or virtual server, or the client's address
 * @param connections open now
 * @param mostConnections maximum of open connections
 * @param requests that passed the limits
 * @param requestRate requests in the latest whole second
 * @param mostRequests maximum of requests in a second
 * @param bytes sent to clients, before encryption
 * @param byteRate bytes in the latest whole second
 * @param mostBytes maximum of bytes in a second
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
