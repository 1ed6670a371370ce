package io.weir.kernel.listen;

import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.tls.TlsParts;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The collaborators of a kernel's listeners. Immutable.
 *
 * @param muxers whose transport the listening sockets use
 * @param leaving ends the connections of a removed listener
 */
public record ListenParts(KernelContext kernel, Muxers muxers, TlsParts tls, Leaving leaving) {
    /** Ends the connections of a listener that no longer accepts. */
    public interface Leaving {
        /**
         * Starts draining.
         *
         * @param timeOut after which the remaining connections are reset
         * @param gone called once, when the last connection has ended
         */
        void drain(Listener listener, Duration timeOut, Consumer<Listener> gone);
    }
}
