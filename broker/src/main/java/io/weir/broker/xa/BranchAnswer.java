package io.weir.broker.xa;

/** Receives the outcome of an operation on a branch. */
@FunctionalInterface
public interface BranchAnswer {
    /**
     * On the branch's loop.
     *
     * @param code XA_OK, XA_RDONLY or an error code of XAException
     * @param text the reason of an error
     */
    void done(int code, String text);
}
