package io.weir.base;

/**
 * A message of the catalogue: declared once, as a constant of an enumeration in the room that logs it. {@code
 * docs/messages.md} is generated from all of them.
 */
public interface LogMessage {
    /** Six digits after {@code WEIR-}; the number of the BEA message if one exists. */
    int id();

    Severity severity();

    /** Kernel, Socket, HTTP, Proxy, Cache, Server, Admin, WorkManager … */
    String subsystem();

    /** The text with {@code {}} for each argument. */
    String text();

    /** What the operator can do about it; empty if nothing needs to be done. */
    default String remedy() {
        return "";
    }

    /** Whether repetitions with the same arguments within an interval are counted instead of written. */
    default boolean limited() {
        return severity().compareTo(Severity.WARNING) <= 0;
    }
}
