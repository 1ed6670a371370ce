package io.weir.broker;

import io.netty.channel.ChannelPipeline;
import io.weir.kernel.Connection;
import io.weir.kernel.Protocol;
import io.weir.wire.NamingDirectory;
import java.io.IOException;

/** The messaging broker. Shared; lives as long as the server, within its kernel. */
public final class Broker implements AutoCloseable {
    private final BrokerParts parts;

    /**
     * Opens the store, recovers what it holds, and makes the configured destinations; listeners are opened afterwards
     * with {@link #protocol()}.
     *
     * @throws IOException when the store cannot be opened; it says why
     */
    public Broker(BrokerParts parts) throws IOException {
        this.parts = parts;
    }

    /** What is spoken on messaging listeners. */
    public Protocol protocol() {
        return new Protocol() {
            @Override
            public void install(Connection connection, ChannelPipeline pipeline) {
                throw new UnsupportedOperationException();
            }

            @Override
            public String name() {
                return "weir";
            }
        };
    }

    /** Connection factories and destinations by their JNDI names. */
    public NamingDirectory directory() {
        return NamingDirectory.empty();
    }

    /** Closes connections cleanly, writes what is due, and closes the store. Before the kernel is closed. */
    @Override
    public void close() {
        parts.log().log(BrokerMessages.STOPPED);
    }
}
