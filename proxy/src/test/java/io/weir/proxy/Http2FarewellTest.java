package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.base.SteppedClock;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * After the last GOAWAY a client that is sending a request is not reset, so that it reads that the request was not
 * processed, and may send it again elsewhere (RFC 9113 section 6.8).
 */
@ExtendWith(LeakCheck.class)
class Http2FarewellTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Stands still, so that no time-out is faster than the test. */
    private final SteppedClock clock = new SteppedClock(0);

    private static Listener encrypted(TestProxy proxy, Path folder, X509Bundle own) throws Exception {
        Files.writeString(folder.resolve("l.pem"), own.getCertificatePEM());
        Files.writeString(folder.resolve("l.key"), own.getPrivateKeyPEM());
        ListenerConfig config = TestProxy.bind(
                ListenerConfig.class,
                "port=0",
                "tls.certificates.0.chain-file=" + folder.resolve("l.pem"),
                "tls.certificates.0.key-file=" + folder.resolve("l.key"));
        return proxy.kernel.open("https", config, proxy.proxy);
    }

    private static FrameClient connect(Listener listener, X509Bundle trusted) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.toTrustManagerFactory().getTrustManagers(), null);
        int port = listener.address().getPort();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new FrameClient(socket).preface(FrameClient.NOTHING);
    }

    private static void farewell(FrameClient client) throws IOException {
        assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(Integer.MAX_VALUE);
        client.frame(FrameClient.PING, 1, 0, client.next(FrameClient.PING).payload());
        assertThat(client.next(FrameClient.GOAWAY).lastStream()).isEqualTo(1);
    }

    @Test
    void whoIsSendingIsNotResetAndWhoDoesNotCloseIsNotWaitedForLong(@TempDir Path folder) throws Exception {
        X509Bundle own = new CertificateBuilder()
                .subject("CN=localhost")
                .setIsCertificateAuthority(true)
                .ecp256()
                .addSanDnsName("localhost")
                .buildSelfSigned();
        try (TestOrigin origin = TestOrigin.always(OK);
                TestProxy proxy = TestProxy.reversing(origin.port()).start(clock)) {
            Listener listener = encrypted(proxy, folder, own);
            try (FrameClient silent = connect(listener, own)) {
                FrameClient sender = connect(listener, own);
                for (FrameClient client : new FrameClient[] {sender, silent}) {
                    assertThat(client.request(1, true, ":method: GET", ":scheme: https", ":authority: x", ":path: /")
                                    .answer(1)
                                    .text())
                            .isEqualTo("hello");
                }
                var report = proxy.kernel.drain(LONG);
                farewell(sender);
                farewell(silent);
                byte[] piece = new byte[1024];
                for (int i = 0; i < 2000; i++) {
                    // after a reset the next one fails
                    sender.frame(FrameClient.DATA, 0, 3, piece);
                }
                assertThat(report).as("they may still send").isNotDone();
                sender.close();
                clock.step(Duration.ofSeconds(2));
                assertThat(report.join().reset()).isZero();
                assertThat(origin.heads).hasSize(2);
            }
        }
    }
}
