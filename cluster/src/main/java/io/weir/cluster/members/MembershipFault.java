package io.weir.cluster.members;

/** Why members do not come together, or a change of them was refused; its text is for people. Immutable. */
public final class MembershipFault extends Exception {
    private static final long serialVersionUID = 1;

    public MembershipFault(String text) {
        super(text, null, false, false);
    }
}
