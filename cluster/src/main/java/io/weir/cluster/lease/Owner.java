package io.weir.cluster.lease;

/**
 * The owner of a lease: a member and its incarnation. Immutable.
 *
 * @param member the member's name
 * @param incarnation a random number generated at each start of the process, so that a restarted member does not treat
 *     leases of its former incarnation as its own
 */
public record Owner(String member, long incarnation) {
    @Override
    public String toString() {
        return member + "#" + Long.toHexString(incarnation);
    }
}
