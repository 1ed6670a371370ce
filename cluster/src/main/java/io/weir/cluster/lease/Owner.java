package io.weir.cluster.lease;

/**
 * Who holds a lease: a member, and which of its lives. Immutable.
 *
 * @param member the member's name
 * @param incarnation drawn at random at each start of its process, so that a restarted member does not take its former
 *     self's lease for its own
 */
public record Owner(String member, long incarnation) {
    @Override
    public String toString() {
        return member + "#" + Long.toHexString(incarnation);
    }
}
