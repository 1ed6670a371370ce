package io.weir.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.kernel.listen.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An answer that ends with its origin's connection: what has come is sent, and with its end if that has come, too. */
@ExtendWith(LeakCheck.class)
class ClosedAnswerFlushTest {
    private static final byte[] HEAD =
            "HTTP/1.0 200 OK\r\nCache-Control: no-store\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.ISO_8859_1);

    @Test
    void theEndThatCameWithTheBodyIsSentWithIt() throws Exception {
        MuxerTurn turn = new MuxerTurn();
        try (ServerSocket origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestProxy proxy = TestProxy.reversing(origin.getLocalPort())
                        .kernel("socket-readers=1")
                        .start()) {
            Listener listener = turn.listen(proxy);
            try (RawClient client = new RawClient(listener.address().getPort())) {
                client.get("/");
                try (Socket connection = origin.accept()) {
                    TestOrigin.readHead(connection.getInputStream());
                    turn.hold(proxy);
                    connection.getOutputStream().write(HEAD);
                    connection.getOutputStream().write(BODY);
                    connection.shutdownOutput();
                    Await.until("the end has arrived", () -> acknowledged(connection));
                    turn.release();
                    client.head();
                    assertThat(client.bytes(15)).isEqualTo("5\r\nhello\r\n0\r\n\r\n");
                    // before the client ends its connection, which is a flush, too
                    assertThat(turn.flushes()).isOne();
                }
            }
        }
    }

    /** Whether the other side's system has all that was sent, its end included (FIN_WAIT2): it may be late under load. */
    private static boolean acknowledged(Socket sender) {
        String port = String.format(Locale.ROOT, ":%04X", sender.getLocalPort());
        String peer = String.format(Locale.ROOT, ":%04X", sender.getPort());
        try {
            for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] f = line.strip().split(" +", -1);
                    if (f[1].endsWith(port) && f[2].endsWith(peer)) {
                        return f[3].equals("05");
                    }
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theBodyDoesNotWaitForItsEnd() throws Exception {
        try (ServerSocket origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestProxy proxy = TestProxy.reverse(origin.getLocalPort());
                RawClient client = new RawClient(proxy.port())) {
            client.get("/");
            try (Socket connection = origin.accept()) {
                OutputStream out = connection.getOutputStream();
                TestOrigin.readHead(connection.getInputStream());
                out.write(HEAD);
                client.head();
                for (int i = 0; i < 3; i++) {
                    out.write(BODY);
                    assertThat(client.bytes(10)).isEqualTo("5\r\nhello\r\n");
                }
            }
            assertThat(client.bytes(5)).isEqualTo("0\r\n\r\n");
        }
    }
}
