package io.weir.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.wire.LostConnection;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireMessages;
import io.weir.wire.WireStats;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both ends over a loopback socket. */
@Tag("slow")
final class LoopbackTest {
    private final BlockingQueue<Recorder> served = new LinkedBlockingQueue<>();
    private final TestServer server = new TestServer(c -> {
        Recorder r = new Recorder(c);
        served.add(r);
        return r;
    });
    private final WireClient client = WireClient.open();

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private Recorder connect(Credentials credentials) {
        return connect(credentials, ClientOptions.DEFAULT, server.addresses());
    }

    private Recorder connect(Credentials credentials, ClientOptions options, List<WireUrl.Address> addresses) {
        BlockingQueue<Recorder> made = new LinkedBlockingQueue<>();
        client.connect(addresses, credentials, options, c -> {
                    Recorder r = new Recorder(c);
                    made.add(r);
                    return r;
                })
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        return made.remove();
    }

    private Recorder serverSide() throws InterruptedException {
        Recorder r = served.poll(3, TimeUnit.MINUTES);
        assertThat(r).isNotNull();
        return r;
    }

    @Test
    void aFrameGoesThereAndBack() throws Exception {
        Recorder c = connect(new Credentials("anna", "secret"));
        c.send(Recorder.ECHO, 7, "hello");
        assertThat(c.next()).isEqualTo(new Recorder.Seen(Recorder.ECHOED, 7, "hello"));
        Recorder s = serverSide();
        assertThat(s.connection.user()).isEqualTo("anna");
        assertThat(s.connection.groups()).containsExactly("staff");
        assertThat(c.connection.user()).isEqualTo("anna");
        assertThat(c.connection.id()).isEqualTo(s.connection.id()).isPositive();
        assertThat(c.connection.maxFrame()).isEqualTo(s.connection.maxFrame());
        assertThat(server.stats.value(WireStats.OPENED)).isEqualTo(1);
    }

    @Test
    void everySizeOfFrameArrivesWhole() throws Exception {
        Recorder c = connect(Credentials.NONE);
        for (int size : new int[] {0, 1, 100, 2040, 2048, 2049, 5000, 70_000, 3_000_000}) {
            String text = "x".repeat(size);
            c.send(Recorder.ECHO, size, text);
            assertThat(c.next()).isEqualTo(new Recorder.Seen(Recorder.ECHOED, size, text));
        }
    }

    @Test
    void framesOfOneThreadStayInOrder() throws Exception {
        Recorder c = connect(Credentials.NONE);
        for (int i = 0; i < 5000; i++) {
            c.send(Recorder.ECHO, i, i % 50 == 0 ? "y".repeat(9000) : "small");
        }
        for (int i = 0; i < 5000; i++) {
            assertThat(c.next().stream()).isEqualTo(i);
        }
        assertThat(server.stats.value(WireStats.FLUSHES)).isLessThan(5000);
    }

    @Test
    void aCleanCloseDeliversWhatWasSentAndTellsBothEnds() throws Exception {
        Recorder c = connect(Credentials.NONE);
        Recorder s = serverSide();
        c.send(0x20, 1, "last words");
        c.connection.close();
        assertThat(s.next().payload()).isEqualTo("last words");
        assertThat(s.cause()).isNull();
        assertThat(c.cause()).isNull();
        assertThat(c.connection.isOpen()).isFalse();
        assertThat(server.stats.value(WireStats.LOST)).isZero();
    }

    @Test
    void whoSaidGoodbyeSeesTheEndWhenWhatTheConnectionHeldIsFree() throws Exception {
        Recorder c = connect(Credentials.NONE);
        Recorder s = serverSide();
        s.freeing = Duration.ofMillis(100);
        var freedAtTheEnd = c.closed.thenApply(_ -> s.freed);
        c.connection.close(Duration.ofSeconds(60));
        assertThat(freedAtTheEnd.get(3, TimeUnit.MINUTES)).isTrue();
        assertThat(s.cause()).isNull();
        assertThat(server.stats.value(WireStats.LOST)).isZero();
    }

    @Test
    void aServerThatNeverFreesIsWaitedForAsLongAsWasSaid() throws Exception {
        Recorder c = connect(Credentials.NONE);
        Recorder s = serverSide();
        s.freeing = Duration.ofDays(1);
        c.connection.close(Duration.ofMillis(50));
        assertThat(c.cause()).isNull();
        assertThat(s.freed).isFalse();
    }

    @Test
    void aWrongPasswordIsRefusedWithItsReason() {
        assertThatThrownBy(() -> connect(new Credentials("anna", "wrong")))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(WireFault.class, f -> {
                    assertThat(f.reason()).isEqualTo(Reason.AUTHENTICATION);
                    assertThat(f.fromPeer()).isTrue();
                });
        assertThat(server.faults(Reason.AUTHENTICATION)).isEqualTo(1);
        assertThat(server.log.count(WireMessages.LOGIN_REFUSED)).isEqualTo(1);
    }

