package io.weir.lab.bench.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.weir.base.SystemClock;
import io.weir.lab.scenario.Certificates;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The floors, the echo origin and the load of echoes, in this process. */
@Timeout(300)
final class ProgramsTest {
    @TempDir
    private static Path keys;

    private final Sockets sockets = new Sockets();
    private final AtomicLong echoed = new AtomicLong();

    @BeforeAll
    static void certificate() throws Exception {
        Certificates.in(keys);
        Files.copy(keys.resolve("certificate.pem"), keys.resolve("cert.pem"));
    }

    @AfterEach
    void close() {
        sockets.close();
    }

    private static int port(Channel listening) {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    private int echoOrigin() throws Exception {
        return port(sockets.listen(0, c -> c.pipeline().addLast(new EchoOrigin(echoed))));
    }

    private EchoLoad.Found echoes(EchoPlan.Manner manner, int port, boolean secure, int bytes) throws Exception {
        try (Sockets own = new Sockets()) {
            return EchoLoad.run(new EchoPlan(manner, port, secure, 1, bytes, 0, 4), own, SystemClock.INSTANCE);
        }
    }

    private static void isWhole(EchoLoad.Found found) {
        assertThat(found.refused()).isZero();
        assertThat(found.disturbed()).isZero();
        assertThat(found.units()).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "RAW, 1024",
        "RAW, 1048576",
        "WEBSOCKET, 100",
        "WEBSOCKET, 1024",
        "WEBSOCKET, 13312",
        "WEBSOCKET, 1048576"
    })
    void echoComesBackAndIsCounted(EchoPlan.Manner manner, int bytes) throws Exception {
        EchoLoad.Found found = echoes(manner, echoOrigin(), false, bytes);
        isWhole(found);
        assertThat(echoed.get()).isEqualTo(found.units() * bytes);
    }

    @Test
    void originTellsItsCount() throws Exception {
        int port = echoOrigin();
        echoes(EchoPlan.Manner.RAW, port, false, 64);
        URI count = URI.create("http://127.0.0.1:" + port + "/count");
        try (InputStream in = count.toURL().openStream()) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip())
                    .isEqualTo(String.valueOf(echoed.get()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void relayPassesEchoesBothWays(boolean secure) throws Exception {
        int origin = echoOrigin();
        Channel relay = sockets.listen(0, c -> {
            if (secure) {
                c.pipeline().addLast(tls(false).newHandler(c.alloc()));
            }
            BareRelay handler = BareRelay.to(origin);
            c.pipeline().addLast(handler);
            handler.begin(c);
        });
        isWhole(echoes(EchoPlan.Manner.RAW, port(relay), secure, 1 << 20));
        isWhole(echoes(EchoPlan.Manner.WEBSOCKET, port(relay), secure, 1024));
    }

    private static SslContext tls(boolean http2) {
        try {
            return Sockets.tls(keys, http2);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void connectionsThatAreAnsweredOtherwiseAreRefused() throws Exception {
        int answers = port(sockets.listen(0, c -> c.pipeline().addLast(new BareAnswer(BareAnswer.of(10)))));
        assertThat(echoes(EchoPlan.Manner.WEBSOCKET, answers, false, 100).refused())
                .isEqualTo(4);
        assertThat(echoes(EchoPlan.Manner.WEBSOCKET, 1, false, 100).disturbed()).isEqualTo(4);
    }

    @Test
    void loadTakesAPlanALine() throws Exception {
        EchoPlan plan = new EchoPlan(EchoPlan.Manner.RAW, echoOrigin(), false, 7, 100, 0, 2);
        assertThat(EchoPlan.of(plan.line())).isEqualTo(plan);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        EchoLoadCommand.serve(
                new BufferedReader(new StringReader(plan.line() + "\n")),
                new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8)).matches("(?s)ready\nfound \\d+ [0-9.]+ 0 0\n");
    }

    @Test
    void tunnelIsAskedForByConnect() {
        EchoPlan plan = new EchoPlan(EchoPlan.Manner.CONNECT, 8, false, 9, 1, 1, 1);
        assertThat(plan.greeting()).startsWith("CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: 127.0.0.1:9\r\n");
        assertThat(plan.accepted()).isEqualTo("200");
    }

    @Test
    void answerIsWrittenForEachEndOfAHeadHoweverItArrives() throws Exception {
        int port = port(sockets.listen(0, c -> c.pipeline().addLast(new BareAnswer(BareAnswer.of(5)))));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            byte[] requests = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
            for (byte b : requests) {
                socket.getOutputStream().write(b);
            }
            int length = BareAnswer.of(5).readableBytes();
            byte[] answers = socket.getInputStream().readNBytes(2 * length);
            assertThat(new String(answers, StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Length: 5\r\n\r\n\0\0\0\0\0HTTP/1.1 200 OK\r\n");
        }
    }

    private static SSLContext trusting() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(keys.resolve("cert.pem"))) {
            store.setCertificateEntry(
                    "bench", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1 << 20})
    void http2AnswersEachRequest(int bytes) throws Exception {
        var body = BareHttp2.body(bytes);
        int port = port(sockets.listen(0, c -> {
            c.pipeline().addLast(tls(true).newHandler(c.alloc()));
            c.pipeline().addLast(BareHttp2.with(body));
        }));
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(trusting())
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
                    .POST(HttpRequest.BodyPublishers.ofString("body"))
                    .build();
            for (HttpRequest each :
                    new HttpRequest[] {HttpRequest.newBuilder(request.uri()).build(), request}) {
                HttpResponse<byte[]> answer = client.send(each, HttpResponse.BodyHandlers.ofByteArray());
                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.body()).hasSize(bytes);
            }
        }
    }

    @Test
    void specsOfAFloorAreReadAsTheyAreWritten() {
        FloorCommand.Spec spec = new FloorCommand.Spec(1024, 10, 20);
        assertThat(FloorCommand.Spec.of(spec.word())).isEqualTo(spec);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 125, 126, 1024, 65535, 65536, 1 << 20})
    void headOfAFrameTellsItsLength(int payload) {
        assertThat(WebSocketFrames.payload(WebSocketFrames.head(payload, true))).isEqualTo(payload);
        assertThat(WebSocketFrames.head(payload, true)).hasSize(WebSocketFrames.head(payload, false).length + 4);
    }

    @Test
    void acceptIsThatOfTheSpecification() throws Exception {
        assertThat(EchoOrigin.accept("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
