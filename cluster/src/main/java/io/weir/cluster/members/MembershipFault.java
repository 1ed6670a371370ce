package io.weir.cluster.members;

/** A membership change failed; its message is for operators. Immutable. */
public final class MembershipFault extends Exception {
    private static final long serialVersionUID = 2;

    private final boolean refused;

    /**
     * Creates the fault of a failed change.
     *
     * @param refused whether a retry without a change is useless; otherwise the cluster cannot do it now
     */
    public MembershipFault(String text, boolean refused) {
        super(text, null, false, false);
        this.refused = refused;
    }

    /** Whether a retry without a change is useless. */
    public boolean refused() {
        return refused;
    }
}
