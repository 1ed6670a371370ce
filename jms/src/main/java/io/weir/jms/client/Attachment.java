package io.weir.jms.client;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.Ok;
import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's place on one link; a session that reconnects gets another. Stream 0 is the connection itself. Immutable.
 *
 * @param stream the session's number on the link
 */
record Attachment(Link link, int stream) {
    /** Writes a request's payload. */
    interface Body {
        void write(ByteBuf out, int request);
    }

    private static final int SIZE_HINT = 128;

    /** Asks and waits for the answer. */
    @Nullable
    Ok call(int type, Body body) throws JMSException {
        return call(new Call(), type, body);
    }

    /** Asks with a call of one's own and waits for the answer. */
    @Nullable
    Ok call(Call call, int type, Body body) throws JMSException {
        ask(call, type, body);
        return call.await();
    }

    /** Asks; the answer comes to the pending request. */
    void ask(Pending pending, int type, Body body) throws JMSException {
        link.ask(pending);
        ByteBuf frame = link.frame(type, stream, SIZE_HINT);
        body.write(frame, pending.request);
        link.send(frame);
    }

    /** Tells without an answer. */
    void tell(int type, int sizeHint, Consumer<ByteBuf> body) {
        ByteBuf frame = link.frame(type, stream, sizeHint);
        body.accept(frame);
        link.send(frame);
    }

    boolean isLost() {
        return link.isClosed();
    }
}
