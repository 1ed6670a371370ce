package io.weir.wire;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A protocol fault or a refusal, which closes the connection: thrown where it is found, sent to the peer as an ERROR
 * frame with the reason's code and the text, and counted by reason. Without a stack trace, so that many of them cost
 * little.
 */
public final class WireFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The reasons. The codes are part of the protocol ({@code docs/wire.md}). */
    public enum Reason {
        /** Not our protocol: the first frame is not a HELLO with the magic. */
        BAD_MAGIC(1),
        /** The ends have no protocol version in common. */
        VERSION(2),
        /** User or password is wrong, or the user may not connect. */
        AUTHENTICATION(3),
        /** Too many failed logins from this address or for this user, or too many logins at once; try again later. */
        LOGIN_STORM(4),
        /** The handshake was not completed in time. */
        HANDSHAKE_TIME_OUT(5),
        /** A frame's length is above the limit, or below the head's size. */
        FRAME_LENGTH(6),
        /** A length or count inside a frame exceeds the frame, or a value is out of range. */
        MALFORMED(7),
        /** An unknown frame type. */
        UNKNOWN_TYPE(8),
        /** A known frame in a state that does not allow it. */
        WRONG_STATE(9),
        /** Nothing was received from the peer for several heartbeats. */
        SILENT(10),
        /** The peer does not read what is sent to it: the outbound limit is reached. */
        SLOW_READER(11),
        /** Too many connections in their handshake, or too many connections. */
        BUSY(12),
        /** The server is stopping. */
        SHUTDOWN(13),
        /** An internal error of this end. */
        INTERNAL(14),
        /** An administrator closed the connection. */
        ADMINISTRATIVE(15),
        /** A limit on what one connection may hold (sessions, consumers) was exceeded. */
        LIMIT(16);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        /** The code in ERROR frames. */
        public int code() {
            return code;
        }

        /** The value of the label {@code reason}: {@code bad-magic}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Whether the same attempt may succeed later or elsewhere. */
        public boolean retryable() {
            return switch (this) {
                case LOGIN_STORM, HANDSHAKE_TIME_OUT, SILENT, SLOW_READER, BUSY, SHUTDOWN, INTERNAL -> true;
                default -> false;
            };
        }

        /** The reason with this code; INTERNAL for a code of a newer peer. */
        public static Reason of(int code) {
            for (Reason r : values()) {
                if (r.code == code) {
                    return r;
                }
            }
            return INTERNAL;
        }
    }

    private final Reason reason;
    private final boolean fromPeer;

    /**
     * A fault without a cause.
     *
     * @param text for the peer and the log: what is wrong, and what to do
     */
    public WireFault(Reason reason, String text) {
        this(reason, text, false, null);
    }

    /**
     * A fault with its cause, which is not sent to the peer.
     *
     * @param text for the peer and the log: what is wrong, and what to do
     */
    public WireFault(Reason reason, String text, @Nullable Throwable cause) {
        this(reason, text, false, cause);
    }

    private WireFault(Reason reason, String text, boolean fromPeer, @Nullable Throwable cause) {
        super(text, cause, false, false);
        this.reason = reason;
        this.fromPeer = fromPeer;
    }

    /** A fault that the peer reported in an ERROR frame, with its text. */
    public static WireFault ofPeer(Reason reason, String text) {
        return new WireFault(reason, text, true, null);
    }

    /** A copy with another text, with this one as its cause. */
    public WireFault withText(String text) {
        return new WireFault(reason, text, fromPeer, this);
    }

    /** The reason; its code is sent to the peer. */
    public Reason reason() {
        return reason;
    }

    /** The description, for the peer's user. */
    public String text() {
        return String.valueOf(getMessage());
    }

    /** Whether the peer reported it in an ERROR frame. */
    public boolean fromPeer() {
        return fromPeer;
    }
}
