package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.context.EngineStats;
import io.weir.proxy.program.config.ProxyConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Insiders and outsiders by chance, several at a time, ask for a name that has two addresses, over one connection and one
 * stored answer, while the rules change between: nobody gets a byte from an address that he may not go to, and who may go
 * to one is answered.
 */
@ExtendWith(LeakCheck.class)
@Tag("slow")
class DestinationMixTest {
    private static final int ROUNDS = 60;
    private static final int AT_ONCE = 6;

    /**
     * Rules, and what they leave: {@code 1} and {@code 2} are the addresses, {@code -} is none.
     *
     * @param insider what a client on this machine may reach
     * @param outsider what another may
     */
    private record Rules(String insider, String outsider, List<String> knobs) {
        Rules(String insider, String outsider, String... knobs) {
            this(insider, outsider, List.of(knobs));
        }
    }

    private static final List<Rules> RULES = List.of(
            new Rules("12", "-"),
            new Rules("12", "2", "destinations.allow.0=127.0.0.2"),
            new Rules("12", "12", "destinations.allow.0=127.0.0.0/8"),
            new Rules("2", "-", "destinations.deny.0=127.0.0.1"),
            new Rules("1", "-", "destinations.deny.0=127.0.0.2"),
            new Rules("-", "-", "destinations.loopback-for-loopback=off"),
            new Rules("1", "1", "destinations.loopback-for-loopback=off", "destinations.allow.0=127.0.0.1"),
            new Rules("-", "-", "destinations.deny-hosts.0=app.test", "destinations.allow.0=127.0.0.0/8"),
            new Rules("-", "12", "destinations.clients.0=192.0.2.0/24", "destinations.allow.0=127.0.0.0/8"));

    private static final String[] LINES = {
        "",
        "",
        "Cache-Control: no-cache\r\n",
        "Cache-Control: only-if-cached\r\n",
        "Cache-Control: max-stale=100\r\n",
        "Range: bytes=0-3\r\n",
        "If-None-Match: \"1\"\r\n"
    };
    private static final String[] TERMS = {
        "max-age=100", "max-age=0", "no-store", "max-age=0, stale-while-revalidate=100", "max-age=0, stale-if-error=100"
    };

    /** One request on its way. */
    private record Asked(RawClient client, String may, String method, String line) {}

    private static ServerSocket[] two() throws IOException {
        for (int i = 0; ; i++) {
            ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            try {
                InetAddress beside = InetAddress.getAllByName("127.0.0.2")[0];
                return new ServerSocket[] {first, new ServerSocket(first.getLocalPort(), 50, beside)};
            } catch (BindException e) {
                first.close();
                if (i > 20) {
                    throw e;
                }
            }
        }
    }

    private static TestOrigin origin(ServerSocket socket, String number, long seed) {
        RandomGenerator random = Chance.seeded(seed).random();
        return new TestOrigin(socket, (head, in, out) -> {
            String terms;
            boolean fails;
            synchronized (random) {
                terms = TERMS[random.nextInt(TERMS.length)];
                fails = random.nextInt(8) == 0;
            }
            answer(head, out, number, terms, fails);
            return true;
        });
    }

    private static void answer(String head, OutputStream out, String number, String terms, boolean fails)
            throws IOException {
        String fields = "From: " + number + "\r\nCache-Control: " + terms + "\r\nETag: \"1\"\r\n";
        String line = fails ? "503 No" : head.contains("If-None-Match") ? "304 Same" : "200 OK";
        boolean body = line.startsWith("2") && !head.startsWith("HEAD");
        TestOrigin.write(
                out,
                "HTTP/1.1 " + line + "\r\n" + fields + "Content-Length: " + (line.startsWith("2") ? 5 : 0) + "\r\n\r\n"
                        + (body ? "body" + number : ""));
    }

