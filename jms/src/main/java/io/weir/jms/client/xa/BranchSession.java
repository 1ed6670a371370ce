package io.weir.jms.client.xa;

import io.weir.jms.client.delivery.Attachment;
import io.weir.jms.client.delivery.SessionLink;
import io.weir.jms.client.link.LinkStream;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** The session as needed by its resource. */
public interface BranchSession extends SessionLink {
    /** The attachment, lost or not; null before it is opened. Does not wait. */
    @Nullable
    Attachment attachmentNow();

    /** Whether it is closed or going to be. */
    boolean isClosed();

    /** Whether the current thread is inside a completion listener of the session. */
    boolean isCompleting();

    /** Waits until all of its sends in progress were answered. */
    void awaitSends() throws JMSException;

    /** The connection's own stream on the current link, which serves after the session's close, too. */
    LinkStream control() throws JMSException;

    /** Reports a failure that cannot be thrown to a caller. */
    void quiet(String what, Throwable cause);

    /** Its connection, which {@code isSameRM} compares. */
    Object connection();
}
