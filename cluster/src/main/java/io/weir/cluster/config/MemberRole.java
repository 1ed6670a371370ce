package io.weir.cluster.config;

/** The role of a member. */
public enum MemberRole {
    /** Runs singletons and votes. */
    MEMBER,
    /** Votes only: the third vote beside two members. */
    WITNESS
}
