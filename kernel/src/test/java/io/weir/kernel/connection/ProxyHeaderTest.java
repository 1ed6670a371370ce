package io.weir.kernel.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SteppedClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections behind a load balancer that sends the clients' addresses. */
class ProxyHeaderTest {
    private static final String V2 = "0d0a0d0a000d0a515549540a";

    private static Listener listener(TestKernel k, String... more) throws BindFailure {
        String[] settings = new String[more.length + 1];
        settings[0] = "proxy-protocol.enabled=on";
        System.arraycopy(more, 0, settings, 1, more.length);
        return k.kernel.open("behind", Configs.listener(settings), k.echo);
    }

    private static void sendHex(LineClient to, String hex, String line) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(HexFormat.of().parseHex(hex));
        bytes.writeBytes((line + "\n").getBytes(StandardCharsets.US_ASCII));
        to.socket().getOutputStream().write(bytes.toByteArray());
    }

    private static void showClients(TestKernel k) {
        k.echo.answerWith(c -> " from " + c.remote().getAddress().getHostAddress() + ":"
                + c.remote().getPort());
    }

    @Test
    void countersOfAListenerBehindALoadBalancerAreShownBeforeTheyCount() throws Exception {
        try (TestKernel k = new TestKernel()) {
            assertThat(shown(k)).isZero();
            var _ = listener(k);
            assertThat(shown(k)).isEqualTo(5);
        }
    }

    private static long shown(TestKernel k) {
        return k.stats.samples().stream()
                .filter(s -> List.of(KernelStats.PROXY_HEADERS, KernelStats.PROXY_REFUSED)
                        .contains(s.spec()))
                .count();
    }

    @Test
    void headerOfVersionOneNamesTheClientAndWhatFollowsIsItsRequest() throws Exception {
        try (TestKernel k = new TestKernel()) {
            showClients(k);
            try (LineClient c = LineClient.to(listener(k))) {
                c.send("PROXY TCP4 192.0.2.7 198.51.100.1 40001 80\r\nhello");
                assertThat(c.receive()).isEqualTo("hello from 192.0.2.7:40001");
                assertThat(c.ask("again")).isEqualTo("again from 192.0.2.7:40001");
            }
            assertThat(k.stats.value(KernelStats.PROXY_HEADERS, "behind", "client"))
                    .isOne();
        }
    }

    @Test
    void headerMayComeInPieces() throws Exception {
        try (TestKernel k = new TestKernel()) {
            showClients(k);
            try (LineClient c = LineClient.to(listener(k))) {
                for (byte b : "PROXY TCP6 2001:db8::7 2001:db8::1 40001 80\r\n".getBytes(StandardCharsets.US_ASCII)) {
                    c.socket().getOutputStream().write(b);
                }
                assertThat(c.ask("hello")).isEqualTo("hello from 2001:db8:0:0:0:0:0:7:40001");
            }
        }
    }

    @Test
    void headerOfVersionTwoNamesTheClientWithItsExtensionsPassedOver() throws Exception {
        try (TestKernel k = new TestKernel()) {
            showClients(k);
            try (LineClient c = LineClient.to(listener(k))) {
                // PROXY, TCP over IPv4, 12 bytes of addresses and an extension (ALPN "h2") of 5
                sendHex(c, V2 + "21110011" + "c0000207c6336401" + "9c41" + "0050" + "0100026832", "hello");
                assertThat(c.receive()).isEqualTo("hello from 192.0.2.7:40001");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"20000000", "21000000"})
    void connectionOfTheBalancerItselfKeepsItsAddress(String localOrUnspecified) throws Exception {
        try (TestKernel k = new TestKernel()) {
            showClients(k);
            try (LineClient c = LineClient.to(listener(k))) {
                sendHex(c, V2 + localOrUnspecified, "hello");
                assertThat(c.receive()).startsWith("hello from 127.0.0.1:");
            }
            assertThat(k.stats.value(KernelStats.PROXY_HEADERS, "behind", "own"))
                    .isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a",
                "PROXY TCP4 192.0.2.777 198.51.100.1 40001 80\r",
                "PROXY TCP4 192.0.2.7 198.51.100.1 400010 80\r",
                "PROXY TCP5 192.0.2.7 198.51.100.1 40001 80\r",
                "PROXY TCP4 192.0.2.7 198.51.100.1 40001\r",
                "PROXY TCP4 host.example 198.51.100.1 40001 80\r",
                "PROXY UNKNOWN aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r"
            })
    void whatIsNoHeaderIsRefusedAndCounted(String bytes) throws Exception {
        try (TestKernel k = new TestKernel()) {
            try (LineClient c = LineClient.to(listener(k))) {
                c.send(bytes);
                assertThat(c.end()).isIn("closed", "reset");
            }
            // the decoder closes before it reports the reason
            Await.until("it is counted", () -> k.stats.value(KernelStats.PROXY_REFUSED, "behind", "malformed") == 1);
            assertThat(k.log.count(KernelMessages.PROXY_MALFORMED)).isOne();
            assertThat(k.echo.connections()).as("handed to the protocol").isEmpty();
        }
    }

    @Test
    void hugeExtensionsAreRefused() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient c = LineClient.to(listener(k))) {
            sendHex(c, V2 + "2111ffff" + "c0000207c6336401" + "9c410050" + "0a0fa0" + "00".repeat(4000), "");
            assertThat(c.end()).isIn("closed", "reset");
            // the decoder closes before it reports the reason
            Await.until("it is counted", () -> k.stats.value(KernelStats.PROXY_REFUSED, "behind", "malformed") == 1);
        }
    }

    @Test
    void strangersWordIsNotTaken() throws Exception {
        try (TestKernel k = new TestKernel();
                LineClient c = LineClient.to(listener(k, "proxy-protocol.trusted.0=10.0.0.0/8"))) {
            assertThat(c.end()).isIn("closed", "reset");
            assertThat(k.stats.value(KernelStats.PROXY_REFUSED, "behind", "untrusted"))
                    .isOne();
            assertThat(k.log.count(KernelMessages.PROXY_UNTRUSTED)).isOne();
        }
    }

    @Test
    void headerIsDueWithinTheAcceptTimeOut() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of(), "accept-time-out=30s");
                LineClient c = LineClient.to(listener(k))) {
            c.send("PROXY TC");
            Await.until("it is waited for", () -> k.awaited() == 1);
            clock.step(Duration.ofSeconds(31));
            assertThat(c.end()).isIn("closed", "reset");
            assertThat(k.stats.value(KernelStats.ACCEPT_TIMEOUTS)).isOne();
        }
    }

    /** The clients' shares are their own: the balancer's address is not the one that is counted. */
    @Test
    void limitOfAnAddressIsThatOfTheClientNamed() throws Exception {
        try (TestKernel k = new TestKernel("max-connections-per-address=2")) {
            Listener behind = listener(k);
            try (LineClient a = LineClient.to(behind);
                    LineClient b = LineClient.to(behind);
                    LineClient c = LineClient.to(behind);
                    LineClient tooMany = named(behind, a, b, c)) {
                assertThat(tooMany.end()).isIn("closed", "reset");
                assertThat(k.stats.value(KernelStats.PROXY_REFUSED, "behind", "address-limit"))
                        .isOne();
                assertThat(k.stats.value(KernelStats.REFUSED_ADDRESS)).isOne();
            }
            Await.until("all are gone", () -> k.kernel.connections() == 0);
            assertThat(k.kernel.intake().addresses().size()).isZero();
        }
    }

    /** Two connections of one client, one of another, and a further one of the first. */
    private static LineClient named(Listener behind, LineClient a, LineClient b, LineClient c) throws IOException {
        a.send("PROXY TCP4 192.0.2.7 198.51.100.1 40001 80\r\na");
        assertThat(a.receive()).isEqualTo("a");
        b.send("PROXY TCP4 192.0.2.8 198.51.100.1 40002 80\r\nb");
        assertThat(b.receive()).isEqualTo("b");
        c.send("PROXY TCP4 192.0.2.7 198.51.100.1 40003 80\r\nc");
        assertThat(c.receive()).isEqualTo("c");
        LineClient d = LineClient.to(behind);
        d.send("PROXY TCP4 192.0.2.7 198.51.100.1 40004 80\r\nd");
        return d;
    }

    @Test
    void networksAreCheckedWhereTheyAreConfigured() {
        assertThatThrownBy(() -> Configs.listener("proxy-protocol.trusted.0=10.0.0.0/40"))
                .hasMessageContaining("expected a network");
    }
}
