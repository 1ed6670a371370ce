package io.weir.lab.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An origin for load: {@code GET /bytes/N} gives N bytes, {@code ?cache} makes them cacheable, {@code ?chunked} sends
 * them in chunks, {@code ?close} ends the connection instead of giving a length; {@code GET /events/…} is a stream with
 * an event a second; request bodies are read and counted. Each path may be prefixed with {@code /slow} for routing. One
 * virtual thread for each connection. Lives until closed.
 */
public final class LoadOrigin implements AutoCloseable {
    private static final String SLOW = "/slow";
    private static final byte[] BLOCK = new byte[65536];
    private static final long EVENT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    public LoadOrigin() throws IOException {
        this(0);
    }

    /** Creates an origin at a port. */
    public LoadOrigin(int port) throws IOException {
        this(new ServerSocket(port, 4096, InetAddress.getLoopbackAddress()));
    }

    /** Creates an origin on a listening socket, for instance with TLS. */
    public LoadOrigin(ServerSocket listening) {
        this.listening = listening;
        Thread.ofVirtual().name("load origin").start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Requests whose head was read. */
    public long requests() {
        return requests.get();
    }

    /** Body bytes that were read. */
    public long received() {
        return received.get();
    }

    /** Connections open now. */
    public int connections() {
        return open.size();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new IllegalStateException("the load origin cannot accept", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 65536);
            OutputStream out = socket.getOutputStream();
            for (Head head = Head.read(in); head != null; head = Head.read(in)) {
                requests.incrementAndGet();
                skipBody(in, head);
                if (head.target.startsWith("/events/")) {
                    events(out);
                }
                if (!answer(out, head)) {
                    return;
                }
            }
        } catch (IOException e) {
            // peers that disconnect are a part of the load: only this connection ends
            open.remove(socket);
        } finally {
            open.remove(socket);
        }
    }

    private void skipBody(InputStream in, Head head) throws IOException {
        if (!head.chunked) {
            skip(in, head.length);
            return;
        }
        while (true) {
            String line = Head.line(in);
            if (line == null) {
                throw new IOException("cut");
            }
            long size = Long.parseLong(line.split(";", 2)[0].strip(), 16);
            skip(in, size);
            Head.line(in);
            if (size == 0) {
                return;
            }
        }
    }

    private void skip(InputStream in, long length) throws IOException {
        byte[] block = new byte[(int) Math.min(length, 65536)];
        for (long left = length; left > 0; ) {
            int n = in.read(block, 0, (int) Math.min(left, block.length));
            if (n < 0) {
                throw new IOException("cut");
            }
            received.addAndGet(n);
            left -= n;
        }
    }

    private static boolean answer(OutputStream out, Head head) throws IOException {
        long bytes = head.target.startsWith("/bytes/")
                ? Long.parseLong(head.target.substring(7).split("\\?", 2)[0])
                : 0;
        boolean chunked = head.target.contains("chunked");
        boolean close = head.target.contains("close");
        String framing = chunked
                ? "Transfer-Encoding: chunked\r\n"
                : close ? "Connection: close\r\n" : "Content-Length: " + bytes + "\r\n";
        String cache = head.target.contains("cache") ? "Cache-Control: max-age=60\r\n" : "Cache-Control: no-store\r\n";
        write(out, "HTTP/1.1 200 OK\r\n" + framing + cache + "\r\n");
        if (head.method.equals("HEAD")) {
            return !close;
        }
        for (long left = bytes; left > 0; ) {
            int n = (int) Math.min(left, BLOCK.length);
            if (chunked) {
                write(out, Integer.toHexString(n) + "\r\n");
            }
            out.write(BLOCK, 0, n);
            if (chunked) {
                write(out, "\r\n");
            }
            left -= n;
        }
        if (chunked) {
            write(out, "0\r\n\r\n");
        }
        return !close;
    }

    /** Sends events until the client disconnects, or this origin is closed. */
    private void events(OutputStream out) throws IOException {
        write(
                out,
                String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Content-Type: text/event-stream",
                        "Cache-Control: no-store",
                        "Transfer-Encoding: chunked",
                        "",
                        ""));
        while (!listening.isClosed()) {
            write(out, "8\r\ndata: 1\n\r\n");
            LockSupport.parkNanos(EVENT_NANOS);
        }
        throw new IOException("closed");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** The relevant part of a request's head. */
    private record Head(String method, String target, long length, boolean chunked) {
        static @Nullable Head read(InputStream in) throws IOException {
            String start = line(in);
            if (start == null) {
                return null;
            }
            String[] words = start.split(" ", 3);
            long length = 0;
            boolean chunked = false;
            for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
                String lower = line.toLowerCase(Locale.ROOT);
                if (lower.startsWith("content-length:")) {
                    length = Long.parseLong(lower.substring(15).strip());
                } else if (lower.startsWith("transfer-encoding:")) {
                    chunked = true;
                }
            }
            String target = words[1].startsWith(SLOW + "/") ? words[1].substring(SLOW.length()) : words[1];
            return new Head(words[0], target, length, chunked);
        }

        static @Nullable String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            int b;
            while ((b = in.read()) >= 0) {
                if (b == '\n') {
                    return line.toString().stripTrailing();
                }
                line.append((char) b);
            }
            return null;
        }
    }
}
