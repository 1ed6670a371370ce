package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds a proxy's only muxer, so that it finds several things in one turn, and counts the flushes to its clients. */
final class MuxerTurn {
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger flushes = new AtomicInteger();

    /** Returns when the muxer is held; flushes count from then on. */
    void hold(TestProxy proxy) {
        CountDownLatch held = new CountDownLatch(1);
        proxy.kernel.muxers().get(0).eventLoop().execute(() -> {
            flushes.set(0);
            held.countDown();
            await(release);
        });
        await(held);
    }

    /** The muxer goes on. */
    void release() {
        release.countDown();
    }

    int flushes() {
        return flushes.get();
    }

    /** A listener whose connections count their flushes. */
    Listener listen(TestProxy proxy) throws Exception {
        Protocol counted = (connection, pipeline) -> {
            pipeline.addFirst(new ChannelOutboundHandlerAdapter() {
                @Override
                public void flush(ChannelHandlerContext ctx) {
                    flushes.incrementAndGet();
                    ctx.flush();
                }
            });
            proxy.proxy.install(connection, pipeline);
        };
        return proxy.kernel.open("http", TestProxy.bind(ListenerConfig.class, "port=0"), counted);
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
