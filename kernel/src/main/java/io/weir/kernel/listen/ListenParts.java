package io.weir.kernel.listen;

import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.tls.TlsParts;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a kernel's listeners are made with. Immutable.
 *
 * @param muxers of whose kind the listening sockets are
 * @param leaving ends the connections of a listener that was taken away
 */
public record ListenParts(KernelContext kernel, Muxers muxers, TlsParts tls, Leaving leaving) {
    /** Ends the connections of a listener that accepts no more. */
    public interface Leaving {
        /**
         * Begins it.
         *
         * @param timeOut after which what is left is reset
         * @param gone called once, when the last connection has ended
         */
        void drain(Listener listener, Duration timeOut, Consumer<Listener> gone);
    }
}
