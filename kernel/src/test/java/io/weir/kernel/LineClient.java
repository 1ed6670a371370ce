package io.weir.kernel;

import io.weir.kernel.listen.Listener;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A blocking client that speaks {@link EchoProtocol}'s lines. Confined to the test's thread. */
public final class LineClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public LineClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(120_000);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    public static LineClient to(Listener listener) throws IOException {
        return to(listener.address());
    }

    public static LineClient to(InetSocketAddress address) throws IOException {
        return from("127.0.0.1", address);
    }

    /** Of another address of this machine. */
    public static LineClient from(String local, InetSocketAddress address) throws IOException {
        Socket s = new Socket();
        s.bind(new InetSocketAddress(local, 0));
        s.connect(address, 20_000);
        return new LineClient(s);
    }

    public void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    public String receive() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return line.isEmpty() ? "<closed>" : line + "<closed>";
            }
            line.append((char) c);
        }
        return line.toString();
    }

    public String ask(String line) throws IOException {
        send(line);
        return receive();
    }

    /** Reads to the end and says how it ended. */
    public String end() throws IOException {
        try {
            long n = 0;
            while (in.read() >= 0) {
                n++;
            }
            return n == 0 ? "closed" : "closed after " + n;
        } catch (SocketException e) {
            return "reset";
        }
    }

    /** Leaves, and is not needed any more. */
    public void leave() throws IOException {
        socket.close();
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
