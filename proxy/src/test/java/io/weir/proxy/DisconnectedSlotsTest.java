package io.weir.proxy;

import static io.weir.proxy.FrameClient.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.queue.ConnectionQueue;
import io.weir.kernel.work.WorkStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients take all slots of the request throttle, and disconnect: the next request is handled at once. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DisconnectedSlotsTest {
    /** The default of kernel.request-throttle. */
    private static final int SLOTS = 128;

    private final CountDownLatch end = new CountDownLatch(1);

    private TestOrigin origin() throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (head.contains(" /silent")) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return false;
            }
            TestOrigin.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nquick");
            return true;
        });
    }

    private static TestProxy proxy(int silent, int quick) throws Exception {
        return TestProxy.Made.of(
                        "routes.0.path=/silent",
                        "routes.0.origins.0=http://127.0.0.1:" + silent,
                        "routes.1.path=/",
                        "routes.1.origins.0=http://127.0.0.1:" + quick,
                        "http2.concurrent-streams=1000",
                        "origin-pool.max-connections-per-address=1000")
                .start();
    }

    private static ConnectionQueue queue(TestProxy proxy) {
        return proxy.kernel.connectionQueue();
    }

    private static String request(String method, int i) {
        return method + " /silent/" + i + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
    }

    private List<RawClient> fill(TestProxy proxy, String method) throws IOException {
        List<RawClient> all = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
            all.add(new RawClient(proxy.port()).send(request(method, i)));
        }
        Await.until("all slots are taken", () -> queue(proxy).active() == SLOTS);
        return all;
    }

    private static void nextIsHandled(TestProxy proxy, RawClient next) throws IOException {
        assertThat(next.answer()).endsWith("quick");
        Await.until("no slot is taken", () -> queue(proxy).active() == 0);
        assertThat(queue(proxy).length()).isZero();
        assertThat(proxy.value(WorkStats.SHARED_USED)).isZero();
    }

    private static void leaveWhileOneWaits(TestProxy proxy, List<RawClient> all, RawClient next) throws IOException {
        next.get("/next");
        Await.until("it waits", () -> queue(proxy).length() == 1);
        for (RawClient c : all) {
            c.reset();
        }
        nextIsHandled(proxy, next);
    }

    /** As the leader of a fill, and past the store. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void whileTheyWaitForTheHeadOfTheAnswer(String method) throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin.port(), origin.port());
                RawClient next = new RawClient(proxy.port())) {
            List<RawClient> all = fill(proxy, method);
            Await.until("the origin has all", () -> origin.heads.size() == SLOTS);
            leaveWhileOneWaits(proxy, all, next);
        } finally {
            end.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whileTheirStreamsWaitForTheHeadOfTheAnswer(boolean byStream) throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin.port(), origin.port());
                RawClient next = new RawClient(proxy.port())) {
            FrameClient client = new FrameClient(proxy.port());
            for (int i = 0; i < SLOTS; i++) {
                client.request(1 + 2 * i, true, lines(i % 2 == 0 ? "GET" : "POST", "/silent/" + i));
            }
            Await.until("all slots are taken", () -> queue(proxy).active() == SLOTS);
            Await.until("the origin has all", () -> origin.heads.size() == SLOTS);
            next.get("/next");
            Await.until("it waits", () -> queue(proxy).length() == 1);
            if (byStream) {
                for (int i = 0; i < SLOTS; i++) {
                    client.frame(FrameClient.RST_STREAM, 0, 1 + 2 * i, FrameClient.number(8));
                }
            } else {
                client.close();
            }
            nextIsHandled(proxy, next);
            client.close();
        } finally {
            end.countDown();
        }
    }

    /** The system does not answer for a listener whose queue is full. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void whileTheirOriginDoesNotAcceptTheConnection(String method) throws Exception {
        List<Socket> queued = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestOrigin origin = origin();
                TestProxy proxy = proxy(full.getLocalPort(), origin.port());
                RawClient next = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                Socket s = new Socket();
                queued.add(s);
                s.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
            }
            List<RawClient> all = fill(proxy, method);
            leaveWhileOneWaits(proxy, all, next);
        } finally {
            for (Socket s : queued) {
                s.close();
            }
        }
    }

    /** Those who have left are not handled before those behind them. */
    @Test
    void whileTheyWaitForASlot() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin.port(), origin.port());
                RawClient next = new RawClient(proxy.port())) {
            List<RawClient> all = fill(proxy, "GET");
            List<RawClient> waiting = new ArrayList<>();
            for (int i = 0; i < SLOTS; i++) {
                waiting.add(new RawClient(proxy.port()).send(request("GET", SLOTS + i)));
            }
            Await.until("they wait", () -> queue(proxy).length() == SLOTS);
            next.get("/next");
            Await.until("it waits", () -> queue(proxy).length() == SLOTS + 1);
            for (RawClient c : waiting) {
                c.reset();
            }
            all.getFirst().reset();
            assertThat(next.answer()).endsWith("quick");
            for (RawClient c : all) {
                c.close();
            }
            assertThat(origin.heads).noneMatch(h -> h.contains(" /silent/" + SLOTS));
        } finally {
            end.countDown();
        }
    }

    /** They hold no slot before, and the place in the work manager is given back. */
    @Test
    void whileTheirBodiesAreIncomplete() throws Exception {
        try (TestOrigin origin = origin();
                TestProxy proxy = proxy(origin.port(), origin.port())) {
            List<RawClient> all = new ArrayList<>();
            for (int i = 0; i < SLOTS; i++) {
                all.add(new RawClient(proxy.port())
                        .send("POST /silent HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx"));
            }
            Await.until("the origin has all", () -> origin.heads.size() == SLOTS);
            Await.until("none holds a slot", () -> queue(proxy).active() == 0);
            for (RawClient c : all) {
                c.reset();
            }
            try (RawClient next = new RawClient(proxy.port())) {
                nextIsHandled(proxy, next.get("/next"));
            }
        } finally {
            end.countDown();
        }
    }
}
