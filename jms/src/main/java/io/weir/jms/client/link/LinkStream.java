package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.Ok;
import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the streams on a link: requests and notices go out on it. Stream 0 is the connection itself, the others are
 * sessions. Immutable; lives as long as its link.
 */
public record LinkStream(Link link, int number) {
    /** Writes a request's payload. */
    public interface Body {
        void write(ByteBuf out, int request);
    }

    /** Where a stream is to be had, on the link in use. */
    @FunctionalInterface
    public interface Source {
        /** Waits for a lost link to come back, as long as ReconnectBlockingMillis. */
        LinkStream stream() throws JMSException;
    }

    private static final int SIZE_HINT = 128;

    /** Asks and waits for the answer. */
    @Nullable
    public Ok call(int type, Body body) throws JMSException {
        return call(new Call(), type, body);
    }

    /** Asks with a call of one's own and waits for the answer. */
    @Nullable
    public Ok call(Call call, int type, Body body) throws JMSException {
        ask(call, type, body);
        return call.await();
    }

    /** Asks; the answer comes to the pending request. */
    public void ask(Pending pending, int type, Body body) throws JMSException {
        link.ask(pending);
        ByteBuf frame = link.frame(type, number, SIZE_HINT);
        body.write(frame, pending.request);
        link.send(frame);
    }

    /** Tells without an answer. */
    public void tell(int type, int sizeHint, Consumer<ByteBuf> body) {
        ByteBuf frame = link.frame(type, number, sizeHint);
        body.accept(frame);
        link.send(frame);
    }

    /** Whether its link is closed. */
    public boolean isLost() {
        return link.isClosed();
    }
}
