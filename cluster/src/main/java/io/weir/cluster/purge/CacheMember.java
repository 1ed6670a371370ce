package io.weir.cluster.purge;

/**
 * A member whose cache answers the other members. Immutable.
 *
 * @param address host:port
 */
public record CacheMember(String name, String address) {}
