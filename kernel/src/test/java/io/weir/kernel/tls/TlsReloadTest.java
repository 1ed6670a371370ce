package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.HalfOpen;
import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.LineClient;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates that are replaced while the listener serves. */
@Tag("slow")
class TlsReloadTest {
    @TempDir
    Path folder;

    private TestAuthority authority;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
    }

    private SSLSocket connect(Listener l) throws Exception {
        return TestAuthority.connect(authority.context(), l.address(), "a.example");
    }

    private static BigInteger serial(SSLSocket s) throws Exception {
        return ((X509Certificate) s.getSession().getPeerCertificates()[0]).getSerialNumber();
    }

    private BigInteger shown(Listener l) throws Exception {
        try (SSLSocket s = connect(l);
                LineClient c = new LineClient(s)) {
            assertThat(c.ask("hello")).isEqualTo("hello");
            return serial(s);
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL,1", "BORINGSSL,2", "JDK,1", "JDK,2"})
    void newHandshakesGetTheNewOneAndAnOpenConnectionGoesOn(TlsConfig.Provider provider, int several) throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            List<TlsConfig.Certificate> all = new ArrayList<>();
            all.add(authority.pem("a.example"));
            if (several > 1) {
                all.add(authority.pem("b.example"));
            }
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.with(provider, List.of(), all.toArray(TlsConfig.Certificate[]::new)),
                    k.echo);
            try (SSLSocket before = connect(l);
                    LineClient old = new LineClient(before)) {
                assertThat(old.ask("one")).isEqualTo("one");
                authority.pem("a.example");
                assertThat(shown(l)).as("not looked at yet").isEqualTo(serial(before));
                clock.step(Duration.ofSeconds(10));
                TestAuthority.tls(l).maintain();
                assertThat(shown(l)).isNotEqualTo(serial(before));
                assertThat(old.ask("two")).isEqualTo("two");
            }
            assertThat(k.stats.value(KernelStats.TLS_RELOADS, "secure", "done")).isOne();
            assertThat(k.log.count(KernelMessages.TLS_RELOADED)).isOne();
        }
    }

    @Test
    void aBrokenFileKeepsTheOldOneAndIsToldOnce() throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            TlsConfig.Certificate c = authority.pem("a.example");
            Listener l = k.kernel.open("secure", TestAuthority.listener(TlsConfig.Provider.AUTO, c), k.echo);
            BigInteger first = shown(l);
            Path chain = Path.of(String.valueOf(c.files().chainFile()));
            Files.writeString(chain, "-----BEGIN CERTIFICATE-----\nhalf of");
            for (int i = 0; i < 3; i++) {
                clock.step(Duration.ofSeconds(10));
                TestAuthority.tls(l).maintain();
            }
            assertThat(shown(l)).isEqualTo(first);
            assertThat(k.stats.value(KernelStats.TLS_RELOADS, "secure", "failed"))
                    .isOne();
            assertThat(k.log.count(KernelMessages.TLS_RELOAD_FAILED)).isOne();
            assertThat(l.reloadCertificates().failure()).contains(chain.toString());
            authority.pem("a.example");
            assertThat(l.reloadCertificates().failure()).isNull();
            assertThat(shown(l)).isNotEqualTo(first);
        }
    }

    @Test
    void sessionsResumeAcrossAReload() throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = k.kernel.open(
                    "secure", TestAuthority.listener(TlsConfig.Provider.BORINGSSL, authority.pem("a.example")), k.echo);
            String file = folder.resolve("session.pem").toString();
            Openssl.client(l.address(), "-sess_out", file);
            assertThat(l.reloadCertificates().failure()).isNull();
            assertThat(Openssl.client(l.address(), "-sess_in", file)).contains("Reused");
            assertThat(k.stats.value(KernelStats.TLS_TICKETS, "secure", "issued"))
                    .as("what was counted before counts on")
                    .isGreaterThan(2);
            long issued = k.stats.value(KernelStats.TLS_TICKETS, "secure", "issued");
            TestAuthority.tls(l).close();
            assertThat(k.stats.value(KernelStats.TLS_TICKETS, "secure", "issued"))
                    .as("also after the end")
                    .isEqualTo(issued);
        }
    }

    @Test
    void expiryIsShownAndWarnedOfAtThirtySevenAndOneDays() throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            TlsConfig.Certificate c = authority.pem("a.example");
            Listener l = k.kernel.open("secure", TestAuthority.listener(TlsConfig.Provider.AUTO, c), k.echo);
            assertThat(l.certificates()).hasSize(1);
            CertificateReport report = l.certificates().getFirst();
            assertThat(report.names()).containsExactly("a.example");
            long seconds = (report.notAfter() - clock.millis()) / 1000;
            assertThat(k.stats.value(KernelStats.TLS_EXPIRY, "secure", c.files().place()))
                    .isEqualTo(seconds)
                    .isGreaterThan(Duration.ofDays(31).toSeconds());
            long warned = 0;
            for (int days : new int[] {30, 7, 1}) {
                clock.step(Duration.ofMillis(report.notAfter() - clock.millis()).minusDays(days));
                TestAuthority.tls(l).maintain();
                TestAuthority.tls(l).maintain();
                assertThat(k.log.count(KernelMessages.TLS_EXPIRES)).isEqualTo(++warned);
            }
            assertThat(k.log.count(KernelMessages.TLS_EXPIRED)).isZero();
            clock.step(Duration.ofDays(2));
            TestAuthority.tls(l).maintain();
            assertThat(k.log.count(KernelMessages.TLS_EXPIRED)).isOne();
            assertThat(k.stats.value(KernelStats.TLS_EXPIRY, "secure", c.files().place()))
                    .isNegative();
        }
    }

    @Test
    void kindAndSizeOfAKeyAreTold() throws Exception {
        BigInteger modulus = BigInteger.ONE.shiftLeft(3071).add(BigInteger.ONE);
        PublicKey rsa =
                KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65537)));
        assertThat(CertificateReport.keyOf(rsa)).isEqualTo("RSA 3072");
        PublicKey ed = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic();
        assertThat(CertificateReport.keyOf(ed)).isEqualTo("EdDSA");
    }

    @Test
    void aFloodOfHandshakesIsBoundedAndEstablishedConnectionsGoOn() throws Exception {
        SteppedClock clock = new SteppedClock(0);
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.with(
                            TlsConfig.Provider.AUTO, List.of("tls.max-handshakes=2"), authority.pem("a.example")),
                    k.echo);
            try (SSLSocket s = connect(l);
                    LineClient established = new LineClient(s)) {
                assertThat(established.ask("hello")).isEqualTo("hello");
                LineClient first = LineClient.to(l);
                Await.until("one shakes hands", () -> k.stats.value(KernelStats.TLS_OPEN, "secure") == 1);
                LineClient second = LineClient.to(l);
                Await.until("both shake hands", () -> k.stats.value(KernelStats.TLS_OPEN, "secure") == 2);
                assertThat(dropped(l)).isTrue();
                assertThat(k.stats.value(KernelStats.TLS_REFUSED, "secure")).isOne();
                assertThat(established.ask("hello")).isEqualTo("hello");
                // who has kept the server waiting makes room, the first one first
                clock.step(Duration.ofNanos(HalfOpen.GRACE_NANOS));
                shown(l);
                assertThat(first.end()).isEqualTo("reset");
                assertThat(k.stats.value(KernelStats.TLS_EVICTED, "secure")).isOne();
                assertThat(established.ask("hello")).isEqualTo("hello");
                first.leave();
                second.leave();
                Await.until("their places are free", () -> k.stats.value(KernelStats.TLS_OPEN, "secure") == 0);
                shown(l);
                assertThat(k.stats.value(KernelStats.TLS_REFUSED, "secure")).isOne();
            }
        }
    }

    private static boolean dropped(Listener l) {
        try (LineClient c = LineClient.to(l)) {
            return c.end().equals("reset");
        } catch (IOException e) {
            return true; // so soon that connecting saw it
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL", "JDK"})
    void renegotiationIsRefused(TlsConfig.Provider provider) throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = k.kernel.open(
                    "secure", TestAuthority.with(provider, List.of(), authority.pem("a.example")), k.echo);
            assertThat(Openssl.talk(l.address(), "R", "never", "-tls1_2", "-legacy_renegotiation"))
                    .contains("RENEGOTIATING");
            assertThat(k.stats.sum(KernelStats.TLS_HANDSHAKES)).isOne();
            Await.until(
                    "counted",
                    () -> k.stats.value(KernelStats.TLS_FAILURES, "secure", TlsCause.RENEGOTIATION.label()) == 1);
            Await.until("closed", () -> k.kernel.connections() == 0);
        }
    }
}
