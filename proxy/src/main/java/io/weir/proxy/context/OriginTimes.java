package io.weir.proxy.context;

/**
 * Time-outs for an origin, nanoseconds. Immutable.
 *
 * @param connect for a connection to one address
 * @param borrow for a connection of the pool, resolving and connecting included
 * @param response from the request's last byte to the head of the answer
 * @param body between two pieces of the answer's body
 */
public record OriginTimes(long connect, long borrow, long response, long body) {}
