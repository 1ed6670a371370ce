package io.weir.wire.channel;

/**
 * Water marks for the pending bytes of one connection. Immutable.
 *
 * @param low bytes below which it is writable again
 * @param high bytes above which it is not writable
 * @param limit bytes above which it is closed
 */
public record OutboundMarks(long low, long high, long limit) {}
