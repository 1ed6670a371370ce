package io.weir.wire;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The client's end of the protocol. All clients of a process share one group of daemon threads, which ends when the last
 * of them is closed. Shared by any threads.
 */
public final class WireClient implements AutoCloseable {
    /** A client on the shared threads; close it to let go of them. */
    public static WireClient open() {
        throw new UnsupportedOperationException();
    }

    /**
     * Connects and logs in, trying the addresses in order.
     *
     * @param service makes the handler of the connection, on its loop, once it is logged in
     * @return completes on the connection's loop; exceptionally with a {@link WireFault} when a server refused, with an
     *     {@link java.io.IOException} when none was reached. Cancelling it gives the attempt up
     */
    public CompletableFuture<WireConnection> connect(
            List<WireUrl.Address> addresses,
            Credentials credentials,
            ClientOptions options,
            Function<WireConnection, FrameHandler> service) {
        throw new UnsupportedOperationException();
    }

    /** Lets go of the shared threads; connections should be closed before. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
