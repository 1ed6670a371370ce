package io.weir.lab.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An origin that reads requests by the letter, writes down each and answers it with its own name. What it cannot read it
 * writes down as broken. {@code /evil/N} it answers with the bytes of that number. One virtual thread for each connection;
 * lives until closed.
 */
final class Recorder implements AutoCloseable {
    /** How long it keeps a connection on which it was evil; whoever waits for more of the answer is not held up. */
    private static final int EVIL_IDLE_MILLIS = 60;

    private final ServerSocket server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<EvilAnswer> evil;

    /** Complete requests: target, and {@code =LENGTH} of a body. */
    final List<String> seen = new CopyOnWriteArrayList<>();

    /** What was not a request, as far as it came. */
    final List<String> broken = new CopyOnWriteArrayList<>();

    Recorder(List<EvilAnswer> evil) throws IOException {
        this.evil = evil;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed: the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String line = line(in);
            while (line != null && request(line, in, socket)) {
                line = line(in);
            }
        } catch (IOException e) {
            // cut inside a message: that was no request
        }
    }

    private boolean request(String line, InputStream in, Socket socket) throws IOException {
        String[] words = line.split(" ", -1);
        Map<String, String> fields = new HashMap<>();
        boolean good = words.length == 3 && words[1].startsWith("/") && words[2].matches("HTTP/1\\.[01]");
        for (String field = line(in); field != null && !field.isEmpty(); field = line(in)) {
            int colon = field.indexOf(':');
            String name = field.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
            boolean framing = name.equals("content-length") || name.equals("transfer-encoding") || name.equals("host");
            String before = fields.put(name, field.substring(colon + 1).strip());
            good &= name.matches("[!#$%&'*+.^_`|~0-9a-z-]+") && (before == null || !framing);
        }
        String length = fields.getOrDefault("content-length", "0");
        String coding = fields.getOrDefault("transfer-encoding", "");
        good &= coding.isEmpty() ? length.matches("\\d{1,9}") : coding.equals("chunked") && length.equals("0");
        // it would take up HTTP/2, of which nobody before it would see a thing
        good &= fields.getOrDefault("upgrade", "websocket").equals("websocket");
        if (!good) {
            broken.add(line + " " + fields);
            return false;
        }
        int body = coding.isEmpty() ? skip(in, Integer.parseInt(length)) : chunks(in);
        seen.add(words[1] + (body == 0 ? "" : "=" + body));
        return answer(words[0], words[1], socket);
    }

    /** Whether the connection goes on. */
    private boolean answer(String method, String target, Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        int at = target.lastIndexOf("/evil/");
        if (at >= 0) {
            byte[] bytes = evil.get(Integer.parseInt(target.substring(at + 6))).bytes();
            out.write(bytes);
            out.flush();
            socket.setSoTimeout(EVIL_IDLE_MILLIS);
            return !new String(bytes, StandardCharsets.ISO_8859_1).contains("Connection: close");
        }
        String text = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nX-Seen: " + target + "\r\nContent-Length: "
                + target.length() + "\r\n\r\n" + (method.equals("HEAD") ? "" : target);
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        return true;
    }

    private int chunks(InputStream in) throws IOException {
        int body = 0;
        while (true) {
            String size = line(in);
            if (size == null) {
                throw new IOException("cut");
            }
            if (!size.matches("[0-9a-fA-F]{1,7}(;.*)?")) {
                broken.add("chunk size: " + size);
                throw new IOException("chunk size");
            }
            int n = Integer.parseInt(size.split(";", 2)[0], 16);
            if (n == 0) {
                for (String trailer = line(in); trailer != null && !trailer.isEmpty(); ) {
                    trailer = line(in);
                }
                return body;
            }
            body += skip(in, n);
            String end = line(in);
            if (end != null && !end.isEmpty()) {
                broken.add("chunk end: " + end);
                throw new IOException("chunk end");
            }
        }
    }

    private static int skip(InputStream in, int n) throws IOException {
        in.skipNBytes(n);
        return n;
    }

    /** A line without its CRLF; null at the end. A bare CR or LF stays in it. */
    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.append((char) b);
            int n = line.length();
            if (b == '\n' && n > 1 && line.charAt(n - 2) == '\r') {
                return line.substring(0, n - 2);
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
