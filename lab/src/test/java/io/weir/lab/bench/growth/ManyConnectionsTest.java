package io.weir.lab.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ManyConnectionsTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void anAnswerIsAsLongAsItsHeadSays() {
        String head = "HTTP/1.1 200 OK\r\nDate: now\r\nCONTENT-Length: 12\r\nAge: 34\r\n\r\n";
        assertThat(ManyConnections.Answer.length(bytes(head))).isEqualTo(head.length() + 12);
        assertThat(ManyConnections.Answer.length(bytes(head + "hello"))).isEqualTo(head.length() + 12);
        String none = "HTTP/1.1 204 No Content\r\n\r\n";
        assertThat(ManyConnections.Answer.length(bytes(none + "Content-Length: 5")))
                .isEqualTo(none.length());
    }

    @Test
    void aHeadThatIsNotCompleteHasNoLength() {
        assertThat(ManyConnections.Answer.length(bytes("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n")))
                .isEqualTo(-1);
        assertThat(ManyConnections.Answer.length(bytes(""))).isEqualTo(-1);
    }

    /** A server that gives each head an answer, in two pieces, and closes connections after so many. */
    private static final class Server implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger heads = new AtomicInteger();
        private final String answer;
        private final int most;

        Server(String answer, int most) throws IOException {
            this.answer = answer;
            this.most = most;
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (IOException e) {
                // closed by the test
            }
        }

        private void serve(Socket socket) {
            try (socket) {
                socket.setTcpNoDelay(true);
                InputStream in = socket.getInputStream();
                int matched = 0;
                for (int b = in.read(); b >= 0; b = in.read()) {
                    matched = b == "\r\n\r\n".charAt(matched) ? matched + 1 : b == '\r' ? 1 : 0;
                    if (matched == 4) {
                        matched = 0;
                        if (heads.incrementAndGet() > most) {
                            return;
                        }
                        socket.getOutputStream().write(answer.substring(0, 20).getBytes(StandardCharsets.US_ASCII));
                        socket.getOutputStream().write(answer.substring(20).getBytes(StandardCharsets.US_ASCII));
                    }
                }
            } catch (IOException e) {
                // closed by the client
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    @Test
    void requestsOfQuickAndSlowConnectionsAreCounted() throws IOException {
        try (Server server = new Server(OK, Integer.MAX_VALUE);
                ManyConnections load =
                        ManyConnections.open(server.listening.getLocalPort(), 20, SystemClock.INSTANCE)) {
            assertThat(server.heads).hasValue(20);
            ManyConnections.Found found = load.run(0.5, Chance.seeded(1).random());
            assertThat(found.answers())
                    .isGreaterThan(ManyConnections.ON_THE_WAY)
                    .isEqualTo(server.heads.get() - 20L);
            assertThat(found.closed()).isZero();
            assertThat(found.refused()).isZero();
        }
    }

    @Test
    void aConnectionThatTheServerClosesIsCounted() throws IOException {
        try (Server server = new Server(OK, 5);
                ManyConnections load = ManyConnections.open(server.listening.getLocalPort(), 4, SystemClock.INSTANCE)) {
            assertThat(load.run(0.5, Chance.seeded(1).random()).closed()).isPositive();
        }
    }

    @Test
    void aServerThatRefusesOneEndsTheOpening() throws IOException {
        String refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
        try (Server server = new Server(refusal, Integer.MAX_VALUE)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> ManyConnections.open(server.listening.getLocalPort(), 4, SystemClock.INSTANCE))
                    .withMessage("connection 1: it is refused");
        }
    }
}
