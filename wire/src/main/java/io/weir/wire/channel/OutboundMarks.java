package io.weir.wire.channel;

/**
 * Marks for the bytes that wait to be sent on one connection. Immutable.
 *
 * @param low bytes at which it is writable again
 * @param high bytes over which it is not
 * @param limit bytes over which it is cut off
 */
public record OutboundMarks(long low, long high, long limit) {}
