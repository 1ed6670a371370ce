package io.weir.kernel.mux;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The epoll muxer's polling, with workarounds for two defects of Netty 4.2. Confined to the muxer's thread; lives as
 * long.
 *
 * <ul>
 * <li>Netty removes a socket from the epoll set while no events are requested, as when its peer has shut down its
 * output, but assumes that it is still registered: a later request for EPOLLOUT to write the rest of a response would
 * then fail (epoll_ctl error -2, ENOENT), and the client would get a truncated response. Here such a socket is
 * registered again.
 * <li>Netty looks up an event's channel by the descriptor's number. An event of a batch may close a socket that has a
 * later event in the same batch, and open another socket that gets the same number: the new connection would be treated
 * as closed before it is established (NotYetConnectedException). Here a socket ignores events of the batch in which it
 * was registered: level-triggered conditions that still hold are reported again by the next poll.
 * </ul>
 */
final class EpollPolling implements IoHandler {
    private final IoHandler polling;
    private long batch;

    private EpollPolling(IoHandler polling) {
        this.polling = polling;
    }

    static IoHandlerFactory factory() {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return executor -> new EpollPolling(epoll.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Reregistering(handle);
    }

    private IoRegistration registered(IoHandle handle) throws Exception {
        return polling.register(handle instanceof EpollIoHandle socket ? new SkippingOwnBatch(socket, batch) : handle);
    }

    /** A socket that ignores events of the batch during which it was registered. */
    private final class SkippingOwnBatch implements EpollIoHandle {
        private final EpollIoHandle socket;
        private final long since;

        SkippingOwnBatch(EpollIoHandle socket, long since) {
            this.socket = socket;
            this.since = since;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            if (batch != since) {
                socket.handle(registration, event);
            }
        }

        @Override
        public FileDescriptor fd() {
            return socket.fd();
        }

        @Override
        public void registered() {
            socket.registered();
        }

        @Override
        public void unregistered() {
            socket.unregistered();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close a socket", e);
            }
        }
    }

    /** A socket's registration, renewed if Netty removed the socket from the epoll set. */
    private final class Reregistering implements IoRegistration {
        private final IoHandle handle;
        private IoRegistration present;
        private boolean removed;
        private @Nullable IoOps applied;

        Reregistering(IoHandle handle) throws Exception {
            this.handle = handle;
            this.present = EpollPolling.this.registered(handle);
        }

        @Override
        public long submit(IoOps ops) {
            // Netty submits again what has not changed, as when a connection is established
            if (ops.equals(applied) && ops instanceof EpollIoOps same) {
                return same.value();
            }
            applied = ops;
            boolean nothing = EpollIoOps.NONE.equals(ops);
            if (removed && !nothing && present.isValid()) {
                present.cancel();
                present = renewed();
            }
            removed = nothing;
            return present.submit(ops);
        }

        private IoRegistration renewed() {
            try {
                return EpollPolling.this.registered(handle);
            } catch (Exception e) {
                throw new IllegalStateException("cannot register a socket again", e);
            }
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // declared so by the interface
        public <T> T attachment() {
            return present.attachment();
        }

        @Override
        public boolean isValid() {
            return present.isValid();
        }

        @Override
        public boolean cancel() {
            return present.cancel();
        }
    }

    @Override
    public int run(IoHandlerContext context) {
        batch++;
        return polling.run(context);
    }

    @Override
    public void initialize() {
        polling.initialize();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return polling.isCompatible(handleType);
    }

    @Override
    public void wakeup() {
        polling.wakeup();
    }

    @Override
    public void prepareToDestroy() {
        polling.prepareToDestroy();
    }

    @Override
    public void destroy() {
        polling.destroy();
    }
}
