package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.connection.Session;
import io.weir.kernel.connection.SessionStatus;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.functions.FunctionCatalogue;
import io.weir.proxy.program.run.PendingStep;
import io.weir.proxy.program.run.StepOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What monitoring shows of requests: each state under its own name, with what the request is and which function runs. */
@ExtendWith(LeakCheck.class)
class SessionRowsTest {
    private static final String FRESH = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok";

    private static void await(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static TestOrigin origin(CountDownLatch goOn) throws IOException {
        return new TestOrigin((_, _, out) -> {
            await(goOn);
            TestOrigin.write(out, FRESH);
            return true;
        });
    }

    private static List<Session> rows(TestProxy proxy, SessionStatus status) {
        return proxy.kernel.sessions().active().stream()
                .filter(s -> s.status() == status)
                .toList();
    }

    private static Session only(TestProxy proxy, SessionStatus status) throws Exception {
        Await.until("one is " + status, () -> rows(proxy, status).size() == 1);
        return rows(proxy, status).getFirst();
    }

    @Test
    void whoWaitsForASlotIsQueued() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestOrigin origin = origin(goOn);
                TestProxy proxy = TestProxy.reversing(origin.port())
                        .kernel("socket-readers=1", "request-throttle=1")
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            // as a request does that works for long
            proxy.kernel.connectionQueue().resumed();
            client.get("/a?b=c");
            assertThat(only(proxy, SessionStatus.QUEUED)).satisfies(s -> {
                assertThat(s.method()).isEqualTo("GET");
                assertThat(s.uri()).isEqualTo("/a?b=c");
                assertThat(s.virtualServer()).isEqualTo("default");
            });
            proxy.kernel.connectionQueue().lent();
            assertThat(only(proxy, SessionStatus.PROCESSING)).satisfies(s -> {
                assertThat(s.uri()).isEqualTo("/a?b=c");
                assertThat(s.function()).isEqualTo("proxy-retrieve");
            });
            goOn.countDown();
            assertThat(client.answer()).endsWith("ok");
        }
    }

    @Test
    void whoWaitsForAnothersFetchSaysSo() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestOrigin origin = origin(goOn);
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient leader = new RawClient(proxy.port());
                RawClient other = new RawClient(proxy.port())) {
            leader.get("/a");
            only(proxy, SessionStatus.PROCESSING);
            other.get("/a");
            assertThat(only(proxy, SessionStatus.AWAITING_FETCH)).satisfies(s -> {
                assertThat(s.method()).isEqualTo("GET");
                assertThat(s.uri()).isEqualTo("/a");
                assertThat(s.virtualServer()).isEqualTo("default");
                assertThat(s.age().toMinutes()).isZero();
            });
            goOn.countDown();
            assertThat(leader.answer()).endsWith("ok");
            assertThat(other.answer()).endsWith("ok");
            Await.until(
                    "nothing is left", () -> proxy.kernel.sessions().active().isEmpty());
        }
    }

    @Test
    void whatArrivesIsNotShownAsTheRequestBefore() throws Exception {
        try (TestOrigin origin = origin(new CountDownLatch(0));
                TestProxy proxy = TestProxy.reverse(origin.port());
                RawClient client = new RawClient(proxy.port())) {
            assertThat(client.get("/before").answer()).endsWith("ok");
            client.socket.getOutputStream().write("GET /half".getBytes(StandardCharsets.US_ASCII));
            assertThat(only(proxy, SessionStatus.REQUEST)).satisfies(s -> {
                assertThat(s.uri()).isEmpty();
                assertThat(s.method()).isEmpty();
                assertThat(s.function()).isEmpty();
            });
            Await.until(
                    "it is as old as its wait",
                    () -> rows(proxy, SessionStatus.REQUEST).stream()
                            .anyMatch(s -> !s.age().isZero()));
        }
    }

    @Test
    void tunnelIsOne() throws Exception {
        try (TestOrigin origin = origin(new CountDownLatch(0));
                TestProxy proxy = TestProxy.Made.of(
                                "routes.0.connect.enabled=on", "routes.0.connect.ports.0=" + origin.port())
                        .start();
                RawClient client = new RawClient(proxy.port())) {
            client.send("CONNECT 127.0.0.1:" + origin.port() + " HTTP/1.1\r\nHost: 127.0.0.1:" + origin.port()
                    + "\r\n\r\n");
            assertThat(only(proxy, SessionStatus.TUNNEL).method()).isEqualTo("CONNECT");
        }
    }

    @Test
    void whoWaitsForAFunctionShowsWhich() throws Exception {
        List<PendingStep> asked = new CopyOnWriteArrayList<>();
        // decides when the test says so
        TestFunction later = new TestFunction("later", Stage.PATH_CHECK, run -> {
            asked.add(run.pend());
            return StepOutcome.WAITING;
        });
        try (TestOrigin origin = origin(new CountDownLatch(0));
                TestProxy proxy = TestProxy.reversing(origin.port(), "routes.0.functions.0.name=later")
                        .start(FunctionCatalogue.builtinAnd(List.of(later)));
                RawClient client = new RawClient(proxy.port())) {
            client.get("/a");
            assertThat(only(proxy, SessionStatus.PROCESSING)).satisfies(s -> {
                assertThat(s.uri()).isEqualTo("/a");
                assertThat(s.method()).isEqualTo("GET");
                assertThat(s.function()).isEqualTo("later");
            });
            Await.until("it was asked", () -> asked.size() == 1);
            asked.getFirst().complete(StepOutcome.NOACTION);
            assertThat(client.answer()).endsWith("ok");
        }
    }

    private static void waitsForItsLookUp(String request, String method, String... knobs) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestDns dns = new TestDns();
                TestOrigin origin = origin(goOn)) {
            dns.set("app.test", 600, "127.0.0.1");
            CountDownLatch known = new CountDownLatch(1);
            dns.goOn = known;
            List<String> all = new ArrayList<>(List.of("dns.servers.0=" + dns.server()));
            for (String knob : knobs) {
                all.add(knob.replace("PORT", Integer.toString(origin.port())));
            }
            try (TestProxy proxy = TestProxy.Made.of(all.toArray(String[]::new)).start();
                    RawClient client = new RawClient(proxy.port())) {
                client.send(request.replace("PORT", Integer.toString(origin.port())));
                assertThat(only(proxy, SessionStatus.DNS).method()).isEqualTo(method);
                known.countDown();
                Await.until(
                        "it goes on",
                        () -> rows(proxy, SessionStatus.DNS).isEmpty()
                                && proxy.kernel.sessions().active().size() == 1);
                goOn.countDown();
            } finally {
                known.countDown();
                goOn.countDown();
            }
        }
    }

    @Test
    void whoWaitsForTheAddressesOfItsOriginSaysSo() throws Exception {
        String[] reverse = {
            "routes.0.pool=shop", "origins.shop.servers.0.url=http://app.test:PORT", "origins.shop.resolve=off"
        };
        waitsForItsLookUp("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET", reverse);
        waitsForItsLookUp("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", "POST", reverse);
        waitsForItsLookUp(
                "CONNECT app.test:PORT HTTP/1.1\r\nHost: app.test:PORT\r\n\r\n",
                "CONNECT",
                "routes.0.connect.enabled=on",
                "routes.0.connect.ports.0=PORT");
    }
}
