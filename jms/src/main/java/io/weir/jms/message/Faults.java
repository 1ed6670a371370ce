package io.weir.jms.message;

import io.weir.wire.WireFault;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import org.jspecify.annotations.Nullable;

/** The exceptions that several kinds of messages throw. Immutable. */
final class Faults {
    private Faults() {}

    static <E extends JMSException> E because(E e, @Nullable Throwable cause) {
        if (cause instanceof Exception known) {
            e.setLinkedException(known);
        }
        if (cause != null) {
            e.initCause(cause);
        }
        return e;
    }

    static JMSException malformed(String what, WireFault cause) {
        return because(
                new MessageFormatException("the " + what + " of the message are malformed: " + cause.text()), cause);
    }

    static MessageNotWriteableException notWriteable() {
        return new MessageNotWriteableException("the body is read-only: clearBody() makes it writeable");
    }

    static MessageNotReadableException notReadable() {
        return new MessageNotReadableException("the body is write-only: reset() makes it readable");
    }
}
