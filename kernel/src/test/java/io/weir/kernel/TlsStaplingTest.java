package io.weir.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OCSP stapling between {@code openssl ocsp} as the responder and {@code openssl s_client -status} as the client. */
class TlsStaplingTest {
    private static final String GOOD = "OCSP Response Status: successful";

    @TempDir
    Path folder;

    private TestAuthority authority;
    private TlsConfig.Certificate certificate;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
        certificate = authority.pem("a.example");
        // who answers for a certificate is known by its issuer's key
        Files.writeString(
                Path.of(String.valueOf(certificate.files().chainFile())),
                Files.readString(Path.of(authority.file())),
                StandardOpenOption.APPEND);
    }

    private String asked(Listener l) throws Exception {
        return Openssl.client(l.address(), "-status", "-servername", "a.example");
    }

    private static long updates(TestKernel k, String outcome) {
        return k.stats.value(KernelStats.TLS_OCSP, "secure", outcome);
    }

    private void says(String state) throws Exception {
        String serial = authority.serial("a.example").toString(16).toUpperCase(Locale.ROOT);
        String even = serial.length() % 2 == 0 ? serial : "0" + serial;
        String revoked = state.equals("R") ? "250101000000Z" : "";
        Files.writeString(
                folder.resolve("index.txt"),
                state + "\t491231235959Z\t" + revoked + "\t" + even + "\tunknown\t/CN=a.example\n");
    }

    /** A responder on a free port, which the system chose and the command tells. */
    private final class Responder implements AutoCloseable {
        private final Process process;
        final String url;

        Responder() throws Exception {
            process = new ProcessBuilder(
                            "openssl",
                            "ocsp",
                            "-index",
                            "index.txt",
                            "-port",
                            "0",
                            "-rsigner",
                            "ca.pem",
                            "-rkey",
                            "ca.key",
                            "-CA",
                            "ca.pem",
                            "-nmin",
                            "60")
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            Matcher m =
                    Pattern.compile("ACCEPT .*:(\\d+)").matcher(Openssl.readUntil(process, l -> l.contains("ACCEPT")));
            assertThat(m.find()).isTrue();
            url = "http://127.0.0.1:" + m.group(1);
        }

        void stop() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void anAnswerIsFetchedShownAndRenewedAndAResponderThatIsGoneIsNoHarm() throws Exception {
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        says("V");
        try (TestKernel k = new TestKernel(clock, Map.of());
                Responder responder = new Responder()) {
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.with(
                            TlsConfig.Provider.BORINGSSL,
                            List.of("tls.stapling.enabled=on", "tls.stapling.responder=" + responder.url),
                            certificate),
                    k.echo);
            Await.until("asked by the watch", () -> k.stats.sum(KernelStats.TLS_OCSP) == 1);
            assertThat(updates(k, "fetched")).as("%s", k.log.entries()).isOne();
            assertThat(asked(l)).contains(GOOD).contains("Cert Status: good");
            assertThat(l.certificates().getFirst().stapling().until()).isGreaterThan(clock.millis());
            assertThat(k.stats.value(KernelStats.TLS_STAPLED, "secure")).isOne();

            clock.step(Duration.ofMinutes(31));
            TestAuthority.tls(l).look();
            Await.until("renewed before it ran out", () -> updates(k, "fetched") == 2);

            responder.stop();
            clock.step(Duration.ofMinutes(20));
            assertThat(l.reloadCertificates().failure()).isNull();
            TestAuthority.tls(l).look();
            Await.until("failed", () -> updates(k, "failed") >= 1);
            assertThat(k.log.count(KernelMessages.OCSP_FAILED)).isPositive();
            assertThat(asked(l)).as("the old one is good still").contains(GOOD);
            clock.step(Duration.ofHours(2));
            assertThat(asked(l)).contains("OCSP response: no response sent").contains("hello");
        }
    }

    @Test
    void anAnswerOfAFileIsShownAndOneThatRevokesIsNot() throws Exception {
        says("V");
        Path answer = folder.resolve("a.ocsp");
        sign(answer);
        TlsConfig.Certificate with = new TlsConfig.Certificate(certificate.files(), answer.toString());
        try (TestKernel k = new TestKernel()) {
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.listener(TlsConfig.Provider.BORINGSSL, with, authority.pem("b.example")),
                    k.echo);
            Await.until("read by the watch", () -> k.stats.sum(KernelStats.TLS_OCSP) == 1);
            assertThat(updates(k, "read")).as("%s", k.log.entries()).isOne();
            assertThat(asked(l)).contains("Cert Status: good");
            says("R");
            sign(answer);
            TestAuthority.tls(l).look();
            Await.until("refused", () -> updates(k, "failed") == 1);
            assertThat(asked(l)).as("the last good one").contains("Cert Status: good");
        }
    }

    private void sign(Path answer) throws Exception {
        Openssl.run(
                folder,
                "ocsp",
                "-index",
                "index.txt",
                "-rsigner",
                "ca.pem",
                "-rkey",
                "ca.key",
                "-CA",
                "ca.pem",
                "-issuer",
                "ca.pem",
                "-serial",
                "0x" + authority.serial("a.example").toString(16),
                "-nmin",
                "60",
                "-noverify",
                "-respout",
                answer.toString());
    }

    @Test
    void theJdksProviderSaysThatItCannot() throws Exception {
        try (TestKernel k = new TestKernel()) {
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.with(TlsConfig.Provider.JDK, List.of("tls.stapling.enabled=on"), certificate),
                    k.echo);
            assertThat(k.log.count(KernelMessages.TLS_NO_STAPLING)).isOne();
            assertThat(asked(l)).contains("OCSP response: no response sent").contains("hello");
        }
    }
}
