package io.weir.wire.invoke;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A failed call: what went wrong, and whether the method may have been executed. For an interface that extends {@code
 * java.rmi.Remote} it is the cause of a {@code RemoteException}.
 */
public final class InvocationFault extends RuntimeException {
    /** Codes from this one on are assigned by the caller's end and are not sent in frames. */
    static final int FIRST_OF_CALLER = 128;

    private static final long serialVersionUID = 1;

    /** What is known about the method's execution. */
    public enum Executed {
        /** Certainly not executed: the same call may be repeated. */
        NO,
        /** Unknown. */
        UNKNOWN,
        /** Executed, to its end or to its exception. */
        YES
    }

    /** What went wrong; the codes are part of the protocol. Those from 128 on are assigned by the caller's end. */
    public enum Code {
        APPLICATION(1, Executed.YES, "the method threw an exception that its signature does not declare"),
        NO_SERVICE(2, Executed.NO, "no service of that name here, or it is being removed"),
        INTERFACE(3, Executed.NO, "the service does not have this interface in this shape, or not this method"),
        ARGUMENTS(4, Executed.NO, "the arguments do not match the signature, or a record's constructor rejected them"),
        TOO_LARGE(5, Executed.NO, "the arguments exceed the limit"),
        BUSY(6, Executed.NO, "too many calls are waiting or running"),
        LATE(7, Executed.NO, "the deadline had passed before the call could begin"),
        DENIED(8, Executed.NO, "the caller may not call this service"),
        STOPPING(9, Executed.NO, "the member is stopping"),
        RESULT(10, Executed.YES, "the result cannot be encoded, or exceeds the limit"),
        REPEATED(11, Executed.UNKNOWN, "the call was received before, and its response is no longer kept"),
        INTERNAL(12, Executed.UNKNOWN, "an internal error of the member; see its log"),
        UNREACHABLE(128, Executed.NO, "no connection to the member could be made"),
        NO_OWNER(129, Executed.NO, "no member offers the service now"),
        LOST(130, Executed.UNKNOWN, "the connection was lost before the response arrived"),
        TIME_OUT(131, Executed.UNKNOWN, "no response arrived before the deadline"),
        INTERRUPTED(132, Executed.UNKNOWN, "the calling thread was interrupted"),
        ANSWER(133, Executed.YES, "the response does not match the signature");

        private final int number;
        private final Executed executed;
        private final String when;

        Code(int number, Executed executed, String when) {
            this.number = number;
            this.executed = executed;
            this.when = when;
        }

        /** The number in frames. */
        public int number() {
            return number;
        }

        /** What a fault with this code means for the method's execution. */
        public Executed executed() {
            return executed;
        }

        /** A description of the condition. */
        public String when() {
            return when;
        }

        /** The name in counters and documents: {@code no-service}. */
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
     * @param text for the caller: what was called, and what went wrong
     */
    public InvocationFault(Code code, String text) {
        this(code, text, null);
    }

    /** A fault with its cause at this end; only the text is sent over the wire. */
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

    /** What was called, and what went wrong, for people. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
