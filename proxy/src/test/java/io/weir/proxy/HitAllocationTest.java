package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All of a hit's way, as it is driven by a client: from the bytes that were read to those that are written. */
class HitAllocationTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nContent-Length: 5\r\n\r\nhello";
    private static final byte[] REQUEST = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PIPELINED = 8;
    private static final int BATCHES = 500;
    private static final int ROUNDS = 12;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private Level level = Level.PARANOID;

    @BeforeEach
    void withoutRecords() {
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(Level.DISABLED);
    }

    @AfterEach
    void asBefore() {
        ResourceLeakDetector.setLevel(level);
    }

    private long allocated(TestProxy proxy) throws Exception {
        return proxy.kernel
                .muxers()
                .all()
                .getFirst()
                .eventLoop()
                .submit(threads::getCurrentThreadAllocatedBytes)
                .get();
    }

    private static byte[] pipelined(int requests) {
        byte[] all = new byte[REQUEST.length * requests];
        for (int i = 0; i < requests; i++) {
            System.arraycopy(REQUEST, 0, all, i * REQUEST.length, REQUEST.length);
        }
        return all;
    }

    /** Reads so many answers to their ends. */
    private static void read(InputStream in, byte[] buffer, int answers) throws IOException {
        byte[] last = "\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII);
        int matched = 0;
        int seen = 0;
        while (seen < answers) {
            int n = in.read(buffer);
            assertThat(n).as("the connection is kept").isPositive();
            for (int i = 0; i < n; i++) {
                matched = buffer[i] == last[matched] ? matched + 1 : buffer[i] == last[0] ? 1 : 0;
                seen += matched == last.length ? 1 : 0;
                matched %= last.length;
            }
        }
    }

    @Test
    void hitsOnAConnectionThatIsKeptAllocateNothing() throws Exception {
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reverse(origin.port());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            socket.setSoTimeout(120_000);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[64 * 1024];
            out.write(REQUEST);
            read(in, buffer, 1);
            byte[] batch = pipelined(PIPELINED);
            long[] perRound = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                long before = allocated(proxy);
                for (int i = 0; i < BATCHES; i++) {
                    out.write(batch);
                    read(in, buffer, PIPELINED);
                }
                perRound[round] = allocated(proxy) - before;
            }
            assertThat(origin.heads).hasSize(1);
            // the clock's second, and asking for the figure itself, are in it
            assertThat(Arrays.stream(perRound).min().orElseThrow() / (BATCHES * PIPELINED))
                    .as("bytes for each hit, of %s", Arrays.toString(perRound))
                    .isZero();
        }
    }
}
