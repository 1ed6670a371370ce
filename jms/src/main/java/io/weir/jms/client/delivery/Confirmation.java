package io.weir.jms.client.delivery;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.link.JMSFailure;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.frames.RefusalCode;

/**
 * The broker's confirmation that it has processed reported deliveries, for which the session's next message waits.
 * Completed by the loop, which wakes the session.
 */
final class Confirmation extends Pending {
    private final Attachment attachment;
    private volatile boolean done;

    Confirmation(Attachment attachment) {
        this.attachment = attachment;
    }

    boolean isDone() {
        return done;
    }

    @Override
    public void ok(ByteBuf payload) {
        finish();
    }

    /** The messages count as acknowledged anyway: the broker retries its disk, and consumers must not stop for it. */
    @Override
    public void refused(RefusalCode code, String text) {
        attachment.acks().notDurable(Refusals.of(code, text));
        finish();
    }

    /** The messages of the link are void, and the next one arrives on another. */
    @Override
    public void lost(JMSFailure why) {
        finish();
    }

    private void finish() {
        done = true;
        attachment.session().confirmed();
    }
}
