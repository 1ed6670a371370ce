package io.weir.kernel.listen;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;

/**
 * An acceptor's polling that survives Errors. Netty terminates an event loop on an Error and closes its channels: one
 * class that could not be loaded while descriptors were exhausted would end accepting permanently. Confined to the
 * acceptor's thread; lives as long.
 */
final class SteadyPolling implements IoHandler {
    private final IoHandler polling;
    private final AcceptorFaults faults;
    private boolean failed;

    private SteadyPolling(IoHandler polling, AcceptorFaults faults) {
        this.polling = polling;
        this.faults = faults;
    }

    static IoHandlerFactory of(IoHandlerFactory factory, AcceptorFaults faults) {
        return executor -> new SteadyPolling(factory.newHandler(executor), faults);
    }

    @Override
    public int run(IoHandlerContext context) {
        try {
            if (failed) {
                failed = false;
                faults.acceptAgain();
            }
            return polling.run(context);
        } catch (RuntimeException | Error e) {
            failed = true;
            faults.count(e);
            faults.brake();
            return 0;
        }
    }

    @Override
    public void initialize() {
        polling.initialize();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return polling.register(handle);
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
