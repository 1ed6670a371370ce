package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.kernel.settings.KernelMessages;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts and logs the faults of a listener's acceptors, and keeps the acceptors running. Nothing here throws: where
 * descriptors or memory are exhausted, even logging may cause an Error. Shared by the acceptors of one listener; lives
 * as long as it.
 */
final class AcceptorFaults {
    private static final long BRAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String listener;
    private final Log log;
    private final Counter pauses;
    private volatile List<Channel> sockets = List.of();

    AcceptorFaults(String listener, Log log, Counter pauses) {
        this.listener = listener;
        this.log = log;
        this.pauses = pauses;
    }

    /** Sets the sockets that are accepted from. */
    void watch(List<Channel> listening) {
        sockets = List.copyOf(listening);
    }

    /** Counts a fault and, if possible, logs it. */
    void count(Throwable cause) {
        pauses.inc();
        try {
            KernelMessages message =
                    isDescriptors(cause) ? KernelMessages.NO_DESCRIPTORS : KernelMessages.ACCEPT_FAILED;
            log.log(message, listener, cause.toString());
        } catch (RuntimeException | Error _) {
            // the fault is counted; logging is tried again with the next one
        }
    }

    /** Slows the calling acceptor down; it has its own thread, so nothing else is delayed. */
    void brake() {
        LockSupport.parkNanos(BRAKE_NANOS);
    }

    /** Re-arms accepting on the calling acceptor: the readiness event may have been lost with the fault. */
    void acceptAgain() {
        for (Channel socket : sockets) {
            if (socket.isOpen()
                    && socket.eventLoop().inEventLoop()
                    && socket.config().isAutoRead()) {
                try {
                    socket.config().setAutoRead(false);
                } catch (RuntimeException | Error e) {
                    count(e);
                }
                // re-enable even if that failed
                socket.config().setAutoRead(true);
            }
        }
    }

    private static boolean isDescriptors(Throwable cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("too many open files") || text.contains("emfile") || text.contains("enfile");
    }
}
