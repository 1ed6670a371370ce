package io.weir.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.wire.Awaited;
import io.weir.wire.Configs;
import io.weir.wire.Ends;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireMessages;
import io.weir.wire.WireReader;
import io.weir.wire.WireStats;
import io.weir.wire.WireWriter;
import io.weir.wire.channel.Opened;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a server does before a client is logged in. */
final class HandshakeTest {
    @Test
    void welcomeSaysVersionIdLongestFrameAndHeartbeat() {
        try (Ends e = new Ends("heartbeat=3s")) {
            e.in(Ends.hello());
            Ends.Sent welcome = e.out().getFirst();
            assertThat(welcome.frame()).isEqualTo(WireFrame.WELCOME);
            assertThat(welcome.payload().readUnsignedByte()).isEqualTo((short) 1);
            assertThat(welcome.payload().readLong()).isEqualTo((1000L << 20) + 1);
            assertThat(welcome.payload().readInt()).isEqualTo(1 << 20);
            assertThat(welcome.payload().readInt()).isEqualTo(3000);
        }
    }

    @Test
    void theLoginIsAnsweredWithTheUsersName() {
        try (Ends e = new Ends()) {
            e.in(Ends.hello()).out();
            e.in(Ends.auth("anna", "secret"));
            Ends.Sent ok = e.out().getFirst();
            assertThat(ok.frame()).isEqualTo(WireFrame.AUTH_OK);
            assertThat(WireReader.text(ok.payload())).isEqualTo("anna");
            assertThat(e.stats.value(WireStats.HANDSHAKES)).isZero();
        }
    }

    @Test
    void anHttpRequestIsNoFrame() {
        try (Ends e = new Ends()) {
            e.in(Unpooled.copiedBuffer("GET / HTTP/1.1\r\nHost: a\r\n\r\n", StandardCharsets.UTF_8));
            assertThat(e.error()).isEqualTo(Reason.FRAME_LENGTH);
            assertThat(e.faults(Reason.FRAME_LENGTH)).isEqualTo(1);
        }
    }

    @Test
    void anotherMagicIsRefused() {
        try (Ends e = new Ends()) {
            e.in(Ends.frame(WireFrame.HELLO.code(), 0, "NOPE............"));
            assertThat(e.error()).isEqualTo(Reason.BAD_MAGIC);
        }
    }

    @Test
    void aVersionThatOnlyTheClientSpeaksIsRefusedWithBothRanges() {
        try (Ends e = new Ends()) {
            ByteBuf p = Unpooled.buffer();
            p.writeInt(Opened.MAGIC).writeByte(7).writeByte(9).writeInt(1 << 20).writeInt(1000);
            WireWriter.text(p, "future");
            e.in(Ends.frame(WireFrame.HELLO.code(), 0, p));
            Ends.Sent error = e.out().getFirst();
            assertThat(Reason.of(error.payload().readUnsignedShort())).isEqualTo(Reason.VERSION);
            assertThat(WireReader.text(error.payload())).contains("7 to 9").contains("1 to 3");
        }
    }

    @Test
    void versionsAgreeOnTheHighestOfBoth() {
        assertThat(Opened.agree(1, 9)).isEqualTo(Opened.MOST_VERSION);
        assertThat(Opened.agree(0, 0)).isZero();
        assertThat(Opened.agree(1, 1)).isEqualTo(1);
        assertThat(Opened.agree(4, 9)).isZero();
    }

    @Test
    void aFrameBeforeTheLoginMayHave4096BytesAndNoMore() {
        try (Ends e = new Ends()) {
            e.in(Unpooled.buffer().writeInt(Opened.MAX_BEFORE_LOGIN));
            assertThat(e.out()).isEmpty();
        }
        try (Ends e = new Ends()) {
            e.in(Unpooled.buffer().writeInt(Opened.MAX_BEFORE_LOGIN + 1));
            assertThat(e.error()).isEqualTo(Reason.FRAME_LENGTH);
        }
    }

    @Test
    void afterTheLoginTheAgreedLengthCounts() {
        try (Ends e = new Ends().loggedIn()) {
            e.in(Unpooled.buffer().writeInt(1 << 20));
            assertThat(e.out()).isEmpty();
        }
        try (Ends e = new Ends().loggedIn()) {
            e.in(Unpooled.buffer().writeInt((1 << 20) + 1));
            assertThat(e.error()).isEqualTo(Reason.FRAME_LENGTH);
        }
    }

