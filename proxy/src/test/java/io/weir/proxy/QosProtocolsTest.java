package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.weir.proxy.qos.QosStats;
import io.weir.proxy.qos.UsageFigures;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bandwidth and its figures under TLS and with HTTP/2: the same bytes at the same pace. */
@ExtendWith(LeakCheck.class)
class QosProtocolsTest {
    private static final int BYTES = 192 * 1024;
    private static final long RATE = 512 * 1024;
    private static final String BODY = "0123456789abcdef".repeat(BYTES / 16);
    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: " + BYTES + "\r\n\r\n" + BODY;

    private static UsageFigures paced(TestProxy proxy) {
        assertThat(proxy.value(QosStats.PAUSES, "virtual-server") + proxy.value(QosStats.PAUSES, "client"))
                .isPositive();
        UsageFigures use = proxy.proxy.qos().busiestClients(1).getFirst();
        assertThat(use.mostBytes()).isLessThanOrEqualTo(RATE + RATE / 4);
        return use;
    }

    @Test
    void streamsShareTheirConnectionsPace() throws Exception {
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = TestProxy.reversing(origin.port(), "client-limits.bandwidth=512KiB")
                        .start();
                FrameClient client = FrameClient.bare(proxy.port())) {
            client.preface(FrameClient.setting(4, 1 << 20));
            client.frame(FrameClient.WINDOW_UPDATE, 0, 0, FrameClient.number(1 << 20));
            assertThat(client.get(1, "/a").answer(1).text()).isEqualTo(BODY);
            assertThat(client.request(3, true, FrameClient.lines("HEAD", "/a"))
                            .answer(3)
                            .text())
                    .isEmpty();
            UsageFigures use = paced(proxy);
            assertThat(use.bytes()).isBetween((long) BYTES, BYTES + 8192L);
            assertThat(use.requests()).isEqualTo(2);
            assertThat(use.mostConnections()).isEqualTo(1);
        }
    }

    @Test
    void bytesAreThoseBeforeEncryption(@TempDir Path folder) throws Exception {
        X509Bundle own = new CertificateBuilder()
                .subject("CN=localhost")
                .ecp256()
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Files.writeString(folder.resolve("l.pem"), own.getCertificatePathPEM());
        Files.writeString(folder.resolve("l.key"), own.getPrivateKeyPEM());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, own.toTrustManagerFactory().getTrustManagers(), null);
        try (TestOrigin origin = TestOrigin.always(ANSWER);
                TestProxy proxy = TestProxy.reversing(origin.port(), "client-limits.bandwidth=512KiB")
                        .listener(
                                "port=0",
                                "tls.certificates.0.chain-file=" + folder.resolve("l.pem"),
                                "tls.certificates.0.key-file=" + folder.resolve("l.key"))
                        .start();
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                RawClient client = new RawClient(
                        context.getSocketFactory().createSocket(plain, "localhost", proxy.port(), true))) {
            int head = client.get("/a").head().length();
            assertThat(client.bytes(BYTES)).isEqualTo(BODY);
            assertThat(paced(proxy).bytes()).isEqualTo(head + BYTES);
        }
    }
}
