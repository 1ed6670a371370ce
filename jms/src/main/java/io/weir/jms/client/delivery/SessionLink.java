package io.weir.jms.client.delivery;

import jakarta.jms.JMSException;

/** A session's access to the broker, for its producers, browsers and transaction. */
public interface SessionLink extends SessionKind {
    /** Throws if the session is closed. */
    void checkOpen() throws JMSException;

    /** The attachment to the current link; waits until a lost link is restored, at most ReconnectBlockingMillis. */
    Attachment link() throws JMSException;
}