    @Test
    void anUnknownTypeIsAnsweredAndCounted() throws Exception {
        Recorder c = connect(Credentials.NONE);
        c.send(0x3f, 0, "");
        assertThat(c.cause()).isInstanceOfSatisfying(WireFault.class, f -> {
            assertThat(f.reason()).isEqualTo(Reason.UNKNOWN_TYPE);
            assertThat(f.text()).isEqualTo("no type 63");
        });
        assertThat(serverSide().cause()).isInstanceOf(WireFault.class);
        assertThat(server.faults(Reason.UNKNOWN_TYPE)).isEqualTo(1);
    }

    @Test
    void anErrorOfTheServersOwnIsLoggedAndEndsOneConnectionOnly() throws Exception {
        Recorder other = connect(Credentials.NONE);
        Recorder c = connect(Credentials.NONE);
        c.send(0x20, 0, "provoke");
        assertThat(c.cause())
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.INTERNAL));
        assertThat(server.stats.value(WireStats.UNCAUGHT)).isEqualTo(1);
        assertThat(server.log.count(WireMessages.UNCAUGHT)).isEqualTo(1);
        other.send(Recorder.ECHO, 1, "still here");
        assertThat(other.next().payload()).isEqualTo("still here");
    }

    @Test
    void theNextAddressIsTriedWhenOneDoesNotAnswer() throws Exception {
        // bound and not listening: it refuses, and no other process gets the port in the meantime
        try (Socket dead = new Socket()) {
            dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Recorder c = connect(
                    Credentials.NONE,
                    ClientOptions.DEFAULT,
                    List.of(
                            new WireUrl.Address("127.0.0.1", dead.getLocalPort()),
                            server.addresses().getFirst()));
            c.send(Recorder.ECHO, 1, "second");
            assertThat(c.next().payload()).isEqualTo("second");
        }
    }

    @Test
    void noServerIsAnIoFailureThatNamesTheAddress() {
        server.stopListening();
        assertThatThrownBy(() -> connect(Credentials.NONE))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:");
    }

    @Test
    void whoClosesWithoutAWordIsNamed() throws Exception {
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread closer = Thread.ofVirtual().start(() -> {
                try {
                    closing.accept().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThatThrownBy(() -> connect(
                            Credentials.NONE,
                            ClientOptions.DEFAULT,
                            List.of(new WireUrl.Address("127.0.0.1", closing.getLocalPort()))))
                    .cause()
                    .isInstanceOf(LostConnection.class)
                    .hasMessageStartingWith("127.0.0.1:" + closing.getLocalPort());
            closer.join();
        }
    }

    @Test
    void whoSpeaksHttpIsToldApart() throws Exception {
        try (ServerSocket http = new ServerSocket(0)) {
            Thread answering = Thread.ofVirtual().start(() -> {
                try (Socket s = http.accept()) {
                    s.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    s.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThatThrownBy(() -> connect(
                            Credentials.NONE,
                            ClientOptions.DEFAULT,
                            List.of(new WireUrl.Address("127.0.0.1", http.getLocalPort()))))
                    .cause()
                    .hasMessageContaining("the peer speaks HTTP, not weir; check that this is the port for messaging");
            answering.join();
        }
    }

    @Test
    void allAddressesThatFailedAreNamedWithTheirCauses() throws Exception {
        server.stopListening();
        try (Socket dead = new Socket()) {
            dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(() -> connect(
                            Credentials.NONE,
                            ClientOptions.DEFAULT,
                            List.of(
                                    new WireUrl.Address("127.0.0.1", dead.getLocalPort()),
                                    server.addresses().getFirst())))
                    .cause()
                    .isInstanceOf(IOException.class)
                    .hasMessage("cannot connect to 127.0.0.1:" + dead.getLocalPort()
                            + " (127.0.0.1): Connection refused; cannot connect to "
                            + server.addresses().getFirst() + " (127.0.0.1): Connection refused");
        }
    }

    /** The refusal and the end of the channel come from the loop, the listener for the refusal from the caller's thread. */
    @Test
    void aRefusedConnectionIsNamedSoHoweverFastItWas() throws Exception {
        try (Socket dead = new Socket()) {
            dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            List<WireUrl.Address> to = List.of(new WireUrl.Address("127.0.0.1", dead.getLocalPort()));
            for (int i = 0; i < 2000; i++) {
                assertThatThrownBy(() -> connect(Credentials.NONE, ClientOptions.DEFAULT, to))
                        .cause()
                        .hasMessageEndingWith("Connection refused");
            }
        }
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAtTheHandshakesDeadline() throws Exception {
        try (ServerSocket mute = new ServerSocket(0)) {
            ClientOptions hasty = ClientOptions.DEFAULT.withHandshakeTimeOut(Duration.ofMillis(50));
            assertThatThrownBy(() -> connect(
                            Credentials.NONE, hasty, List.of(new WireUrl.Address("127.0.0.1", mute.getLocalPort()))))
                    .cause()
                    .isInstanceOfSatisfying(
                            WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.HANDSHAKE_TIME_OUT));
        }
    }

    @Test
    void aStoppingServerSaysSo() {
        Recorder c = connect(Credentials.NONE);
        server.server.close().orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(c.cause())
                .isInstanceOfSatisfying(
                        WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.SHUTDOWN));
        assertThat(server.server.connections()).isZero();
    }
}
