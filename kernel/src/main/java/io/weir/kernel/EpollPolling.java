package io.weir.kernel;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * The epoll muxer's polling, which takes sockets back. Netty 4.2 takes a socket out of epoll's set while nothing is waited
 * for, as when its peer has ended its side, and believes that it is still in: waiting for room to write the rest of an
 * answer would fail then (epoll_ctl with error -2, ENOENT), and the client would get a part of it. Confined to the muxer's
 * thread; lives as long.
 */
final class EpollPolling implements IoHandler {
    private final IoHandler polling;

    private EpollPolling(IoHandler polling) {
        this.polling = polling;
    }

    static IoHandlerFactory factory() {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return executor -> new EpollPolling(epoll.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new TakenBack(handle, polling.register(handle));
    }

    /** A socket in epoll's set, or one that is out of it for now. */
    private final class TakenBack implements IoRegistration {
        private final IoHandle handle;
        private IoRegistration present;
        private boolean letGo;

        TakenBack(IoHandle handle, IoRegistration first) {
            this.handle = handle;
            this.present = first;
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
                return polling.register(handle);
            } catch (Exception e) {
                throw new IllegalStateException("cannot register a socket again", e);
            }
        }

        @Override
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
