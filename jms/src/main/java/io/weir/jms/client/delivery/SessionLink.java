package io.weir.jms.client.delivery;

import jakarta.jms.JMSException;

/** A session's way to the broker, as its producers, browsers and transaction need it. */
public interface SessionLink {
    /** Refuses what a closed session can not do. */
    void checkOpen() throws JMSException;

    /** The place on the link; waits for a lost one to come back, as long as ReconnectBlockingMillis. */
    Attachment link() throws JMSException;
}
