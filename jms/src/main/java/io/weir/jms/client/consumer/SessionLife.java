package io.weir.jms.client.consumer;

import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.SessionLink;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** The session's state as needed by the classes that pass messages to the application. */
public interface SessionLife extends SessionLink {
    /** The attachment, lost or not; null before it is opened. Does not wait. */
    @Nullable
    Attachment attachmentNow();

    /** Whether it is closed or going to be. */
    boolean isClosed();

    /** Whether messages may be handed to the application now. */
    boolean running();

    /** Reports a failure that cannot be thrown to a caller. */
    void quiet(String what, Throwable cause);

    /** The server closed one of its consumers; the connection's ExceptionListener is notified. */
    void consumerFailed(JMSException why);
}
