package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sides that have hung up while the other one still has something to say. */
@ExtendWith(LeakCheck.class)
class HungUpTest {
    private static final int LONG = 16 << 20;

    /** The epoll muxer lets go of a socket whose end was read, and cannot take it back by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "io_uring", "nio"})
    void aClientThatEndedItsSideReadsALongAnswerSlowly(String muxer) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    if (head.startsWith("GET /long")) {
                        try {
                            assertThat(ended.await(3, TimeUnit.MINUTES)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + LONG + "\r\n\r\n");
                        out.write(new byte[LONG]);
                    } else {
                        TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                    }
                    return true;
                });
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("muxer=" + muxer, "socket-readers=1")
                        .start();
                RawClient client = RawClient.narrow(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            client.get("/long");
            Await.until("it is asked", () -> origin.heads.size() == 1);
            client.socket.shutdownOutput();
            // on the same muxer: its end has been seen by then
            for (int i = 0; i < 4; i++) {
                other.get("/" + i).answer();
            }
            ended.countDown();
            Await.until("it holds up the muxer", () -> proxy.stats.sum(KernelStats.WRITE_PAUSES) > 0);
            assertThat(client.head()).startsWith("HTTP/1.1 200 ");
            assertThat(client.in.readAllBytes().length).isEqualTo(LONG);
            assertThat(proxy.value(EngineStats.UNEXPECTED)).isZero();
        }
    }
}
