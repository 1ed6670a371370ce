package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Workers are asked again and again, however short the time is that they have. */
class PulseTest {
    @Test
    void aVeryShortTimeOutDoesNotEndTheBeating() throws Exception {
        CountDownLatch looked = new CountDownLatch(10);
        EventLoop loop = new DefaultEventLoop();
        try {
            Pulse pulse = new Pulse(
                    loop,
                    () -> {
                        looked.countDown();
                        return Duration.ofMillis(1);
                    },
                    List.of(),
                    _ -> {});
            pulse.start();
            assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
