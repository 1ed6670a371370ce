package io.weir.jms.client.link;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import org.jspecify.annotations.Nullable;

/** Maps checked exceptions to the unchecked ones of the simplified API. Stateless. */
public final class Runtimes {
    private Runtimes() {}

    /** An operation of the classic API. */
    public interface Task {
        void run() throws JMSException;
    }

    /** An operation of the classic API with a result. */
    public interface Source<T> {
        T get() throws JMSException;
    }

    /** An operation of the classic API whose result may be null. */
    public interface OptionalSource<T> {
        @Nullable
        T get() throws JMSException;
    }

    /** The result of an operation, which may be null. */
    public static <T> @Nullable T getOptional(OptionalSource<T> source) {
        try {
            return source.get();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    /** Runs an operation. */
    public static void run(Task task) {
        try {
            task.run();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    /** The result of an operation. */
    public static <T> T get(Source<T> source) {
        try {
            return source.get();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    /** The unchecked exception with the same meaning, text and code. */
    public static JMSRuntimeException of(JMSException e) {
        String text = e.getMessage();
        String code = e.getErrorCode();
        if (e instanceof IllegalStateException x) {
            return new IllegalStateRuntimeException(text, code, x);
        }
        if (e instanceof InvalidClientIDException x) {
            return new InvalidClientIDRuntimeException(text, code, x);
        }
        if (e instanceof InvalidDestinationException x) {
            return new InvalidDestinationRuntimeException(text, code, x);
        }
        if (e instanceof InvalidSelectorException x) {
            return new InvalidSelectorRuntimeException(text, code, x);
        }
        if (e instanceof JMSSecurityException x) {
            return new JMSSecurityRuntimeException(text, code, x);
        }
        if (e instanceof MessageFormatException x) {
            return new MessageFormatRuntimeException(text, code, x);
        }
        if (e instanceof MessageNotWriteableException x) {
            return new MessageNotWriteableRuntimeException(text, code, x);
        }
        if (e instanceof ResourceAllocationException x) {
            return new ResourceAllocationRuntimeException(text, code, x);
        }
        if (e instanceof TransactionInProgressException x) {
            return new TransactionInProgressRuntimeException(text, code, x);
        }
        if (e instanceof TransactionRolledBackException x) {
            return new TransactionRolledBackRuntimeException(text, code, x);
        }
        return new JMSRuntimeException(text, code, e);
    }
}
