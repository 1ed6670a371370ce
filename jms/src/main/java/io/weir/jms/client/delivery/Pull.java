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
    private final int requested;
    private int count;
    private @Nullable RefusalCode code;
    private String text = "";
    private @Nullable JMSFailure failure;
    private volatile boolean done;
    private volatile boolean abandoned;

    /**
     * @param ahead whether it is requested in advance, without a waiting receive: an empty result has no meaning
     * @param requested maximum number of messages
     */
    public Pull(Attachment attachment, boolean ahead, int requested) {
        this.attachment = attachment;
        this.ahead = ahead;
        this.requested = requested;
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
    public void refused(RefusalCode why, String message) {
        code = why;
        text = message;
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

    /** Whether it was requested in advance, without a waiting receive. */
    public boolean isAhead() {
        return ahead;
    }

    /** Whether it ended, with whatever outcome. */
    public boolean isDone() {
        return done;
    }

    /** Whether the link was lost before it ended. */
    public boolean isLost() {
        return failure != null;
    }

    /** Whether it ended with fewer messages than requested. */
    public boolean isShort() {
        return count < requested;
    }

    /** Whether the broker reported that no message arrived in time. */
    public boolean isEmpty() {
        return count == 0 && !ahead && !abandoned;
    }

    /** Cancels the request at the broker, because the receive returns early. */
    public void cancel() {
        if (!done && !attachment.isLost()) {
            abandoned = true;
            attachment.send(FrameType.CANCEL_RECEIVE, Integer.BYTES, out -> new Plain(request).write(out));
        }
    }

    /** Throws the broker's refusal, or the loss of the link. */
    public void check() throws JMSException {
        if (failure != null) {
            throw failure.exception();
        }
        if (code != null) {
            throw Refusals.of(code, text);
        }
    }
}
