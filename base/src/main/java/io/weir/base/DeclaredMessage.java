package io.weir.base;

/**
 * A message with its declaration, implemented by the message enumerations of the rooms, so that each needs one method
 * only.
 */
public interface DeclaredMessage extends LogMessage {
    /**
     * The declaration of a log message.
     *
     * @param id six digits after {@code WEIR-}
     * @param subsystem Kernel, Socket, HTTP, Proxy …
     * @param text with {@code {}} for each argument
     * @param remedy what the operator can do about it; empty if nothing needs to be done
     */
    record Declaration(int id, Severity severity, String subsystem, String text, String remedy) {}

    /** The message's declaration. */
    Declaration declaration();

    @Override
    default int id() {
        return declaration().id();
    }

    @Override
    default Severity severity() {
        return declaration().severity();
    }

    @Override
    default String subsystem() {
        return declaration().subsystem();
    }

    @Override
    default String text() {
        return declaration().text();
    }

    @Override
    default String remedy() {
        return declaration().remedy();
    }
}