    private static String[] knobs(int port, TestDns dns, Rules rules) {
        List<String> lines = new ArrayList<>(List.of(
                "routes.0.forward=on",
                "routes.1.connect.enabled=on",
                "routes.1.connect.ports.0=" + port,
                "origin-pool.max-connections-per-origin=1",
                "dns.servers.0=" + dns.server()));
        lines.addAll(rules.knobs());
        if (lines.stream().noneMatch(l -> l.startsWith("destinations.clients"))) {
            lines.add("destinations.clients.0=0.0.0.0/0");
        }
        return lines.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everybodyGetsWhatHeWouldGetAlone(long seed) throws Exception {
        RandomGenerator random = Chance.seeded(seed).random();
        ServerSocket[] sockets = two();
        int port = sockets[0].getLocalPort();
        try (TestDns dns = new TestDns();
                TestOrigin one = origin(sockets[0], "1", seed);
                TestOrigin other = origin(sockets[1], "2", seed + 100)) {
            dns.set("app.test", 600, "127.0.0.1", "127.0.0.2");
            try (TestProxy proxy = TestProxy.Made.of(knobs(port, dns, RULES.getFirst()))
                    .listener("port=0", "proxy-protocol.enabled=on")
                    .start()) {
                for (int round = 0; round < ROUNDS; round++) {
                    Rules rules = RULES.get(random.nextInt(RULES.size()));
                    proxy.config.set(TestProxy.bind(ProxyConfig.class, knobs(port, dns, rules)));
                    round(proxy, port, rules, random, "seed " + seed + ", round " + round);
                }
                assertThat(one.heads).isNotEmpty();
                assertThat(other.heads).isNotEmpty();
                Await.until("nobody waits", () -> proxy.stats.sum(EngineStats.ORIGIN_WAITING) == 0);
            }
        }
    }

    /** The name has led elsewhere since: what is stored may be had, and yet its origin has not failed. */
    @Test
    void aRefusalIsNotCoveredByWhatIsStored() throws Exception {
        ServerSocket[] sockets = two();
        int port = sockets[0].getLocalPort();
        String stored = "HTTP/1.1 200 OK\r\nCache-Control: max-age=0, stale-if-error=600\r\nETag: \"1\"\r\n"
                + "Connection: close\r\nContent-Length: 5\r\n\r\nbody2";
        try (TestDns dns = new TestDns();
                TestOrigin one = origin(sockets[0], "1", 1);
                TestOrigin other = new TestOrigin(sockets[1], (head, in, out) -> {
                    TestOrigin.write(out, stored);
                    return false;
                })) {
            dns.set("app.test", 1, "127.0.0.2");
            try (TestProxy proxy = TestProxy.Made.of(
                            Stream.concat(Stream.of(knobs(port, dns, RULES.get(1))), Stream.of("dns.cache=off"))
                                    .toArray(String[]::new))
                    .listener("port=0", "proxy-protocol.enabled=on")
                    .start()) {
                for (String status : new String[] {"200", "403"}) {
                    try (RawClient client = new RawClient(proxy.port())) {
                        client.send("PROXY TCP4 192.0.2.7 127.0.0.1 9999 80\r\n");
                        String there = "app.test:" + port;
                        client.send("GET http://" + there + "/a HTTP/1.1\r\nHost: " + there + "\r\n\r\n");
                        assertThat(client.answer()).startsWith("HTTP/1.1 " + status + ' ');
                    }
                    dns.set("app.test", 1, "127.0.0.1");
                }
                assertThat(one.heads).isEmpty();
                assertThat(other.heads).hasSize(1);
            }
        }
    }

    private static void round(TestProxy proxy, int port, Rules rules, RandomGenerator random, String where)
            throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            boolean insider = random.nextBoolean();
            RawClient client = new RawClient(proxy.port());
            client.send("PROXY TCP4 " + (insider ? "127.0.0.1" : "192.0.2.7") + " 127.0.0.1 9999 80\r\n");
            Asked a = new Asked(
                    client,
                    insider ? rules.insider() : rules.outsider(),
                    List.of("GET", "GET", "GET", "HEAD", "POST", "CONNECT").get(random.nextInt(6)),
                    LINES[random.nextInt(LINES.length)]);
            asked.add(a);
            String there = "app.test:" + port;
            String target = a.method().equals("CONNECT") ? there : "http://" + there + "/a";
            client.send(a.method() + " " + target + " HTTP/1.1\r\nHost: " + there + "\r\n" + a.line() + "\r\n");
        }
        for (Asked a : asked) {
            String answer = answer(a, port);
            check(a, answer, where + ": " + a.method() + " " + a.line() + rules + "\n" + answer);
            a.client().close();
        }
    }

    private static String answer(Asked a, int port) throws IOException {
        if (a.method().equals("HEAD")) {
            return a.client().head();
        }
        String answer = a.client().answer();
        if (a.method().equals("CONNECT") && answer.startsWith("HTTP/1.1 200 ")) {
            return a.client()
                    .send("GET /a HTTP/1.1\r\nHost: app.test:" + port + "\r\n\r\n")
                    .answer();
        }
        return answer;
    }

    private static void check(Asked a, String answer, String what) {
        boolean missing = a.line().contains("only-if-cached") && answer.startsWith("HTTP/1.1 504 ");
        if (a.may().equals("-")) {
            assertThat(answer.startsWith("HTTP/1.1 403 ") || missing).as(what).isTrue();
        } else {
            assertThat(answer.startsWith("HTTP/1.1 403 ")).as(what).isFalse();
        }
        for (String number : new String[] {"1", "2"}) {
            if (!a.may().contains(number)) {
                assertThat(answer).as(what).doesNotContain("From: " + number, "body" + number);
            }
        }
    }
}
