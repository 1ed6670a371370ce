package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.Ok;
import io.weir.jms.frames.RefusalCode;
import jakarta.jms.JMSException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request whose thread waits for the answer. It always ends: a silent peer is disconnected by the wire's heartbeats,
 * and then the call fails. Created and awaited by one thread, completed by the loop.
 */
public class Call extends Pending {
    private final Thread caller = Thread.currentThread();
    private @Nullable Ok answer;
    private @Nullable RefusalCode code;
    private String text = "";
    private @Nullable JMSFailure failure;
    private volatile boolean done;

    @Override
    public void ok(ByteBuf payload) {
        payload.readerIndex(payload.readerIndex() - Integer.BYTES);
        answer = Ok.read(payload);
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

    /** Completes the call and wakes the caller. */
    public final void finish() {
        done = true;
        LockSupport.unpark(caller);
    }

    /** Whether the answer has arrived, or none can arrive any more. */
    public final boolean isDone() {
        return done;
    }

    /**
     * Waits, uninterruptibly: an interrupt is kept for the caller.
     *
     * @return the answer, or null if it is of another kind
     */
    public final @Nullable Ok await() throws JMSException {
        boolean interrupted = false;
        while (!done) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return outcome();
    }

    private @Nullable Ok outcome() throws JMSException {
        if (failure != null) {
            throw failure.exception();
        }
        if (code != null) {
            throw Refusals.of(code, text);
        }
        return answer;
    }
}
