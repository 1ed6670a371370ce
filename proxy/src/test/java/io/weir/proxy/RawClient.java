package io.weir.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends and reads raw bytes. */
final class RawClient implements AutoCloseable {
    final Socket socket;
    final InputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        in = socket.getInputStream();
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
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

    /** A head and the body that its Content-Length announces. */
    String answer() throws IOException {
        String head = head();
        int at = head.toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ");
        if (at < 0) {
            return head;
        }
        int end = head.indexOf('\r', at);
        return head + bytes(Integer.parseInt(head.substring(at + 16, end)));
    }

    /** Everything to the end of the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
