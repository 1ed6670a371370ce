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

/**
 * The epoll muxer's polling, with two gaps of Netty 4.2 closed. Confined to the muxer's thread; lives as long.
 *
 * <ul>
 *   <li>Netty takes a socket out of epoll's set while nothing is waited for, as when its peer has ended its side, and
 *       believes that it is still in: waiting for room to write the rest of an answer would fail then (epoll_ctl with
 * error       -2, ENOENT), and the client would get a part of it. Here such a socket is registered again.
 *   <li>Events are found by their descriptor's number. One of a batch may close a socket, for which a later one of the
 * batch       stands, and open another that gets the same number: the new connection would be taken for ended before it
 * is made       (NotYetConnectedException). Here a socket ignores events of the batch in which it was registered: what
 * still holds is reported again by the next poll.
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
        return new TakenBack(handle);
    }

    private IoRegistration registered(IoHandle handle) throws Exception {
        return polling.register(handle instanceof EpollIoHandle socket ? new Newcomer(socket, batch) : handle);
    }

    /** A socket that was registered while a batch of events was handled, or between two. */
    private final class Newcomer implements EpollIoHandle {
        private final EpollIoHandle socket;
        private final long since;

        Newcomer(EpollIoHandle socket, long since) {
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

    /** A socket in epoll's set, or one that is out of it for now. */
    private final class TakenBack implements IoRegistration {
        private final IoHandle handle;
        private IoRegistration present;
        private boolean letGo;

        TakenBack(IoHandle handle) throws Exception {
            this.handle = handle;
            this.present = EpollPolling.this.registered(handle);
        }

        @Override
        public long submit(IoOps ops) {
            boolean nothing = EpollIoOps.NONE.equals(ops);
            if (letGo && !nothing && present.isValid()) {
                present.cancel();
                present = again();
            }
            letGo = nothing;
            return present.submit(ops);
        }

        private IoRegistration again() {
            try {
                return EpollPolling.this.registered(handle);
            } catch (Exception e) {
                throw new IllegalStateException("cannot register a socket again", e);
            }
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // the interface has it so
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
