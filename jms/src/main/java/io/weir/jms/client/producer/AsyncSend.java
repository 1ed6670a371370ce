package io.weir.jms.client.producer;

import io.netty.buffer.ByteBuf;
import io.weir.jms.client.link.JMSFailure;
import io.weir.jms.client.link.Pending;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * A send whose CompletionListener waits for the answer (specification 7.3). Completed by the loop; the session's
 * dispatch calls the listener.
 */
final class AsyncSend extends Pending {
    private final AsyncSends sends;
    private final WeirMessage ours;
    private final Message message;
    private final CompletionListener listener;
    private @Nullable JMSException failure;
    private volatile boolean done;

    /**
     * Creates a send.
     *
     * @param ours the message as it is sent, {@code message} as the application has it
     */
    AsyncSend(AsyncSends sends, WeirMessage ours, Message message, CompletionListener listener) {
        this.sends = sends;
        this.ours = ours;
        this.message = message;
        this.listener = listener;
    }

    @Override
    public void ok(ByteBuf payload) {
        finish();
    }

    @Override
    public void refused(RefusalCode code, String text) {
        failure = Refusals.of(code, text);
        finish();
    }

    @Override
    public void lost(JMSFailure why) {
        failure = why.exception();
        finish();
    }

    private void finish() {
        done = true;
        sends.answered();
    }

    /** Marks the message as not writeable until its listener is called. */
    void begin() {
        ours.sending(true);
    }

    /** Makes the message writeable again, because it was not sent. */
    void abort() {
        ours.sending(false);
    }

    boolean isDone() {
        return done;
    }

    /** Calls the listener. */
    void notifyListener() {
        ours.sending(false);
        try {
            if (failure == null) {
                listener.onCompletion(message);
            } else {
                listener.onException(message, failure);
            }
        } catch (RuntimeException e) {
            sends.listenerThrew(e);
        }
    }
}
