package io.weir.cluster.state.members;

/** Callbacks of the member rules for the consequences of membership changes, while an entry is applied. */
public interface MemberUses {
    /** A process started as this member. */
    void joined(String member);

    /** It is shutting down gracefully. */
    void leaving(String member, String reason);

    /** It was removed from the cluster. */
    void removed(String member);

    /** Singletons may be placed on it from now on. */
    void arrived(String member);

    /** It is no longer alive. */
    void gone(String member, String reason);

    /** Placement no longer waits for members. */
    void placementBegins();
}
