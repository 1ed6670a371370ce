package io.weir.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An origin that a test scripts: each request's head is handed to a handler that writes raw bytes. */
final class TestOrigin implements AutoCloseable {
    /** Answers one request; may read the body from the stream. False closes the connection. */
    interface Handler {
        boolean answer(String head, InputStream in, OutputStream out) throws IOException;
    }

    private static final Pattern CONTENT_LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n");

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

    /** An origin that answers everything with the same bytes, also what has not come whole. */
    static TestOrigin always(String answer) throws IOException {
        return new TestOrigin((head, in, out) -> {
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }

    /** An origin that answers each request that came whole, body and trailers, with the same bytes. */
    static TestOrigin whole(String answer) throws IOException {
        return new TestOrigin((head, in, out) -> {
            if (!readBody(head, in)) {
                return false;
            }
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }

    /** Reads the body that a head announces; false when the connection ended in it. */
    static boolean readBody(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("\r\ntransfer-encoding: chunked\r\n")) {
            for (int size = -1; size != 0; ) {
                size = Integer.parseInt(readLine(in), 16);
                if (size > 0
                        && (in.readNBytes(size).length < size || !readLine(in).isEmpty())) {
                    return false;
                }
            }
            while (!readLine(in).isEmpty()) {}
            return true;
        }
        Matcher length = CONTENT_LENGTH.matcher(lower);
        int n = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return in.readNBytes(n).length == n;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
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

    /** Whether all of its connections have ended. */
    boolean ended() {
        return open.stream().allMatch(Socket::isClosed);
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
