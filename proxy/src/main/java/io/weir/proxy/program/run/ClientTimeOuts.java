package io.weir.proxy.program.run;

/**
 * Time-outs of one route, nanoseconds; 0: that of {@code proxy.time-outs}. Immutable.
 *
 * @param connect to establish a connection
 * @param responseHeader to the end of the answer's head
 * @param bodyIdle between two pieces of its body
 */
public record ClientTimeOuts(long connect, long responseHeader, long bodyIdle) {}
