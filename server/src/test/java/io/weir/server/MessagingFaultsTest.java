package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.start.ServerParts;
import io.weir.server.users.QuickRealm;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import jakarta.jms.JMSContext;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers and broken clients do to the messaging listener of the assembled server; others go on undisturbed. */
@Tag("slow")
final class MessagingFaultsTest {
    @TempDir
    private Path dir = Path.of("");

    private final List<Server> started = new ArrayList<>();
    private final WireClient client = WireClient.open();

    private InetSocketAddress start(String listeners, String... sets) throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), "listeners:\n  " + listeners + """

                messaging:
                  queues: {demo: {}}
                """);
        List<String> all = new ArrayList<>(List.of("server.data-dir=" + dir, "admin.enabled=off"));
        all.addAll(List.of(sets));
        LoadedConfig loaded = new ConfigLoader(file, all, null).load();
        assertThat(loaded.problems()).isEmpty();
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Server server = Server.start(new ServerParts(loaded, dir, SystemClock.INSTANCE, nowhere, "test"));
        started.add(server);
        return server.listeners().getFirst().address();
    }

    @AfterEach
    void stop() {
        client.close();
        started.forEach(Server::stop);
    }

    private static void works(InetSocketAddress at, @Nullable String user, @Nullable String password) {
        WeirConnectionFactory factory = new WeirConnectionFactory("weir://127.0.0.1:" + at.getPort());
        try (JMSContext context = user == null ? factory.createContext() : factory.createContext(user, password)) {
            context.createProducer().send(context.createQueue("demo"), "fine");
            assertThat(context.createConsumer(context.createQueue("demo")).receiveBody(String.class, 10_000))
                    .isEqualTo("fine");
        }
    }

    private Object login(InetSocketAddress at, Credentials who, ClientOptions options) {
        return client.connect(List.of(new WireUrl.Address("127.0.0.1", at.getPort())), who, options, c -> new Quiet())
                .<Object>handle((connection, failure) -> {
                    if (connection != null) {
                        connection.close();
                        return connection;
                    }
                    return failure instanceof WireFault f ? f.reason() : failure;
                })
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private static final class Quiet implements FrameHandler {
        @Override
        public void frame(int type, int stream, ByteBuf payload) {
            // nothing is asked, so nothing comes
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            // nothing to let go of
        }
    }

    @Test
    void aBrowserIsToldThatThisIsNoHttp() throws Exception {
        InetSocketAddress at = start("m: {port: 0, protocol: weir}");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort())) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).contains("a frame of 1195725856 bytes; allowed are 5 to 4096");
            }
        }
        works(at, null, null);
    }

    @Test
    void aStormOfWrongPasswordsLocksThatNameAndNoOther() throws Exception {
        QuickRealm.of(dir).set("anna", "secret".toCharArray(), List.of());
        QuickRealm.of(dir).set("bert", "secret".toCharArray(), List.of());
        InetSocketAddress at = start(
                "m: {port: 0, protocol: weir}",
                "messaging.wire.logins.failures-per-user=2",
                "messaging.wire.logins.forgive-after=1h");
        ClientOptions options = ClientOptions.DEFAULT;
        assertThat(login(at, new Credentials("anna", "guess1"), options)).isEqualTo(Reason.AUTHENTICATION);
        assertThat(login(at, new Credentials("anna", "guess2"), options)).isEqualTo(Reason.AUTHENTICATION);
        assertThat(login(at, new Credentials("anna", "secret"), options)).isEqualTo(Reason.LOGIN_STORM);
        works(at, "bert", "secret");
    }

    @Test
    void overTlsTheSameIsSpoken() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle server = new CertificateBuilder()
                .subject("CN=server")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(authority);
        Path chain = Files.writeString(dir.resolve("chain.pem"), server.getCertificatePathPEM());
        Path key = Files.writeString(dir.resolve("key.pem"), server.getPrivateKeyPEM());
        Path trusted = Files.writeString(dir.resolve("ca.pem"), authority.getCertificatePEM());
        InetSocketAddress at = start("m: {port: 0, protocol: weir, tls: {certificates: [{chain-file: " + chain
                + ", key-file: " + key + "}]}}");
        assertThat(login(at, Credentials.NONE, ClientOptions.DEFAULT.withTls(trusted)))
                .isInstanceOf(WireConnection.class);
    }
}
