package io.weir.wire;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fault of the protocol or a refusal, which ends the connection: thrown where it is found, sent to the peer as an ERROR
 * frame with the reason's code and the text, and counted by reason. Without a stack trace: a flood of them costs little.
 */
public final class WireFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why. The codes are part of the protocol ({@code docs/wire.md}). */
    public enum Reason {
        /** Not our protocol: the first frame is no HELLO with the magic. */
        BAD_MAGIC(1),
        /** No version that both ends speak. */
        VERSION(2),
        /** User or password is wrong, or the user may not connect. */
        AUTHENTICATION(3),
        /** Too many failed logins from this address or for this user, or too many logins at once; try again later. */
        LOGIN_STORM(4),
        /** The handshake was not done in time. */
        HANDSHAKE_TIME_OUT(5),
        /** The length of a frame is over the limit, or under the head's size. */
        FRAME_LENGTH(6),
        /** A length or count inside a frame does not fit the frame, or a value is out of its range. */
        MALFORMED(7),
        /** A type of frame that this end does not know. */
        UNKNOWN_TYPE(8),
        /** A known frame at a time when it must not come. */
        WRONG_STATE(9),
        /** Nothing was heard of the peer for several heartbeats. */
        SILENT(10),
        /** The peer does not take what is sent to it: the outbound limit is reached. */
        SLOW_READER(11),
        /** Too many connections in their handshake, or too many connections. */
        BUSY(12),
        /** The server stops. */
        SHUTDOWN(13),
        /** An error of this end's own. */
        INTERNAL(14),
        /** An administrator closed the connection. */
        ADMINISTRATIVE(15),
        /** A limit on what one connection may hold (sessions, consumers) was passed. */
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
     * @param text for the peer and the log: what was wrong, and what to do
     */
    public WireFault(Reason reason, String text) {
        this(reason, text, false, null);
    }

    /**
     * A fault with what led to it, which stays on this side.
     *
     * @param text for the peer and the log: what was wrong, and what to do
     */
    public WireFault(Reason reason, String text, @Nullable Throwable cause) {
        this(reason, text, false, cause);
    }

    private WireFault(Reason reason, String text, boolean fromPeer, @Nullable Throwable cause) {
        super(text, cause, false, false);
        this.reason = reason;
        this.fromPeer = fromPeer;
    }

    /** One that the peer reported in an ERROR frame, with its text. */
    public static WireFault ofPeer(Reason reason, String text) {
        return new WireFault(reason, text, true, null);
    }

    /** The same with another text, caused by this one. */
    public WireFault withText(String text) {
        return new WireFault(reason, text, fromPeer, this);
    }

    /** Why; its code is what the peer sees. */
    public Reason reason() {
        return reason;
    }

    /** What is wrong, for the other end's user. */
    public String text() {
        return String.valueOf(getMessage());
    }

    /** Whether the peer reported it in an ERROR frame. */
    public boolean fromPeer() {
        return fromPeer;
    }
}
