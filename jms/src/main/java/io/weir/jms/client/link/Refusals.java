package io.weir.jms.client.link;

import io.weir.jms.frames.RefusalCode;
import io.weir.wire.WireFault;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Converts refusals and faults of the broker and the wire into the exceptions of Jakarta Messaging (section 10 of the
 * specification). Stateless.
 */
public final class Refusals {
    private Refusals() {}

    /** The exception for a refusal of the broker; the code's name is the error code. */
    public static JMSException of(RefusalCode code, String text) {
        String name = code.name();
        return switch (code) {
            case INVALID_DESTINATION, DESTINATION_DELETED -> new InvalidDestinationException(text, name);
            case INVALID_SELECTOR -> new InvalidSelectorException(text, name);
            case INVALID_CLIENT_ID -> new InvalidClientIDException(text, name);
            case SECURITY -> new JMSSecurityException(text, name);
            case RESOURCE_ALLOCATION -> new ResourceAllocationException(text, name);
            case ILLEGAL_STATE -> new IllegalStateException(text, name);
            case TRANSACTION_ROLLED_BACK -> new TransactionRolledBackException(text, name);
            case INTERNAL, MESSAGE_TOO_LARGE, STORE, CLOSED -> new JMSException(text, name);
        };
    }

    /** The exception for a failed connection attempt. */
    static JMSException connecting(Throwable failure, String where) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof WireFault fault) {
            String text = "the server at " + where + " refused the connection: " + fault.text();
            return switch (fault.reason()) {
                case AUTHENTICATION ->
                    caused(new JMSSecurityException(text, fault.reason().name()), cause);
                case LOGIN_STORM, BUSY, LIMIT ->
                    caused(new ResourceAllocationException(text, fault.reason().name()), cause);
                default -> caused(new JMSException(text, fault.reason().name()), cause);
            };
        }
        return caused(new JMSException("no connection to " + where + ": " + cause.getMessage(), "CONNECT"), cause);
    }

    /**
     * The exception for a reconnection that failed finally: refused by the server, or after TotalReconnectPeriodMillis.
     */
    static JMSException reconnectFailed(Throwable failure, String where, long totalMillis) {
        Throwable cause = unwrapped(failure);
        JMSException why = cause instanceof JMSException e ? e : connecting(cause, where);
        if (cause instanceof WireFault fault && !fault.reason().retryable()) {
            return why;
        }
        return caused(
                new JMSException(
                        "the connection was lost and not restored within " + totalMillis
                                + " ms (TotalReconnectPeriodMillis), reconnection is aborted: " + why.getMessage(),
                        "RECONNECT"),
                why);
    }

    /** The exception for an operation whose connection was lost before the answer arrived. */
    public static JMSException lost(@Nullable Throwable cause) {
        String why = cause == null ? "the server closed it" : String.valueOf(cause.getMessage());
        JMSException e = new JMSException(
                "the connection was lost before the answer came, the outcome is unknown: " + why, "LOST");
        return cause == null ? e : caused(e, cause);
    }

    /** The exception for the use of a closed object. */
    public static JMSException closed(String what) {
        return new IllegalStateException(what + " is closed", "CLOSED");
    }

    /** Adds a cause to an exception and returns it. */
    public static <E extends JMSException> E caused(E e, Throwable cause) {
        e.initCause(cause);
        if (cause instanceof Exception x) {
            e.setLinkedException(x);
        }
        return e;
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable t = failure;
        while ((t instanceof CompletionException || t instanceof ExecutionException) && t.getCause() != null) {
            t = t.getCause();
        }
        return t;
    }
}
