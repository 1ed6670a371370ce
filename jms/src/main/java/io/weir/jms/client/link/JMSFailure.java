package io.weir.jms.client.link;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection is gone, from which each thread that waits makes an exception of its own, with its own stack. Immutable.
 *
 * @param cause what the socket or the peer said; null when it was closed cleanly
 */
public record JMSFailure(@Nullable Throwable cause) {
    /** The exception for one who waited, each his own. */
    public JMSException exception() {
        return Refusals.lost(cause);
    }
}
