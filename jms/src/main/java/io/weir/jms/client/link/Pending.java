package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BranchFrames;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.RefusalCode;

/**
 * A request that waits for its answer. Its methods are called on the connection's loop; exactly one of the final ones
 * is called, once.
 */
public abstract class Pending {
    /** The number that the answer repeats; set by {@link Requests} before the request is sent. */
    public int request;

    /** OK; the remaining payload is the answer's content. */
    public abstract void ok(ByteBuf payload);

    /** The broker refused it. */
    public abstract void refused(RefusalCode code, String text);

    /** The connection was lost. */
    public abstract void lost(JMSFailure why);

    /** RECEIVE_DONE or BROWSE_DONE. */
    public void done(int count, long cursor) {
        refused(RefusalCode.INTERNAL, "the server's answer is of another kind");
    }

    /** BRANCH_DONE. */
    public void branchDone(BranchFrames.Done done) {
        refused(RefusalCode.INTERNAL, "the server's answer is of another kind");
    }

    /** A message that a BROWSE found. */
    public void browsed(DeliverFrame head, ByteBuf block) {
        refused(RefusalCode.INTERNAL, "the server's answer is of another kind");
    }
}
