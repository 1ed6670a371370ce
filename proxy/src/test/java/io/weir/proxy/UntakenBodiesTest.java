package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.WorkStats;
import io.weir.proxy.FrameClient.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that are whole here, within what may be held of a body, and that their origin does not take: they keep nobody's
 * slot, and have one again as soon as the origin has all.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UntakenBodiesTest {
    private static final int SLOTS = 4;
    private static final int TURNS = 50;
    /** What a stream's window is before anybody says otherwise, with a part that does not fit. */
    private static final int OVER_A_WINDOW = 200_000;
    /** More than the system holds of a connection whose receiver has little room. */
    private static final int OVER_THE_SYSTEM = 12 << 20;

    private static final int LITTLE_ROOM = 16 << 10;

    @TempDir
    private Path folder;

    private final List<RawClient> slow = new ArrayList<>();
    private final Semaphore sent = new Semaphore(0);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void stop() throws Exception {
        go.countDown();
        for (RawClient client : slow) {
            client.close();
        }
    }

    private void upload(TestProxy proxy, boolean chunked, int size) throws IOException {
        RawClient client = new RawClient(proxy.port());
        slow.add(client);
        String head = "POST /up HTTP/1.1\r\nHost: a\r\n";
        client.send(
                chunked
                        ? head + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(size) + "\r\n"
                        : head + "Content-Length: " + size + "\r\n\r\n");
        Thread.ofVirtual().start(() -> {
            try {
                BackPressureTest.pour(client.socket.getOutputStream(), new AtomicLong(), size);
                client.send(chunked ? "\r\n0\r\n\r\n" : "");
                sent.release();
            } catch (IOException e) {
                // the test is over
            }
        });
    }

    /** Others are served beside one more upload than there are slots, and each has its slot when the origin has all of it. */
    private void slotsAreLent(TestProxy proxy, AtomicInteger atTheOrigin, AtomicInteger taken) throws Exception {
        ConnectionQueue queue = proxy.kernel.connectionQueue();
        Await.until("all are at the origin", () -> atTheOrigin.get() == SLOTS + 1);
        sent.acquire(SLOTS + 1);
        // the system has all of the bodies: in as many turns of the only muxer they are read to their ends
        try (RawClient other = new RawClient(proxy.port())) {
            for (int i = 0; i < TURNS; i++) {
                assertThat(other.get("/").head()).startsWith("HTTP/1.1 204 ");
            }
        }
        Await.until("none has a slot", () -> queue.active() == 0 && queue.length() == 0);
        assertThat(proxy.value(WorkStats.SHARED_USED))
                .as("nor a place of a work manager")
                .isZero();
        go.countDown();
        for (RawClient client : slow) {
            assertThat(client.head()).startsWith("HTTP/1.1 204 ");
        }
        assertThat(taken).hasValue(SLOTS + 1);
        Await.until("nothing is held", () -> queue.active() == 0 && proxy.value(WorkStats.SHARED_USED) == 0);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    /** Opens no window before it may, answers what has no body at once, and a body when all of it came. */
    private FrameOrigin.Script narrow(AtomicInteger begun, AtomicInteger taken) {
        return peer -> {
            Map<Integer, Integer> got = new HashMap<>();
            Thread.ofVirtual().start(() -> {
                try {
                    await(go);
                    byte[] wide = FrameClient.number(Integer.MAX_VALUE - 65_535);
                    synchronized (peer) {
                        peer.frame(FrameClient.WINDOW_UPDATE, 0, 0, wide);
                        for (int stream : got.keySet()) {
                            peer.frame(FrameClient.WINDOW_UPDATE, 0, stream, wide);
                        }
                    }
                } catch (IOException e) {
                    // the test is over
                }
            });
            while (true) {
                Frame f = peer.next();
                synchronized (peer) {
                    if (f.type() == FrameClient.HEADERS && !f.ends()) {
                        got.put(f.stream(), 0);
                        begun.incrementAndGet();
                    } else if (f.type() == FrameClient.DATA) {
                        got.merge(f.stream(), f.payload().length, Integer::sum);
                    }
                    if (f.ends()) {
                        taken.addAndGet(got.getOrDefault(f.stream(), 0) == OVER_A_WINDOW ? 1 : 0);
                        peer.frame(FrameClient.HEADERS, 5, f.stream(), FrameClient.block(":status: 204"));
                    }
                }
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamsWithoutAWindow(boolean chunked) throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        try (FrameOrigin origin = new FrameOrigin(FrameClient.NOTHING, narrow(begun, taken));
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.pool=p",
                                "origins.p.servers.0.url=http://127.0.0.1:" + origin.port(),
                                "origins.p.http2=on")
                        .kernel("socket-readers=1", "request-throttle=" + SLOTS)
                        .start()) {
            for (int i = 0; i <= SLOTS; i++) {
                upload(proxy, chunked, OVER_A_WINDOW);
            }
            slotsAreLent(proxy, begun, taken);
        }
    }

    private ServerSocket listener(boolean tls) throws Exception {
        ServerSocket listener = tls ? context().getServerSocketFactory().createServerSocket() : new ServerSocket();
        listener.setReceiveBufferSize(LITTLE_ROOM);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listener;
    }

    private SSLContext context() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(folder.resolve("ca.pem"), certificate.getCertificatePEM());
        char[] secret = "secret".toCharArray();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(certificate.toKeyStore("JKS", secret), secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void skipChunks(boolean any, InputStream in) throws IOException {
        for (int size = any ? 1 : 0; size > 0; ) {
            String line = "";
            while (!line.endsWith("\r\n")) {
                line += (char) in.read();
            }
            size = Integer.parseInt(line.strip(), 16);
            in.skipNBytes(size + 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false, boringssl", "false, true, boringssl", "true, false, boringssl", "true, true, jdk"})
    void connectionsThatAreNotRead(boolean tls, boolean chunked, String provider) throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        ServerSocket listener = listener(tls);
        try (TestOrigin origin = new TestOrigin(listener, (head, in, out) -> {
                    if (head.startsWith("POST")) {
                        begun.incrementAndGet();
                        await(go);
                        in.skipNBytes(chunked ? 0 : OVER_THE_SYSTEM);
                        skipChunks(chunked, in);
                        taken.incrementAndGet();
                    }
                    TestOrigin.write(out, "HTTP/1.1 204 No Content\r\n\r\n");
                    return true;
                });
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.origins.0=" + (tls ? "https" : "http") + "://localhost:" + origin.port(),
                                tls ? "origin-tls.trust-file=" + folder.resolve("ca.pem") : "via-pseudonym=weir",
                                "origin-tls.provider=" + provider,
                                "limits.stream-buffer=16MiB")
                        .kernel("socket-readers=1", "request-throttle=" + SLOTS)
                        .start()) {
            for (int i = 0; i <= SLOTS; i++) {
                upload(proxy, chunked, OVER_THE_SYSTEM);
            }
            slotsAreLent(proxy, begun, taken);
        }
    }
}
