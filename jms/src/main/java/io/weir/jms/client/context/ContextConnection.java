package io.weir.jms.client.context;

import io.weir.jms.client.ClientConnection;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection that several contexts share; closed with the last of them. Shared. */
final class ContextConnection {
    private final ClientConnection connection;
    private final AtomicInteger contexts = new AtomicInteger(1);

    ContextConnection(ClientConnection connection) {
        this.connection = connection;
    }

    ClientConnection connection() {
        return connection;
    }

    /** Registers another context that uses it. */
    ContextConnection shared() {
        if (contexts.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
            throw new IllegalStateRuntimeException("the context is closed", "CLOSED");
        }
        return this;
    }

    /** Unregisters a context. */
    void release() throws JMSException {
        if (contexts.decrementAndGet() == 0) {
            connection.close();
        }
    }

    /** Whether only one context uses it: closing that closes the connection. */
    boolean isLast() {
        return contexts.get() == 1;
    }
}
