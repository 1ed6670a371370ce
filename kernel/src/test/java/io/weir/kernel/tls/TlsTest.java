package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weir.base.Log;
import io.weir.base.RecordingLog;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class TlsTest {
    @TempDir
    Path folder;

    private TestAuthority authority;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
    }

    private static Listener open(TestKernel k, ListenerConfig config) throws BindFailure {
        return k.kernel.open("secure", config, k.echo);
    }

    private TlsConfig.Certificate[] several(int n) throws Exception {
        TlsConfig.Certificate[] all = new TlsConfig.Certificate[n];
        for (int i = 0; i < n; i++) {
            all[i] = authority.pem("a" + i + ".example");
        }
        return all;
    }

    private long failures(TestKernel k, TlsCause cause) {
        return k.stats.value(KernelStats.TLS_FAILURES, "secure", cause.label());
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void bothProvidersSpeakBothVersionsWithAlpnAndSni(TlsConfig.Provider provider, String version) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, TestAuthority.listener(provider, authority.pem("a.example")));
            k.echo.answerWith(c -> " " + c.sni() + " " + c.alpn() + " " + c.secure());
            try (SSLSocket s = TestAuthority.connect(authority.context(), l.address(), "a.example", version);
                    LineClient c = new LineClient(s)) {
                assertThat(s.getSession().getProtocol()).isEqualTo(version);
                assertThat(c.ask("hello")).isEqualTo("hello a.example http/1.1 true");
                assertThat(c.ask("again")).startsWith("again");
            }
            assertThat(k.stats.value(KernelStats.TLS_HANDSHAKES, "secure", version))
                    .isOne();
            assertThat(k.log.count(KernelMessages.TLS_FALLBACK)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void sniPicksTheCertificate(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(
                    k,
                    TestAuthority.listener(
                            provider,
                            authority.pem("a.example"),
                            authority.pkcs12("secret", "b.example", "c.example")));
            k.echo.answerWith(c -> " " + c.sni());
            SSLContext context = authority.context();
            // The client checks the name itself: a wrong certificate fails the handshake.
            for (String name : List.of("a.example", "b.example", "c.example", "B.Example")) {
                try (SSLSocket s = TestAuthority.connect(context, l.address(), name);
                        LineClient c = new LineClient(s)) {
                    assertThat(c.ask("hi")).isEqualToIgnoringCase("hi " + name);
                }
            }
            // An unknown name gets the first certificate, which the client then refuses.
            assertThatThrownBy(() -> TestAuthority.connect(context, l.address(), "other.example"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("other.example");
            Await.until("refusal counted", () -> failures(k, TlsCause.CERTIFICATE_REFUSED) == 1);
        }
    }

    @Test
    void wildcardStandsForOneLabel() throws Exception {
        KeyMaterial m = KeyMaterial.load(authority.pem("a.example").files());
        SslContext first = SslContextBuilder.forServer(m.key(), m.chain())
                .sslProvider(SslProvider.JDK)
                .build();
        SslContext wild = SslContextBuilder.forServer(m.key(), m.chain())
                .sslProvider(SslProvider.JDK)
                .build();
        SniCertificates certificates = new SniCertificates(List.of(
                new SniCertificates.Entry(first, Set.of("a.example")),
                new SniCertificates.Entry(wild, Set.of("*.c.example"))));
        assertThat(certificates.map("x.C.example")).isSameAs(wild);
        assertThat(certificates.map("x.y.c.example")).isSameAs(first);
        assertThat(certificates.map("c.example")).isSameAs(first);
        assertThat(certificates.map(null)).isSameAs(first);
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL,TLSv1.2", "BORINGSSL,TLSv1.3", "JDK,TLSv1.2", "JDK,TLSv1.3"})
    void sessionsResume(TlsConfig.Provider provider, String version) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, TestAuthority.listener(provider, authority.pem("a.example")));
            SSLContext context = authority.context();
            long first;
            try (SSLSocket s = TestAuthority.connect(context, l.address(), "a.example", version);
                    LineClient c = new LineClient(s)) {
                first = s.getSession().getCreationTime();
                c.ask("hello");
            }
            Await.until("the clock moved on", () -> SystemClock.INSTANCE.millis() > first + 5);
            try (SSLSocket s = TestAuthority.connect(context, l.address(), "a.example", version);
                    LineClient c = new LineClient(s)) {
                assertThat(s.getSession().getCreationTime()).isEqualTo(first);
                assertThat(c.ask("hello")).isEqualTo("hello");
            }
        }
    }

    @Test
    void oldVersionIsRefusedWhenOnlyTheNewOneIsOffered() throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(
                    k,
                    TestAuthority.listener(
                            TlsConfig.Provider.AUTO, List.of(TlsConfig.Version.TLS_1_3), authority.pem("a.example")));
            assertThatThrownBy(() -> TestAuthority.connect(authority.context(), l.address(), "a.example", "TLSv1.2"))
                    .isInstanceOf(IOException.class);
            Await.until("counted", () -> failures(k, TlsCause.NO_COMMON_PROTOCOL) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void versionsThatNobodyShouldSpeakAreRefused(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, TestAuthority.listener(provider, authority.pem("a.example")));
            String weak = "ALL:@SECLEVEL=0";
            assertThat(Openssl.talk(l.address(), "hello", "never", "-tls1_1", "-cipher", weak))
                    .doesNotContain("hello\n");
            Await.until("counted", () -> failures(k, TlsCause.NO_COMMON_PROTOCOL) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsConfig.Provider.class,
            names = {"BORINGSSL", "JDK"})
    void onlyCiphersOfTheListAreSpoken(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            List<String> one = List.of("tls.ciphers.0=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
            Listener l = open(k, TestAuthority.with(provider, one, authority.pem("a.example")));
            assertThat(Openssl.client(l.address(), "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"))
                    .contains("Cipher is ECDHE-ECDSA-AES128-GCM-SHA256", "hello\n");
            String other = "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305";
            assertThat(Openssl.talk(l.address(), "hello", "never", "-tls1_2", "-cipher", other))
                    .doesNotContain("hello\n");
            Await.until("counted", () -> failures(k, TlsCause.NO_COMMON_CIPHER) == 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void plaintextOnATlsPortIsCountedAndClosed(int certificates) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, several(certificates)));
            try (LineClient c = LineClient.to(l)) {
                c.send("GET / HTTP/1.1\r\nHost: a\r\n\r");
                assertThat(c.end()).isNotEqualTo("open");
            }
            Await.until("counted", () -> failures(k, TlsCause.PLAINTEXT) == 1);
            Await.until("closed", () -> k.kernel.connections() == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,false", "2,false", "1,true", "2,true"})
    void slowClientIsResetAfterTheHandshakeTimeOut(int certificates, boolean begins) throws Exception {
        try (TestKernel k = new TestKernel("time-outs.tls-handshake=200ms")) {
            Listener l = open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, several(certificates)));
            try (LineClient c = LineClient.to(l)) {
                if (begins) {
                    // The first bytes of a record with a client's hello, and then nothing.
                    c.socket().getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1, 0});
                }
                assertThat(c.end()).isEqualTo("reset");
            }
            Await.until("counted", () -> failures(k, TlsCause.TIMEOUT) == 1);
            assertThat(k.stats.value(KernelStats.ACCEPT_TIMEOUTS)).isZero();
        }
    }

    @Test
    void aHelloThatComesByteByByteHasNoMoreTime() throws Exception {
        try (TestKernel k = new TestKernel("time-outs.tls-handshake=200ms")) {
            Listener l = open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, authority.pem("a.example")));
            try (LineClient c = LineClient.to(l)) {
                // a hello of 16,000 bytes, which would last for minutes
                c.socket().getOutputStream().write(new byte[] {22, 3, 1, 0x3e, (byte) 0x84, 1, 0, 0x3e, (byte) 0x80});
                for (int i = 0; failures(k, TlsCause.TIMEOUT) == 0; i++) {
                    assertThat(i).isLessThan(8000);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                    c.socket().getOutputStream().write(0);
                }
                assertThat(c.end()).isEqualTo("reset");
            } catch (SocketException e) {
                // reset while it wrote
                assertThat(failures(k, TlsCause.TIMEOUT)).isOne();
            }
            Await.until("nothing is held", () -> k.kernel.connections() == 0);
        }
    }

    @Test
    void afterTheHandshakeTheAcceptTimeOutCounts() throws Exception {
        try (TestKernel k = new TestKernel("accept-time-out=300ms", "time-outs.tls-handshake=20s")) {
            Listener l = open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, authority.pem("a.example")));
            try (SSLSocket s = TestAuthority.connect(authority.context(), l.address(), "a.example");
                    LineClient c = new LineClient(s)) {
                assertThat(c.end()).isEqualTo("closed");
            }
            assertThat(k.stats.value(KernelStats.ACCEPT_TIMEOUTS)).isOne();
        }
    }

    @Test
    void missingFileIsNamedWithARemedy() throws Exception {
        try (TestKernel k = new TestKernel()) {
            TlsConfig.Certificate missing = new TlsConfig.Certificate(
                    new CertificateFiles(folder.resolve("no.pem").toString(), "no.key", null, null), null);
            assertThatThrownBy(() -> open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, missing)))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("channel \"secure\"")
                    .hasMessageContaining("no.key does not exist")
                    .hasMessageContaining("Correct the path");
        }
    }

    @Test
    void keyOfAnotherCertificateIsFoundAtTheStart() throws Exception {
        try (TestKernel k = new TestKernel()) {
            TlsConfig.Certificate a = authority.pem("a.example");
            TlsConfig.Certificate b = authority.pem("b.example");
            TlsConfig.Certificate mixed = new TlsConfig.Certificate(
                    new CertificateFiles(a.files().chainFile(), b.files().keyFile(), null, null), null);
            assertThatThrownBy(() -> open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, mixed)))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining(String.valueOf(b.files().keyFile()))
                    .hasMessageContaining(
                            "does not belong to the certificate in " + a.files().chainFile());
        }
    }

    @Test
    void wrongPasswordIsSaidWithoutPrintingIt() throws Exception {
        try (TestKernel k = new TestKernel()) {
            TlsConfig.Certificate good = authority.pkcs12("right-one", "a.example");
            TlsConfig.Certificate bad = new TlsConfig.Certificate(
                    new CertificateFiles(null, null, good.files().pkcs12(), "wrong-one"), null);
            assertThatThrownBy(() -> open(k, TestAuthority.listener(TlsConfig.Provider.AUTO, bad)))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("a.example.p12")
                    .hasMessageContaining("password")
                    .hasMessageNotContaining("wrong-one");
        }
    }

    @Test
    void encryptedKeyIsReadWithItsPasswordOnly() throws Exception {
        // A throw-away key of openssl pkcs8 -topk8 -v2 aes-256-cbc; nothing is signed with it.
        String file = Files.writeString(folder.resolve("encrypted.key"), """
                        -----BEGIN ENCRYPTED PRIVATE KEY-----
                        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjHNv95FXzeWgICCAAw
                        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELbRrmU96WT/Jnu5KJ1RdXQEgZB/
                        S8S/ly2BQb8awNNENUKj/Y9h0joiuPY5Ly3O/RxKiglHx2M3E+pTZZqSXz7ZkGHk
                        jF+HKzlIQC63IDMmS8a0oPLiL9pKMWN87ZntBi786dPz6K+Uzog7a1UQ4uoI1Ql9
                        5sNG4va3EEsNqf/JW5BNrv8BLcyCSi6rkMCrb+qfbA8vMOa3tAmjSXC++Q/TWas=
                        -----END ENCRYPTED PRIVATE KEY-----
                        """).toString();
        assertThat(PemFile.key(file, "secret").getAlgorithm()).isEqualTo("EC");
        assertThatThrownBy(() -> PemFile.key(file, "guess"))
                .isInstanceOf(TlsFault.class)
                .hasMessageContaining("password");
        assertThatThrownBy(() -> PemFile.key(file, null))
                .isInstanceOf(TlsFault.class)
                .hasMessageContaining("no password is configured");
    }

    @Test
    void oldKeyFormatIsRefusedWithTheCommandThatConvertsIt() throws Exception {
        Path key = Files.writeString(
                folder.resolve("old.key"),
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
                StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> PemFile.key(key.toString(), null))
                .isInstanceOf(TlsFault.class)
                .hasMessageContaining("openssl pkcs8 -topk8");
    }

    @Test
    void jdkStandsInWithAMessageWhereBoringSslDoesNotLoad() {
        RecordingLog log = new RecordingLog();
        var chosen = TlsProviders.choose(TlsConfig.Provider.AUTO, "x", log, () -> new UnsatisfiedLinkError("none"));
        assertThat(chosen).isEqualTo(SslProvider.JDK);
        assertThat(log.count(KernelMessages.TLS_FALLBACK)).isOne();
        assertThat(TlsProviders.choose(TlsConfig.Provider.AUTO, "x", Log.NONE)).isEqualTo(SslProvider.OPENSSL_REFCNT);
    }
}
