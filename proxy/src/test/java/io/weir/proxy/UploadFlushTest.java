package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A body that comes with its head goes on with it: one record and one system call instead of two. A head whose body is
 * late does not wait for it. The origin's TLS shows what was flushed together: each flush is a record, and a read of
 * {@code SSLSocket} returns at most one.
 */
@ExtendWith(LeakCheck.class)
class UploadFlushTest {
    private static final String HEAD = "POST /%d HTTP/1.1\r\nHost: example.com\r\nContent-Length: 5\r\n\r\n";
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1);

    @TempDir
    Path folder;

    private final LinkedBlockingQueue<String> records = new LinkedBlockingQueue<>();
    private X509Bundle certificate;

    @BeforeEach
    void certificate() throws Exception {
        certificate = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        Files.writeString(folder.resolve("ca.pem"), certificate.getCertificatePEM());
    }

    @Test
    void http1BodyThatComesWithItsHeadIsSentWithIt() throws Exception {
        try (SSLServerSocket origin = origin();
                TestProxy proxy = to(origin);
                RawClient client = new RawClient(proxy.port())) {
            // the second one finds a connection at once, while the client's input is still being read
            for (int i = 0; i < 2; i++) {
                client.send(HEAD.formatted(i) + "hello");
                assertThat(record()).startsWith("POST /" + i + " ").endsWith("\r\n\r\nhello");
                assertThat(client.answer()).endsWith("ok");
            }
        }
    }

    @Test
    void http2BodyThatComesWithItsHeadIsSentWithIt() throws Exception {
        try (SSLServerSocket origin = origin();
                TestProxy proxy = to(origin);
                FrameClient client = new FrameClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                int stream = 2 * i + 1;
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(FrameClient.bytes(
                        FrameClient.HEADERS, FrameClient.END_HEADERS, stream, FrameClient.block(lines(i))));
                both.writeBytes(FrameClient.bytes(
                        FrameClient.DATA,
                        FrameClient.END_STREAM,
                        stream,
                        "hello".getBytes(StandardCharsets.ISO_8859_1)));
                client.raw(both.toByteArray());
                assertThat(record()).startsWith("POST /" + i + " ").endsWith("\r\n\r\nhello");
                assertThat(client.answer(stream).text()).isEqualTo("ok");
            }
        }
    }

    @Test
    void http1HeadDoesNotWaitForItsBody() throws Exception {
        try (SSLServerSocket origin = origin();
                TestProxy proxy = to(origin);
                RawClient client = new RawClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                client.send(HEAD.formatted(i));
                assertThat(record()).startsWith("POST /" + i + " ").endsWith("\r\n\r\n");
                client.send("hello");
                assertThat(record()).isEqualTo("hello");
                assertThat(client.answer()).endsWith("ok");
            }
        }
    }

    @Test
    void http2HeadDoesNotWaitForItsBody() throws Exception {
        try (SSLServerSocket origin = origin();
                TestProxy proxy = to(origin);
                FrameClient client = new FrameClient(proxy.port())) {
            for (int i = 0; i < 2; i++) {
                int stream = 2 * i + 1;
                client.request(stream, false, lines(i));
                assertThat(record()).startsWith("POST /" + i + " ").endsWith("\r\n\r\n");
                client.data(stream, true, "hello");
                assertThat(record()).isEqualTo("hello");
                assertThat(client.answer(stream).text()).isEqualTo("ok");
            }
        }
    }

    private static String[] lines(int i) {
        return FrameClient.lines("POST", "/" + i, "content-length: 5");
    }

    private String record() throws InterruptedException {
        return String.valueOf(records.poll(3, TimeUnit.MINUTES));
    }

    private TestProxy to(SSLServerSocket origin) throws Exception {
        return TestProxy.Made.of(
                        "routes.0.origins.0=https://localhost:" + origin.getLocalPort(),
                        "origin-tls.trust-file=" + folder.resolve("ca.pem"))
                .start();
    }

    /** Notes the records that it gets, and answers when it has read a body. */
    private SSLServerSocket origin() throws Exception {
        char[] secret = "secret".toCharArray();
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(certificate.toKeyStore("JKS", secret), secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        SSLServerSocket server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> serve(server));
        return server;
    }

    private void serve(SSLServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    answer(socket);
                }
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    private void answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] bytes = new byte[64 * 1024];
        for (int n = in.read(bytes); n > 0; n = in.read(bytes)) {
            String text = new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
            records.add(text);
            if (text.endsWith("hello")) {
                socket.getOutputStream().write(ANSWER);
            }
        }
    }
}
