package io.weir.lab.scenario;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An admin listener that gives the same metrics to everybody. */
final class FakeMetrics implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final byte[] answer;

    FakeMetrics(String text) throws IOException {
        answer = ("HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text)
                .getBytes(StandardCharsets.US_ASCII);
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                byte[] request = new byte[4096];
                int got = client.getInputStream().read(request);
                if (got > 0) {
                    client.getOutputStream().write(answer);
                }
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
