package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.settings.KernelStats;
import io.weir.proxy.context.EngineStats;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a reader does not take is not read: in every direction the proxy holds a bounded part. */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class BackPressureTest {
    static final long BODY = 200_000_000;
    /** Both kernels' socket buffers for two connections, and what the proxy may hold. */
    static final long HELD = 40_000_000;

    /** Writes a body and counts what was taken. */
    static void pour(OutputStream out, AtomicLong taken, long length) throws IOException {
        byte[] piece = new byte[64 * 1024];
        for (long left = length; left > 0; left -= piece.length) {
            int n = (int) Math.min(piece.length, left);
            out.write(piece, 0, n);
            taken.addAndGet(n);
        }
        out.flush();
    }

    private static long drink(InputStream in) throws IOException {
        byte[] piece = new byte[64 * 1024];
        long read = 0;
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            read += n;
        }
        return read;
    }

    /** Waits until the writer makes no progress any more. */
    static void stuck(AtomicLong taken) {
        long[] seen = {-1, 0};
        Await.until("the writer is stuck", () -> {
            seen[1] = taken.get() == seen[0] && seen[0] > 0 ? seen[1] + 1 : 0;
            seen[0] = taken.get();
            return seen[1] > 150;
        });
    }

    static TestOrigin pouring(String fields, AtomicLong taken) throws IOException {
        return new TestOrigin((head, in, out) -> {
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + BODY + "\r\n" + fields + "\r\n");
            pour(out, taken, BODY);
            return true;
        });
    }

    @Test
    void anAnswerWaitsForItsReader() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestOrigin origin = pouring("", taken);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send("GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            client.head();
            stuck(taken);
            assertThat(taken.get()).isLessThan(HELD);
            assertThat(proxy.value(KernelStats.WRITE_PAUSES)).isPositive();
            assertThat(drink(client.in)).isEqualTo(BODY);
        }
    }

    /** What was written before the origin failed counts as sent, so it is sent. */
    @Test
    void whatCameBeforeTheOriginFailedReachesASlowReader() throws Exception {
        int part = 5_000_000;
        try (TestOrigin origin = new TestOrigin((_, _, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + 2 * part + "\r\n\r\n");
                    out.write(new byte[part]);
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
            client.head();
            long read = 0;
            while (proxy.value(EngineStats.ORIGIN_FAILURES, "truncated") == 0) {
                read += client.in.readNBytes(10_000).length;
            }
            assertThat(read + drink(client.in)).isEqualTo(part);
        }
    }

    @Test
    void anAnswerTooLargeForTheStoreWaitsForItsReader() throws Exception {
        AtomicLong taken = new AtomicLong();
        try (TestOrigin origin = pouring("Cache-Control: max-age=60\r\n", taken);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .cache("max-object-size=1MiB")
                        .start();
                RawClient client = RawClient.narrow(proxy.port())) {
            client.send("GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            client.head();
            stuck(taken);
            assertThat(taken.get()).isLessThan(HELD);
            assertThat(drink(client.in)).isEqualTo(BODY);
        }
    }

    @Test
    void anUploadWaitsForItsOrigin() throws Exception {
        AtomicLong taken = new AtomicLong();
        CountDownLatch read = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        assertThat(read.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    in.skipNBytes(BODY);
                    TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n");
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    pour(client.socket.getOutputStream(), taken, BODY);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            stuck(taken);
            assertThat(taken.get()).isLessThan(HELD);
            assertThat(proxy.value(EngineStats.ORIGIN_WRITE_PAUSES)).isPositive();
            assertThat(proxy.value(KernelStats.WRITE_PAUSES)).isZero();
            read.countDown();
            assertThat(client.answer()).endsWith("done");
            sender.join();
        }
    }

    @Test
    void aTunnelWaitsForItsReaderBothWays() throws Exception {
        AtomicLong down = new AtomicLong();
        AtomicLong up = new AtomicLong();
        CountDownLatch read = new CountDownLatch(1);
        AtomicLong received = new AtomicLong();
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    TestOrigin.write(out, "HTTP/1.1 101 S\r\nUpgrade: raw\r\nConnection: upgrade\r\n\r\n");
                    pour(out, down, BODY / 2);
                    try {
                        assertThat(read.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    received.set(drink(in));
                    return false;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = RawClient.narrow(proxy.port())) {
            client.get("/t", "Connection: upgrade", "Upgrade: raw");
            client.head();
            stuck(down);
            assertThat(down.get()).isLessThan(HELD);
            client.in.skipNBytes(BODY / 2);
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    pour(client.socket.getOutputStream(), up, BODY / 2);
                    client.socket.shutdownOutput();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            stuck(up);
            assertThat(up.get()).isLessThan(HELD);
            read.countDown();
            assertThat(client.ended()).isTrue();
            sender.join();
            assertThat(received.get()).isEqualTo(BODY / 2);
        }
    }

    @Test
    void aSlowReaderOfASharedFillDoesNotSlowTheOthers() throws Exception {
        long length = 8_000_000;
        CountDownLatch begin = new CountDownLatch(1);
        try (TestOrigin origin = new TestOrigin((head, in, out) -> {
                    try {
                        assertThat(begin.await(3, TimeUnit.MINUTES)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    TestOrigin.write(
                            out,
                            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: " + length + "\r\n\r\n");
                    pour(out, new AtomicLong(), length);
                    return true;
                });
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient slow = RawClient.narrow(proxy.port());
                RawClient fast = new RawClient(proxy.port())) {
            slow.send("GET /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            Await.until("the slow one leads", () -> origin.heads.size() == 1);
            fast.send("GET /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            Await.until("the fast one joined", () -> proxy.stats.sum(EngineStats.REQUESTS) == 2);
            begin.countDown();
            fast.head();
            assertThat(drink(fast.in)).isEqualTo(length);
            slow.head();
            assertThat(drink(slow.in)).isEqualTo(length);
            assertThat(origin.heads).hasSize(1);
        }
    }
}
