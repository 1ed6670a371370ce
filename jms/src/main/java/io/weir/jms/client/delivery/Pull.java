package io.weir.jms.client.delivery;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.link.JMSFailure;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.frames.ClientFrames.Plain;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** A RECEIVE in flight on one link: completed by the loop, watched by the thread that receives. */
public final class Pull extends Pending {
    private final Attachment attachment;
    private final boolean ahead;
    private final int asked;
    private int count;
    private @Nullable RefusalCode code;
    private String text = "";
    private @Nullable JMSFailure failure;
    private volatile boolean done;
    private volatile boolean abandoned;

    /**
     * @param ahead asked before anybody waits: finding nothing means nothing
     * @param asked messages at most
     */
    public Pull(Attachment attachment, boolean ahead, int asked) {
        this.attachment = attachment;
        this.ahead = ahead;
        this.asked = asked;
    }

    @Override
    public void done(int messages, long cursor) {
        count = messages;
        finish();
    }

    @Override
    public void ok(ByteBuf payload) {
        finish();
    }

    @Override
    public void refused(RefusalCode why, String said) {
        code = why;
        text = said;
        finish();
    }

    @Override
    public void lost(JMSFailure why) {
        failure = why;
        finish();
    }

    private void finish() {
        done = true;
        attachment.session().wakeReceiver();
    }

    /** Whether it was asked before anybody waits. */
    public boolean isAhead() {
        return ahead;
    }

    /** Whether it ended, whatever the end was. */
    public boolean isDone() {
        return done;
    }

    /** Whether the link was lost before it ended. */
    public boolean isLost() {
        return failure != null;
    }

    /** Whether it ended with fewer messages than asked for. */
    public boolean isShort() {
        return count < asked;
    }

    /** Whether the broker said that there was no message in time. */
    public boolean isEmpty() {
        return count == 0 && !ahead && !abandoned;
    }

    /** The receive returns early: cancels its request at the broker. */
    public void cancel() {
        if (!done && !attachment.isLost()) {
            abandoned = true;
            attachment.tell(FrameType.CANCEL_RECEIVE, Integer.BYTES, out -> new Plain(request).write(out));
        }
    }

    /** Raises what the broker refused, or the loss of the link. */
    public void check() throws JMSException {
        if (failure != null) {
            throw failure.exception();
        }
        if (code != null) {
            throw Refusals.of(code, text);
        }
    }
}
