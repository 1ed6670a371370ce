package io.weir.kernel.mux;

import io.weir.kernel.settings.MuxerKind;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The muxer kind that was requested, the one in use, and why they differ. Immutable.
 *
 * @param requested the configured kind
 * @param transport the transport in use
 * @param missing the preferred kind if it did not load, or null
 * @param reason why it did not load, or null
 */
public record MuxerChoice(
        MuxerKind requested,
        Transport transport,
        @Nullable MuxerKind missing,
        @Nullable String reason) {

    /** The kind in use. */
    public MuxerKind kind() {
        return transport.kind();
    }

    /** Whether a muxer other than the preferred one is used. */
    public boolean fellBack() {
        return missing != null;
    }

    /** Selects by what loads on this machine; never fails, because NIO is always available. */
    static MuxerChoice choose(MuxerKind requested, Function<Transport, @Nullable Throwable> unavailable) {
        if (requested == MuxerKind.NIO) {
            return new MuxerChoice(requested, Transport.NIO, null, null);
        }
        Transport wanted = requested == MuxerKind.IO_URING ? Transport.IO_URING : Transport.EPOLL;
        Throwable why = unavailable.apply(wanted);
        if (why == null) {
            return new MuxerChoice(requested, wanted, null, null);
        }
        boolean epoll = wanted == Transport.IO_URING && unavailable.apply(Transport.EPOLL) == null;
        return new MuxerChoice(requested, epoll ? Transport.EPOLL : Transport.NIO, wanted.kind(), reason(why));
    }

    /** Falls back to NIO, because the selected muxer could not be started. */
    MuxerChoice fallBackToNio(Throwable why) {
        return new MuxerChoice(requested, Transport.NIO, transport.kind(), reason(why));
    }

    private static String reason(Throwable why) {
        StringBuilder b = new StringBuilder(why.toString());
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            b.append("; cause: ").append(cause);
        }
        return b.toString();
    }
}
