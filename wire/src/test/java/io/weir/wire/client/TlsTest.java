package io.weir.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.wire.Configs;
import io.weir.wire.Connected;
import io.weir.wire.FrameHandler;
import io.weir.wire.Recorder;
import io.weir.wire.TestServer;
import io.weir.wire.WireConnection;
import io.weir.wire.login.Credentials;
import io.weir.wire.naming.NamingDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weirs://}. */
@Tag("slow")
final class TlsTest {
    private static @Nullable X509Bundle authority;
    private static @Nullable SslContext context;

    @TempDir
    @Nullable
    Path folder;

    @BeforeAll
    static void certificates() throws Exception {
        X509Bundle ca = new CertificateBuilder()
                .subject("CN=test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle server = new CertificateBuilder()
                .subject("CN=server")
                .addSanIpAddress("127.0.0.1")
                .buildIssuedBy(ca);
        authority = ca;
        context = SslContextBuilder.forServer(server.toKeyManagerFactory())
                .sslProvider(SslProvider.JDK)
                .build();
    }

    private Path trusted() throws Exception {
        Path file = java.util.Objects.requireNonNull(folder).resolve("ca.pem");
        Files.writeString(file, java.util.Objects.requireNonNull(authority).getCertificatePEM());
        return file;
    }

    private static TestServer server() {
        return new TestServer(Configs.config(), TestServer.ANNA, NamingDirectory.empty(), Recorder::new, context);
    }

    @Test
    void framesGoThroughTls() throws Exception {
        try (TestServer server = server();
                WireClient client = WireClient.open()) {
            Recorder c = Connected.connect(
                    client, server, new Credentials("anna", "secret"), ClientOptions.DEFAULT.withTls(trusted()));
            c.send(Recorder.ECHO, 1, "x".repeat(100_000));
            assertThat(c.next().payload()).hasSize(100_000);
            c.connection.close();
            assertThat(c.cause()).isNull();
        }
    }

    @Test
    void whoSaidGoodbyeSeesTheEndWhenWhatTheConnectionHeldIsFree() throws Exception {
        CompletableFuture<Recorder> made = new CompletableFuture<>();
        Function<WireConnection, FrameHandler> service = c -> {
            Recorder r = new Recorder(c);
            r.freeing = Duration.ofMillis(100);
            made.complete(r);
            return r;
        };
        try (TestServer server =
                        new TestServer(Configs.config(), TestServer.ANNA, NamingDirectory.empty(), service, context);
                WireClient client = WireClient.open()) {
            Recorder c = Connected.connect(
                    client, server, new Credentials("anna", "secret"), ClientOptions.DEFAULT.withTls(trusted()));
            Recorder s = made.get(3, TimeUnit.MINUTES);
            var freedAtTheEnd = c.closed.thenApply(_ -> s.freed);
            c.connection.close(Duration.ofSeconds(60));
            assertThat(freedAtTheEnd.get(3, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void whoComesWithoutTlsIsToldHowToComeWith() {
        try (TestServer server = server();
                WireClient client = WireClient.open()) {
            assertThatThrownBy(() -> Connected.connect(client, server, Credentials.NONE, ClientOptions.DEFAULT))
                    .hasStackTraceContaining("; if its listener has TLS, use weirs:// instead of weir://");
        }
    }

    @Test
    void anUntrustedServerIsRefused() {
        try (TestServer server = server();
                WireClient client = WireClient.open()) {
            assertThatThrownBy(() ->
                            Connected.connect(client, server, Credentials.NONE, ClientOptions.DEFAULT.withTls(null)))
                    .rootCause()
                    .isInstanceOfAny(SSLException.class, java.security.cert.CertPathBuilderException.class);
        }
    }

    @Test
    void trustThatCannotBeReadIsSaid() {
        try (TestServer server = server();
                WireClient client = WireClient.open()) {
            assertThatThrownBy(() -> Connected.connect(
                            client,
                            server,
                            Credentials.NONE,
                            ClientOptions.DEFAULT.withTls(Path.of("/nonexistent/ca.pem"))))
                    .hasMessageContaining("/nonexistent/ca.pem");
        }
    }
}
