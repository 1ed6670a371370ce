package io.weir.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback address that refuses connections for certain: a socket is bound to it that does not listen, so
 * nobody else is given it, and nobody who connects to it is given it as his own. Owned by one test.
 */
final class ClosedPort implements AutoCloseable {
    private final Socket bound = new Socket();

    ClosedPort() throws IOException {
        this(0);
    }

    /** Keeps the port of somebody who listened until now, once his thread has let it go. */
    static ClosedPort after(int port) {
        AtomicReference<@Nullable ClosedPort> kept = new AtomicReference<>();
        Await.until("the port is let go", () -> {
            try {
                kept.set(new ClosedPort(port));
                return true;
            } catch (IOException _) {
                return false;
            }
        });
        return Objects.requireNonNull(kept.get());
    }

    private ClosedPort(int port) throws IOException {
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
