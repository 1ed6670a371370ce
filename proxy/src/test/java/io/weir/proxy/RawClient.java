package io.weir.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends and reads raw bytes. */
final class RawClient implements AutoCloseable {
    final Socket socket;
    final InputStream in;

    RawClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    RawClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(120_000);
        in = socket.getInputStream();
    }

    /** A client whose receive buffer is small, so that it is slow as soon as it does not read. */
    static RawClient narrow(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawClient(socket);
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** A GET for the path with more field lines. */
    RawClient get(String path, String... lines) throws IOException {
        StringBuilder text = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: example.com\r\n");
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return send(text.append("\r\n").toString());
    }

    /** An answer's head. */
    String head() throws IOException {
        String head = TestOrigin.readHead(in);
        if (head == null) {
            throw new IOException("the connection ended before a head");
        }
        return head;
    }

    String bytes(int n) throws IOException {
        byte[] read = in.readNBytes(n);
        return new String(read, StandardCharsets.ISO_8859_1);
    }

    /** A head and the body that its Content-Length or its chunks announce; the chunks as sent. */
    String answer() throws IOException {
        String head = head();
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        if (lower.contains("transfer-encoding: chunked")) {
            return head + chunks();
        }
        if (at < 0 || lower.startsWith("http/1.1 304")) {
            return head;
        }
        int end = head.indexOf('\r', at);
        return head + bytes(Integer.parseInt(head.substring(at + 16, end)));
    }

    private String chunks() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        while (true) {
            String line = line();
            text.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            int size = Integer.parseInt(line, 16);
            text.writeBytes(in.readNBytes(size));
            if (size == 0) {
                String trailer = line();
                while (!trailer.isEmpty()) {
                    text.writeBytes((trailer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                    trailer = line();
                }
                text.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
                return text.toString(StandardCharsets.ISO_8859_1);
            }
            text.writeBytes(in.readNBytes(2));
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int b = in.read();
        while (b != '\r' && b >= 0) {
            line.append((char) b);
            b = in.read();
        }
        if (b < 0 || in.read() < 0) {
            throw new IOException("the connection ended within a line");
        }
        return line.toString();
    }

    /** Everything to the end of the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Whether the peer ends the connection, in order or by a reset, without another byte. */
    boolean ended() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    /** Goes away so that the proxy learns it at once; an orderly end could be that of a client that still reads. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
