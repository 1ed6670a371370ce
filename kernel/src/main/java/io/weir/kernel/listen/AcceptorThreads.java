package io.weir.kernel.listen;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Names acceptor threads as WebLogic's thread dumps do: {@code DynamicListenThread[http]}, a second one {@code
 * [http[1]]}.
 */
final class AcceptorThreads implements ThreadFactory {
    private final String channel;
    private final AtomicInteger made = new AtomicInteger();

    AcceptorThreads(String channel) {
        this.channel = channel;
    }

    @Override
    public Thread newThread(Runnable r) {
        int n = made.getAndIncrement();
        String suffix = n == 0 ? "" : "[" + n + "]";
        Thread t = new FastThreadLocalThread(r, "DynamicListenThread[" + channel + suffix + "]");
        t.setDaemon(true);
        return t;
    }
}
