package io.weir.base;

/**
 * A message that carries its declaration: what the enumerations of the rooms implement, so that each adds one method.
 */
public interface DeclaredMessage extends LogMessage {
    /**
     * The declaration of a log message.
     *
     * @param id six digits after {@code WEIR-}
     * @param subsystem Kernel, Socket, HTTP, Proxy …
     * @param text with {@code {}} for each argument
     * @param remedy what the operator can do about it; empty when nothing need be done
     */
    record Said(int id, Severity severity, String subsystem, String text, String remedy) {}

    /** The declaration. */
    Said said();

    @Override
    default int id() {
        return said().id();
    }

    @Override
    default Severity severity() {
        return said().severity();
    }

    @Override
    default String subsystem() {
        return said().subsystem();
    }

    @Override
    default String text() {
        return said().text();
    }

    @Override
    default String remedy() {
        return said().remedy();
    }
}
