package io.weir.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
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
import io.weir.wire.channel.Handshake;
import io.weir.wire.channel.OutboundMarks;
import io.weir.wire.channel.WireChannel;
import io.weir.wire.channel.WireCounters;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.LoginKey;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Logins whose secret is proved by both ends and sent by neither. */
final class ProofLoginTest {
    private static final String SECRET = "the secret of both";
    private static final LoginKey KEY = LoginKey.of(SECRET);
    private static final LoginKey ANOTHER = LoginKey.of("another secret");
    private static final String NAME = "member:beta";
    private static final String NONCE = "ab".repeat(Handshake.NONCE);

    /** Lets member:beta in, who proves the key, and nobody else. */
    private static final Authenticator MEMBERS = new Authenticator() {
        @Override
        public CompletableFuture<@Nullable Principal> check(
                @Nullable String user, char @Nullable [] password, java.net.InetSocketAddress from) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public @Nullable Proving proving(String user) {
            return user.equals(NAME) ? new Proving(KEY, new Principal(NAME, List.of("members"))) : null;
        }
    };

    private static Ends server() {
        Ends e = new Ends(MEMBERS, NamingDirectory.empty());
        e.in(Ends.hello()).out();
        return e;
    }

    private static ByteBuf auth(String mechanism, @Nullable String user, @Nullable String text) {
        ByteBuf p = Unpooled.buffer();
        WireWriter.text(p, mechanism);
        WireWriter.optionalText(p, user);
        WireWriter.optionalText(p, text);
        return Ends.frame(WireFrame.AUTH.code(), 0, p);
    }

    /** Requests a challenge. */
    private static String challenge(Ends e) {
        e.in(auth("PROOF", NAME, NONCE));
        Ends.Sent challenge = e.out().getFirst();
        assertThat(challenge.frame()).isEqualTo(WireFrame.CHALLENGE);
        return WireReader.text(challenge.payload());
    }

    @Test
    void whoProvesTheKeyIsInAndTheServerProvesItToo() {
        try (Ends e = server()) {
            String nonce = challenge(e);
            e.in(auth("PROOF", NAME, KEY.proof(LoginKey.End.CLIENT, NAME, NONCE, nonce)));
            Ends.Sent ok = e.out().getFirst();
            assertThat(ok.frame()).isEqualTo(WireFrame.AUTH_OK);
            assertThat(WireReader.text(ok.payload())).isEqualTo(NAME);
            assertThat(WireReader.text(ok.payload())).isEqualTo(KEY.proof(LoginKey.End.SERVER, NAME, NONCE, nonce));
            assertThat(e.handler().connection.groups()).containsExactly("members");
        }
    }

    @Test
    void aProofThatWasOverheardIsWorthNothingOnAnotherConnection() {
        String overheard;
        try (Ends e = server()) {
            overheard = KEY.proof(LoginKey.End.CLIENT, NAME, NONCE, challenge(e));
            e.in(auth("PROOF", NAME, overheard)).out();
            assertThat(e.handler).isNotNull();
        }
        try (Ends e = server()) {
            challenge(e);
            e.in(auth("PROOF", NAME, overheard));
            assertThat(e.error()).isEqualTo(Reason.AUTHENTICATION);
            assertThat(e.handler).isNull();
        }
    }

    @Test
    void nothingElseIsTakenForAProof() {
        try (Ends e = server()) {
            String nonce = challenge(e);
            for (String wrong : List.of(
                    ANOTHER.proof(LoginKey.End.CLIENT, NAME, NONCE, nonce),
                    KEY.proof(LoginKey.End.SERVER, NAME, NONCE, nonce),
                    KEY.proof(LoginKey.End.CLIENT, "member:gamma", NONCE, nonce),
                    SECRET,
                    "")) {
                try (Ends another = server()) {
                    challenge(another);
                    another.in(auth("PROOF", NAME, wrong));
                    assertThat(another.error()).as(wrong).isEqualTo(Reason.AUTHENTICATION);
                }
            }
            e.in(auth("PLAIN", NAME, KEY.proof(LoginKey.End.CLIENT, NAME, NONCE, nonce)));
            assertThat(e.error()).isEqualTo(Reason.AUTHENTICATION);
        }
    }

    @Test
    void whoHasNoKeyHereIsRefusedBeforeAnyChallenge() {
        for (String user : new String[] {"anna", "member:gamma", null}) {
            try (Ends e = server()) {
                e.in(auth("PROOF", user, NONCE));
                assertThat(e.error()).isEqualTo(Reason.AUTHENTICATION);
                assertThat(e.log.count(WireMessages.LOGIN_REFUSED)).isEqualTo(1);
            }
        }
        try (Ends e = server()) {
            e.in(auth("PROOF", NAME, "short"));
            assertThat(e.error()).isEqualTo(Reason.MALFORMED);
        }
    }

