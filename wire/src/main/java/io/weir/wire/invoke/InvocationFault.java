package io.weir.wire.invoke;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A call that did not give what its method promises: what went wrong, and whether the method may have been executed. For an
 * interface that extends {@code java.rmi.Remote} it is the cause of a {@code RemoteException}.
 */
public final class InvocationFault extends RuntimeException {
    /** Codes from this one on are found by the caller's end and are in no frame. */
    static final int FIRST_OF_CALLER = 128;

    private static final long serialVersionUID = 1;

    /** What is known of the method's execution. */
    public enum Executed {
        /** Surely not: the same call may be made again. */
        NO,
        /** Nobody can say. */
        UNKNOWN,
        /** It was, to its end or to its exception. */
        YES
    }

    /** What went wrong; the codes are part of the protocol. Those from 128 on are found by the caller's end. */
    public enum Code {
        APPLICATION(1, Executed.YES, "the method threw what its signature does not declare"),
        NO_SERVICE(2, Executed.NO, "no service of that name here, or it is just going away"),
        INTERFACE(3, Executed.NO, "the service does not have this interface in this shape, or not this method"),
        ARGUMENTS(4, Executed.NO, "the arguments are not what the signature declares, or a record refused them"),
        TOO_LARGE(5, Executed.NO, "the arguments are longer than is allowed"),
        BUSY(6, Executed.NO, "too many calls wait or run"),
        LATE(7, Executed.NO, "the deadline had passed before the call could begin"),
        DENIED(8, Executed.NO, "the caller may not call this service"),
        STOPPING(9, Executed.NO, "the member stops"),
        RESULT(10, Executed.YES, "the result cannot be carried, or is longer than is allowed"),
        REPEATED(11, Executed.UNKNOWN, "the call came before, and its answer is not kept any more"),
        INTERNAL(12, Executed.UNKNOWN, "an error of the member's own, its log has it"),
        UNREACHABLE(128, Executed.NO, "no connection to the member could be made"),
        NO_OWNER(129, Executed.NO, "nobody offers the service now"),
        LOST(130, Executed.UNKNOWN, "the connection was lost before the answer came"),
        TIME_OUT(131, Executed.UNKNOWN, "no answer came before the deadline"),
        INTERRUPTED(132, Executed.UNKNOWN, "the calling thread was interrupted"),
        ANSWER(133, Executed.YES, "the answer is not what the signature declares");

        private final int number;
        private final Executed executed;
        private final String when;

        Code(int number, Executed executed, String when) {
            this.number = number;
            this.executed = executed;
            this.when = when;
        }

        /** As it is in frames. */
        public int number() {
            return number;
        }

        /** What a fault with this code says of the method's execution. */
        public Executed executed() {
            return executed;
        }

        /** When it comes, in words. */
        public String when() {
            return when;
        }

        /** As counters and documents have it: {@code no-service}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The code with this number; INTERNAL for one of a newer peer. */
        public static Code of(int number) {
            for (Code c : values()) {
                if (c.number == number) {
                    return c;
                }
            }
            return INTERNAL;
        }
    }

    private final Code code;

    /**
     * A fault without a cause.
     *
     * @param text for the caller: what was called, and what was wrong
     */
    public InvocationFault(Code code, String text) {
        this(code, text, null);
    }

    /** A fault with what led to it at this end; the text alone goes over the wire. */
    public InvocationFault(Code code, String text, @Nullable Throwable cause) {
        super(text, cause);
        this.code = code;
    }

    /** What went wrong. */
    public Code code() {
        return code;
    }

    /** Whether the method may have been executed. */
    public Executed executed() {
        return code.executed();
    }

    /** What was called, and what was wrong, for people. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
