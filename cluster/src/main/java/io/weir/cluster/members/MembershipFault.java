package io.weir.cluster.members;

/** Why members do not come together, or a change of them was not made; its text is for people. Immutable. */
public final class MembershipFault extends Exception {
    private static final long serialVersionUID = 2;

    private final boolean refused;

    /**
     * Of a change that was not made.
     *
     * @param refused whether asking again as it is brings the same; else the cluster cannot do it now
     */
    public MembershipFault(String text, boolean refused) {
        super(text, null, false, false);
        this.refused = refused;
    }

    /** Whether asking again as it is brings the same. */
    public boolean refused() {
        return refused;
    }
}
