package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.Configs;
import io.weir.kernel.TestKernel;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class OriginTlsTest {
    @TempDir
    Path folder;

    private TestAuthority authority;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
    }

    /** The handshake's future has the cause of a failure. */
    private static final class Quiet extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }

    /** Shakes hands with the listener as an origin of that name; returns what ALPN agreed on. */
    private static String shake(TestKernel k, Listener to, OriginTls tls, String host) throws Exception {
        Channel c = new Bootstrap()
                .group(k.kernel.muxers().get(0).eventLoop())
                .channelFactory(k.kernel.choice().transport().client())
                .handler(new Quiet())
                .connect(to.address())
                .sync()
                .channel();
        try {
            SslHandler handler = tls.handler(c, host, 443, Duration.ofSeconds(20));
            c.pipeline().addFirst(handler);
            handler.handshakeFuture().get(3, TimeUnit.MINUTES);
            return handler.applicationProtocol();
        } finally {
            c.close().sync();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void originIsVerifiedAgainstTrustFileAndName(String provider) throws Exception {
        OriginTlsConfig trusting =
                Configs.bind(OriginTlsConfig.class, "trust-file=" + authority.file(), "provider=" + provider);
        OriginTlsConfig unknowing = Configs.bind(OriginTlsConfig.class, "provider=" + provider);
        try (TestKernel k = new TestKernel();
                OriginTls good = k.kernel.connecting("origins", trusting);
                OriginTls noTrust = k.kernel.connecting("origins", unknowing)) {
            Listener l = k.kernel.open(
                    "origin",
                    TestAuthority.listener(
                            TlsConfig.Provider.AUTO, authority.pem("a.example"), authority.pem("b.example")),
                    k.echo);
            assertThat(shake(k, l, good, "a.example")).isEqualTo("http/1.1");
            assertThat(shake(k, l, good, "b.example")).isEqualTo("http/1.1");
            // With TLS 1.3 the client is done first.
            Await.until("both arrived", () -> k.echo.connections().size() == 2);
            assertThat(k.echo.connections()).extracting(Connection::sni).containsExactly("a.example", "b.example");
            // Right authority, wrong name.
            assertThatThrownBy(() -> shake(k, l, good, "c.example"))
                    .isInstanceOf(ExecutionException.class)
                    .satisfies(e -> assertThat(TlsCause.of(e)).isEqualTo(TlsCause.CERTIFICATE_NAME));
            // Right name, unknown authority.
            assertThatThrownBy(() -> shake(k, l, noTrust, "a.example"))
                    .isInstanceOf(ExecutionException.class)
                    .satisfies(e -> assertThat(TlsCause.of(e)).isEqualTo(TlsCause.CERTIFICATE_INVALID));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void verificationIsOnlyOffWhenToldAndSaysSo(String provider) throws Exception {
        OriginTlsConfig off = Configs.bind(OriginTlsConfig.class, "verify=off", "provider=" + provider);
        try (TestKernel k = new TestKernel();
                OriginTls tls = k.kernel.connecting("origins", off)) {
            Listener l = k.kernel.open(
                    "origin", TestAuthority.listener(TlsConfig.Provider.AUTO, authority.pem("a.example")), k.echo);
            assertThat(shake(k, l, tls, "anything.example")).isEqualTo("http/1.1");
            assertThat(k.log.count(KernelMessages.TLS_UNVERIFIED)).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boringssl", "jdk"})
    void changedTrustIsFoundWithinTheIntervalAndABrokenOneChangesNothing(String provider) throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        Path trust = folder.resolve("trust.pem");
        Path other = Files.createDirectory(folder.resolve("elsewhere"));
        Files.copy(Path.of(new TestAuthority(other).file()), trust);
        TlsConfig.Certificate own = authority.pem("weir.example");
        OriginTlsConfig config = Configs.bind(
                OriginTlsConfig.class,
                "trust-file=" + trust,
                "provider=" + provider,
                "certificate.chain-file=" + own.files().chainFile(),
                "certificate.key-file=" + own.files().keyFile());
        try (TestKernel k = new TestKernel(clock, Map.of());
                OriginTls tls = k.kernel.connecting("origins", config)) {
            Listener l = k.kernel.open(
                    "origin", TestAuthority.listener(TlsConfig.Provider.AUTO, authority.pem("a.example")), k.echo);
            assertThatThrownBy(() -> shake(k, l, tls, "a.example"))
                    .satisfies(e -> assertThat(TlsCause.of(e)).isEqualTo(TlsCause.CERTIFICATE_INVALID));
            Files.copy(Path.of(authority.file()), trust, StandardCopyOption.REPLACE_EXISTING);
            tls.maintain();
            assertThat(k.stats.sum(KernelStats.TLS_RELOADS)).as("not yet").isZero();
            clock.step(Duration.ofSeconds(10));
            tls.maintain();
            assertThat(k.stats.value(KernelStats.TLS_RELOADS, "origins", "done"))
                    .isOne();
            assertThat(tls.loaded().changes()).containsExactly(trust + " was written");
            assertThat(shake(k, l, tls, "a.example")).isEqualTo("http/1.1");
            Files.writeString(trust, "nothing");
            for (int i = 0; i < 3; i++) {
                clock.step(Duration.ofSeconds(10));
                tls.maintain();
            }
            assertThat(k.stats.value(KernelStats.TLS_RELOADS, "origins", "failed"))
                    .isOne();
            assertThat(shake(k, l, tls, "a.example")).isEqualTo("http/1.1");
            assertThat(tls.certificates()).hasSize(1).allMatch(c -> c.names().contains("weir.example"));
            assertThat(k.stats.value(
                            KernelStats.TLS_EXPIRY, "origins", own.files().place()))
                    .isPositive();
            assertThat(k.kernel.certificateOwners())
                    .extracting(CertificateOwner::owner)
                    .containsExactly("origins", "origin");
        }
    }

    @Test
    void ciphersOfNoVersionOnOfferAreRefused() throws Exception {
        OriginTlsConfig config =
                Configs.bind(OriginTlsConfig.class, "protocols.0=TLSv1.2", "ciphers.0=TLS_AES_128_GCM_SHA256");
        try (TestKernel k = new TestKernel()) {
            assertThatThrownBy(() -> k.kernel.connecting("origins", config))
                    .isInstanceOf(TlsFault.class)
                    .hasMessageContaining("is for TLSv1.2, the only versions in protocols");
        }
    }

    @Test
    void missingTrustFileIsNamed() throws Exception {
        OriginTlsConfig config = Configs.bind(OriginTlsConfig.class, "trust-file=/nowhere/ca.pem");
        try (TestKernel k = new TestKernel()) {
            assertThatThrownBy(() -> k.kernel.connecting("origins", config))
                    .isInstanceOf(TlsFault.class)
                    .hasMessageContaining("/nowhere/ca.pem does not exist");
        }
    }
}
