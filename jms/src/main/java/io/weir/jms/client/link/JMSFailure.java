package io.weir.jms.client.link;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection was lost, from which each waiting thread creates its own exception, with its own stack trace.
 * Immutable.
 *
 * @param cause the error of the socket or the peer; null if it was closed cleanly
 */
public record JMSFailure(@Nullable Throwable cause) {
    /** Creates a new exception for a waiting thread. */
    public JMSException exception() {
        return Refusals.lost(cause);
    }
}
