package io.weir.cluster.state.members;

/** What follows from members' coming and going, as their rules tell it while an entry is applied. */
public interface MemberUses {
    /** A process began as this member. */
    void joined(String member);

    /** It shuts down in order. */
    void leaving(String member, String reason);

    /** It was taken out of the cluster. */
    void removed(String member);

    /** Something may be placed on it from now on. */
    void arrived(String member);

    /** It is not alive any more. */
    void gone(String member, String reason);

    /** Placement need not wait for members any more. */
    void placementBegins();
}
