package io.weir.cluster.config;

/** What a member is there for. */
public enum MemberRole {
    /** Runs singletons and has a vote. */
    MEMBER,
    /** Has a vote only: the third of two. */
    WITNESS
}
