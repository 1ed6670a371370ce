package io.weir.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An origin that a test scripts: each request's head is handed to a handler that writes raw bytes. */
final class TestOrigin implements AutoCloseable {
    /** Answers one request; may read the body from the stream. False closes the connection. */
    interface Handler {
        boolean answer(String head, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket server;
    private @Nullable ClosedPort refusing;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    final List<String> heads = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();

    TestOrigin(Handler handler) throws IOException {
        this(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()), handler);
    }

    TestOrigin(ServerSocket socket, Handler handler) {
        server = socket;
        Thread.ofVirtual().start(() -> accept(handler));
    }

    /** An origin that answers everything with the same bytes. */
    static TestOrigin always(String answer) throws IOException {
        return new TestOrigin((head, in, out) -> {
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }

    /** An origin that answers with these in turn, the last one again and again. */
    static TestOrigin inTurn(String... answers) throws IOException {
        AtomicInteger n = new AtomicInteger();
        return new TestOrigin((head, in, out) -> {
            String answer = answers[Math.min(n.getAndIncrement(), answers.length - 1)];
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }

    /** Closes the connections that are open now. */
    void drop() throws IOException {
        for (Socket s : open) {
            s.close();
        }
        open.clear();
    }

    /** Addresses of the peers whose connections are open. */
    List<String> peers() {
        return open.stream().map(s -> s.getInetAddress().getHostAddress()).toList();
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept(Handler handler) {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket, handler));
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    private void serve(Socket socket, Handler handler) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            String head = readHead(in);
            while (head != null) {
                heads.add(head);
                if (!handler.answer(head, in, out)) {
                    return;
                }
                out.flush();
                head = readHead(in);
            }
        } catch (IOException e) {
            // the proxy closed the connection
        }
    }

    /** Reads to the empty line; null at the end. */
    static @Nullable String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.append((char) b);
        }
        return head.toString();
    }

    /** Refuses connections from now on and closes those that are open. */
    void stop() throws IOException {
        int port = port();
        server.close();
        drop();
        refusing = ClosedPort.after(port);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket s : open) {
            s.close();
        }
        if (refusing != null) {
            refusing.close();
        }
    }
}
