package io.weir.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.wire.TestServer;
import io.weir.wire.WireFault;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A connection that comes while the server stops. */
class InstallTest {
    /** Whose address is asked for while it is being installed. */
    private static final class Coming extends EmbeddedChannel {
        private @Nullable Runnable meanwhile;

        @Override
        public SocketAddress remoteAddress() {
            Runnable now = meanwhile;
            meanwhile = null;
            if (now != null) {
                now.run();
            }
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        }
    }

    @Test
    void aStopWhileAConnectionIsInstalledClosesItAsSoonAsItIs() {
        try (TestServer host = new TestServer(_ -> {
            throw new IllegalStateException("nobody logs in");
        })) {
            Coming coming = new Coming();
            AtomicReference<CompletableFuture<Void>> closed = new AtomicReference<>();
            coming.meanwhile = () -> closed.set(host.server.close());
            host.server.install(coming.pipeline());
            assertThat(host.faults(WireFault.Reason.SHUTDOWN)).isEqualTo(1);
            assertThat(coming.outboundMessages()).as("it is told").isNotEmpty();
            var _ = coming.close();
            assertThat(closed.get()).isCompleted();
            assertThat(host.server.connections()).isZero();
            coming.finishAndReleaseAll();
        }
    }
}