    @Test
    void whoClosesWhileItIsAskedGivesItsPlaceBack() {
        try (Ends e = server()) {
            challenge(e);
            var _ = e.channel.close();
            e.channel.runPendingTasks();
            assertThat(e.stats.value(WireStats.HANDSHAKES)).isZero();
        }
    }

    /** A client's end that a server's frames are written to by hand. */
    private static final class Client {
        final CompletableFuture<WireConnection> result = new CompletableFuture<>();
        final EmbeddedChannel channel;
        final List<Byte> said = new ArrayList<>();

        Client(Credentials credentials) {
            ClientOptions options = ClientOptions.DEFAULT;
            channel = new EmbeddedChannel(new WireChannel(
                    new WireChannel.Parts(
                            new OutboundMarks(options.outboundLow(), options.outboundHigh(), options.outboundLimit()),
                            new WireCounters(new Stats()),
                            new RecordingLog(),
                            false),
                    new ClientHandshake(credentials, options, Recorder::new, result)));
            ByteBuf welcome = Unpooled.buffer();
            welcome.writeByte(1).writeLong(7).writeInt(1 << 20).writeInt(10_000);
            WireWriter.text(welcome, "weir");
            in(WireFrame.WELCOME, welcome);
        }

        void in(WireFrame frame, ByteBuf payload) {
            channel.writeInbound(Ends.frame(frame.code(), 0, payload));
            channel.runPendingTasks();
        }

        void in(WireFrame frame, String... texts) {
            ByteBuf p = Unpooled.buffer();
            for (String t : texts) {
                WireWriter.text(p, t);
            }
            in(frame, p);
        }

        /** The last text of the last frame that it sent. */
        String last() {
            byte[] last = {};
            for (ByteBuf b = channel.readOutbound(); b != null; b = channel.readOutbound()) {
                last = ByteBufUtil.getBytes(b);
                for (byte one : last) {
                    said.add(one);
                }
                b.release();
            }
            return new String(last, last.length - 2 * Handshake.NONCE, 2 * Handshake.NONCE, StandardCharsets.UTF_8);
        }

        String everything() {
            byte[] all = new byte[said.size()];
            for (int i = 0; i < all.length; i++) {
                all[i] = said.get(i);
            }
            return new String(all, StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void theClientSendsNoSecretAndBelievesNoServerThatProvesNone() {
        for (LoginKey servers : new LoginKey[] {KEY, ANOTHER}) {
            Client c = new Client(Credentials.proving(NAME, KEY));
            String drawn = c.last();
            c.in(WireFrame.CHALLENGE, NONCE);
            String proof = c.last();
            assertThat(proof).isEqualTo(KEY.proof(LoginKey.End.CLIENT, NAME, drawn, NONCE));
            c.in(WireFrame.AUTH_OK, NAME, servers.proof(LoginKey.End.SERVER, NAME, drawn, NONCE));
            if (servers == KEY) {
                assertThat(c.result).isCompleted();
                assertThat(c.everything()).contains(NAME).doesNotContain(SECRET);
            } else {
                assertThatThrownBy(c.result::join)
                        .hasRootCauseInstanceOf(WireFault.class)
                        .hasMessageContaining("does not prove");
            }
            c.channel.finishAndReleaseAll();
        }
    }

    @Test
    void aServerThatWavesTheClientThroughIsNotBelieved() {
        Client c = new Client(Credentials.proving(NAME, KEY));
        c.in(WireFrame.AUTH_OK, NAME);
        assertThatThrownBy(c.result::join).hasMessageContaining("does not prove");
        c.channel.finishAndReleaseAll();
        Client d = new Client(Credentials.proving(NAME, KEY));
        d.in(WireFrame.CHALLENGE, NONCE);
        d.in(WireFrame.AUTH_OK, NAME);
        assertThat(d.result).as("no proof").isCompletedExceptionally();
        d.channel.finishAndReleaseAll();
    }

    @Test
    void bothOverASocket() {
        try (TestServer server =
                        new TestServer(Configs.config(), MEMBERS, NamingDirectory.empty(), Recorder::new, null);
                WireClient client = WireClient.open()) {
            WireConnection in = client.connect(
                            server.addresses(), Credentials.proving(NAME, KEY), ClientOptions.DEFAULT, Recorder::new)
                    .join();
            assertThat(in.user()).isEqualTo(NAME);
            assertThatThrownBy(() -> client.connect(
                                    server.addresses(),
                                    Credentials.proving(NAME, ANOTHER),
                                    ClientOptions.DEFAULT,
                                    Recorder::new)
                            .join())
                    .hasMessageContaining("different secrets");
        }
    }
}
