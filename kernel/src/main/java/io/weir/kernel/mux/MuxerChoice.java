package io.weir.kernel.mux;

import io.weir.kernel.settings.MuxerKind;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which muxer was asked for, which one is used, and why not the first. Immutable.
 *
 * @param requested the configured kind
 * @param transport what is used
 * @param missing the kind that was wanted and did not load, or null
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

    /** Whether another muxer than the wanted one stands in. */
    public boolean fellBack() {
        return missing != null;
    }

    /** Chooses by what loads on this machine; never fails, NIO always works. */
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

    /** NIO instead, because the chosen one could not be started. */
    MuxerChoice standIn(Throwable why) {
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
