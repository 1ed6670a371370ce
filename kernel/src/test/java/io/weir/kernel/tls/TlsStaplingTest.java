package io.weir.kernel.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.kernel.Await;
import io.weir.kernel.TestKernel;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OCSP stapling between {@code openssl ocsp} as the responder and {@code openssl s_client -status} as the client. */
@Tag("slow")
class TlsStaplingTest {
    private static final String GOOD = "OCSP Response Status: successful";

    @TempDir
    Path folder;

    private TestAuthority authority;
    private TlsConfig.Certificate certificate;

    @BeforeEach
    void authority() throws Exception {
        authority = new TestAuthority(folder);
        certificate = withIssuer(authority.pem("a.example"));
    }

    /** Who answers for a certificate is known by its issuer's key. */
    private TlsConfig.Certificate withIssuer(TlsConfig.Certificate c) throws IOException {
        Files.writeString(
                Path.of(String.valueOf(c.files().chainFile())),
                Files.readString(Path.of(authority.file())),
                StandardOpenOption.APPEND);
        return c;
    }

    private String asked(Listener l) throws Exception {
        return Openssl.client(l.address(), "-status", "-servername", "a.example");
    }

    private static long updates(TestKernel k, String outcome) {
        return k.stats.value(KernelStats.TLS_OCSP, "secure", outcome);
    }

    private void says(String state) throws Exception {
        says(state, "a.example");
    }

    private void says(String state, String... names) throws Exception {
        StringBuilder index = new StringBuilder();
        for (String name : names) {
            String serial = authority.serial(name).toString(16).toUpperCase(Locale.ROOT);
            String even = serial.length() % 2 == 0 ? serial : "0" + serial;
            String revoked = state.equals("R") ? "250101000000Z" : "";
            index.append(state + "\t491231235959Z\t" + revoked + "\t" + even + "\tunknown\t/CN=" + name + "\n");
        }
        Files.writeString(folder.resolve("index.txt"), index);
    }

    /** A responder on a free port, which the system chose and the command prints. */
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
            TestAuthority.tls(l).maintain();
            Await.until("renewed before it ran out", () -> updates(k, "fetched") == 2);

            responder.stop();
            clock.step(Duration.ofMinutes(20));
            assertThat(l.reloadCertificates().failure()).isNull();
            TestAuthority.tls(l).maintain();
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
            TestAuthority.tls(l).maintain();
            Await.until("refused", () -> updates(k, "failed") == 1);
            assertThat(asked(l)).as("the last good one").contains("Cert Status: good");
        }
    }

    private void sign(Path answer) throws Exception {
        sign(answer, "a.example", "ca");
    }

    /** An answer for the name's certificate, by the holder of this key. */
    private void sign(Path answer, String name, String signer) throws Exception {
        String serial = "0x" + authority.serial(name).toString(16);
        List<String> command =
                new ArrayList<>(List.of("ocsp", "-index", "index.txt", "-CA", "ca.pem", "-issuer", "ca.pem"));
        command.addAll(List.of("-rsigner", signer + ".pem", "-rkey", signer + ".key", "-serial", serial));
        Path written = folder.resolve("written.ocsp");
        command.addAll(List.of("-nmin", "60", "-noverify", "-respout", written.toString()));
        Openssl.run(folder, command.toArray(String[]::new));
        put(written, answer);
    }

    /** Whole at once: the watch must not find half of it. */
    private static void put(Path written, Path answer) throws IOException {
        Files.move(written, answer, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void anAnswerThatAClientWouldNotBelieveIsNotShown() throws Exception {
        Path answer = folder.resolve("a.ocsp");
        TlsConfig.Certificate with = new TlsConfig.Certificate(certificate.files(), answer.toString());
        authority.pem("other.example");
        says("V", "a.example", "other.example");
        Files.writeString(answer, "no answer at all");
        SteppedClock clock = new SteppedClock(SystemClock.INSTANCE.millis());
        try (TestKernel k = new TestKernel(clock, Map.of())) {
            Listener l = k.kernel.open("secure", TestAuthority.listener(TlsConfig.Provider.BORINGSSL, with), k.echo);
            fails(k, l, 1);
            sign(answer, "other.example", "ca");
            fails(k, l, 2);
            sign(answer, "a.example", "other.example");
            fails(k, l, 3);
            assertThat(asked(l)).contains("OCSP response: no response sent").contains("hello");
            sign(answer);
            byte[] good = Files.readAllBytes(answer);
            TestAuthority.tls(l).maintain();
            Await.until("read", () -> updates(k, "read") == 1);
            assertThat(asked(l)).contains("Cert Status: good");
            Files.delete(answer);
            clock.step(Duration.ofHours(2));
            fails(k, l, 4);
            put(Files.write(folder.resolve("written.ocsp"), good), answer);
            fails(k, l, 5);
            assertThat(asked(l)).as("it is over").contains("OCSP response: no response sent");
        }
    }

    private static void fails(TestKernel k, Listener l, long times) {
        TestAuthority.tls(l).maintain();
        Await.until("refused", () -> updates(k, "failed") == times);
    }

    @Test
    void theResponderThatTheCertificateNamesIsAsked() throws Exception {
        Path answer = folder.resolve("a.ocsp");
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        http.createContext("/ocsp", e -> {
            asked.add(e.getRequestMethod() + " " + e.getRequestHeaders().getFirst("Content-Type"));
            byte[] bytes = Files.readAllBytes(answer);
            e.sendResponseHeaders(200, bytes.length);
            e.getResponseBody().write(bytes);
            e.close();
        });
        http.start();
        String url = "http://127.0.0.1:" + http.getAddress().getPort() + "/ocsp";
        certificate = withIssuer(authority.responding(url, "a.example"));
        says("V");
        sign(answer);
        try (TestKernel k = new TestKernel()) {
            Listener l = k.kernel.open(
                    "secure",
                    TestAuthority.with(TlsConfig.Provider.BORINGSSL, List.of("tls.stapling.enabled=on"), certificate),
                    k.echo);
            Await.until("asked by the watch", () -> k.stats.sum(KernelStats.TLS_OCSP) == 1);
            assertThat(asked).containsExactly("POST application/ocsp-request");
            assertThat(asked(l)).as("%s", k.log.entries()).contains("Cert Status: good");
        } finally {
            http.stop(0);
        }
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