    @Test
    void anythingButTheNextStepIsAWrongState() {
        for (ByteBuf early : List.of(
                Ends.auth("anna", "secret"), Ends.frame(0x21, 0, "x"), Ends.frame(WireFrame.LOOKUP.code(), 0, "x"))) {
            try (Ends e = new Ends()) {
                e.in(early);
                assertThat(e.error()).isEqualTo(Reason.WRONG_STATE);
                assertThat(e.handler).isNull();
            }
        }
        try (Ends e = new Ends()) {
            e.in(Ends.hello()).out();
            e.in(Ends.hello());
            assertThat(e.error()).isEqualTo(Reason.WRONG_STATE);
        }
        try (Ends e = new Ends().loggedIn()) {
            e.in(Ends.hello());
            assertThat(e.error()).isEqualTo(Reason.WRONG_STATE);
        }
    }

    @Test
    void aClientThatDoesNotLogInIsCutOffAtTheDeadline() {
        try (Ends e = new Ends("handshake-time-out=5s")) {
            e.in(Ends.hello()).out();
            e.channel.advanceTimeBy(4999, TimeUnit.MILLISECONDS);
            e.channel.runScheduledPendingTasks();
            assertThat(e.channel.isOpen()).isTrue();
            e.channel.advanceTimeBy(2, TimeUnit.MILLISECONDS);
            e.channel.runScheduledPendingTasks();
            assertThat(e.error()).isEqualTo(Reason.HANDSHAKE_TIME_OUT);
        }
    }

    @Test
    void aLoginThatIsStillBeingCheckedAtTheDeadlineIsCancelled() {
        CompletableFuture<@Nullable Principal> never = new CompletableFuture<>();
        try (Ends e = new Ends((_, _, _) -> never, NamingDirectory.empty(), "handshake-time-out=5s")) {
            e.in(Ends.hello()).out();
            e.in(Ends.auth("anna", "secret"));
            e.in(Ends.frame(WireFrame.PING.code(), 0, "12345678"));
            assertThat(e.error()).isEqualTo(Reason.WRONG_STATE);
            var _ = e.channel.close();
            assertThat(never).isCancelled();
            assertThat(e.stats.value(WireStats.HANDSHAKES)).isZero();
        }
    }

    @Test
    void moreHandshakesThanAllowedAreRefused() {
        try (TestServer s = new TestServer(
                        Configs.config("max-handshakes=1"),
                        (_, _, _) -> new CompletableFuture<@Nullable Principal>(),
                        NamingDirectory.empty(),
                        Recorder::new,
                        null);
                WireClient client = WireClient.open()) {
            CompletableFuture<WireConnection> waiting =
                    client.connect(s.addresses(), Credentials.NONE, ClientOptions.DEFAULT, Recorder::new);
            CompletableFuture<WireConnection> second = new CompletableFuture<>();
            Awaited.until(() -> s.stats.value(WireStats.HANDSHAKES) == 1);
            var _ = client.connect(s.addresses(), Credentials.NONE, ClientOptions.DEFAULT, Recorder::new)
                    .whenComplete((c, f) -> second.completeExceptionally(f == null ? new AssertionError(c) : f));
            assertThat(second.handle((_, f) -> f)
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join())
                    .isInstanceOfSatisfying(
                            WireFault.class, f -> assertThat(f.reason()).isEqualTo(Reason.BUSY));
            assertThat(s.faults(Reason.BUSY)).isEqualTo(1);
            waiting.cancel(false);
        }
    }

    /** As many as may be in their handshake say nothing more than three bytes. */
    @Test
    void whoSaysNothingMakesRoomForWhoLogsIn() throws Exception {
        int most = 8;
        List<Socket> strangers = new ArrayList<>();
        try (TestServer s = new TestServer(
                        Configs.config("max-handshakes=" + most),
                        TestServer.ANNA,
                        NamingDirectory.empty(),
                        Recorder::new,
                        null);
                WireClient client = WireClient.open()) {
            for (int i = 0; i < most; i++) {
                Socket stranger =
                        new Socket(s.address().getAddress(), s.address().getPort());
                strangers.add(stranger);
                stranger.getOutputStream().write(new byte[3]);
            }
            Awaited.until(() -> s.stats.value(WireStats.HANDSHAKES) == most);
            for (int i = 0; i < 2 * most; i++) {
                Awaited.until(() -> loggedIn(client, s));
            }
            assertThat(s.stats.value(WireStats.HANDSHAKES_EVICTED)).isPositive();
            assertThat(s.stats.value(WireStats.HANDSHAKES)).isLessThan(most);
            assertThat(s.log.entries())
                    .filteredOn(e -> e.message() == WireMessages.FAULT)
                    .isNotEmpty()
                    .allMatch(e ->
                            e.message().limited() && e.arguments().getFirst().equals("127.0.0.1"));
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    /** At once, or later: everybody has a moment to say who he is. */
    private static boolean loggedIn(WireClient client, TestServer s) {
        return client.connect(s.addresses(), Credentials.NONE, ClientOptions.DEFAULT, Recorder::new)
                .handle((c, failure) -> {
                    if (c != null) {
                        c.close();
                    }
                    return failure == null;
                })
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
