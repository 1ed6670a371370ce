package io.weir.kernel.mux;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * An event loop that closes its channels before it terminates. Netty's loop checks for shutdown before and after it
 * runs its tasks; if shutdown is requested in between, it terminates with channels open, and their sockets and unsent
 * bytes leak. An HTTP/2 connection is such a channel if its close waits for its streams. Lives as long as its thread.
 */
final class ClosingLoop extends SingleThreadIoEventLoop {
    /** Captures the loop's IoHandler, which the loop itself does not expose. */
    private static final class Capturing implements IoHandlerFactory {
        private final IoHandlerFactory factory;
        private @Nullable IoHandler made;

        Capturing(IoHandlerFactory factory) {
            this.factory = factory;
        }

        @Override
        public IoHandler newHandler(ThreadAwareExecutor executor) {
            made = factory.newHandler(executor);
            return made;
        }

        @Override
        public boolean isChangingThreadSupported() {
            return factory.isChangingThreadSupported();
        }
    }

    private final IoHandler polling;
    private boolean closing;

    private ClosingLoop(IoEventLoopGroup parent, Executor executor, Capturing polling) {
        super(parent, executor, polling);
        this.polling = Objects.requireNonNull(polling.made, "a loop without polling");
    }

    /** Creates a group of such loops. */
    static IoEventLoopGroup group(int loops, ThreadFactory threads, IoHandlerFactory polling) {
        return new MultiThreadIoEventLoopGroup(loops, threads, polling) {
            @Override
            protected IoEventLoop newChild(Executor executor, IoHandlerFactory factory, Object... args) {
                return new ClosingLoop(this, executor, new Capturing(factory));
            }
        };
    }

    @Override
    protected boolean confirmShutdown() {
        if (isShuttingDown() && !closing) {
            closing = true;
            polling.prepareToDestroy();
        }
        return super.confirmShutdown();
    }
}
