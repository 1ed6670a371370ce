package io.weir.broker.xa;

import javax.transaction.xa.XAException;

/** An operation on a branch that fails with an error code of XAException. Without a stack trace. Immutable. */
public final class BranchFault extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;

    public BranchFault(int code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    /** The request does not fit the state (XAER_PROTO). */
    public static BranchFault protocol(String text) {
        return new BranchFault(XAException.XAER_PROTO, text);
    }

    public int code() {
        return code;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
