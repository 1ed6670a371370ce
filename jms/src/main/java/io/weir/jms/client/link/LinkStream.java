package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.Ok;
import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the streams on a link, on which requests and other frames are sent. Stream 0 is the connection itself, the
 * others are sessions. Immutable; lives as long as its link.
 */
public record LinkStream(Link link, int number) {
    /** Writes a request's payload. */
    public interface Body {
        void write(ByteBuf out, int request);
    }

    /** Provides a stream on the current link. */
    @FunctionalInterface
    public interface Source {
        /** Waits until a lost link is restored, at most ReconnectBlockingMillis. */
        LinkStream stream() throws JMSException;
    }

    private static final int SIZE_HINT = 128;

    /** Sends a request and waits for the answer. */
    @Nullable
    public Ok call(int type, Body body) throws JMSException {
        return call(new Call(), type, body);
    }

    /** Sends a request with the given call and waits for the answer. */
    @Nullable
    public Ok call(Call call, int type, Body body) throws JMSException {
        request(call, type, body);
        return call.await();
    }

    /** Sends a request; the pending request gets the answer. */
    public void request(Pending pending, int type, Body body) throws JMSException {
        link.register(pending);
        ByteBuf frame = link.frame(type, number, SIZE_HINT);
        body.write(frame, pending.request);
        link.send(frame);
    }

    /** Sends a frame that is not answered. */
    public void send(int type, int sizeHint, Consumer<ByteBuf> body) {
        ByteBuf frame = link.frame(type, number, sizeHint);
        body.accept(frame);
        link.send(frame);
    }

    /** Whether its link is closed. */
    public boolean isLost() {
        return link.isClosed();
    }
}
