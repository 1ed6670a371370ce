package io.weir.lab.bench.http;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.load.Answers;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections that made one request each and are kept open. Live until closed; confined to their thread. */
final class IdleConnections implements AutoCloseable {
    /** Connections of one client address: servers limit them, and an address has 28,000 ports. */
    private static final int PER_ADDRESS = 500;

    private static final int TIME_OUT_MILLIS = 20_000;
    private final List<Socket> open = new ArrayList<>();

    /**
     * Opens the connections, from 127.0.0.2 on.
     *
     * @throws BenchFailure if the server does not keep one
     */
    static IdleConnections open(String server, int port, int count, String path) throws IOException, BenchFailure {
        IdleConnections connections = new IdleConnections();
        try {
            for (int i = 0; i < count; i++) {
                connections.add(i, port, path);
            }
            return connections;
        } catch (IOException e) {
            connections.close();
            throw new BenchFailure(server + " ends connection " + connections.count() + ": " + e.getMessage(), e);
        } catch (BenchFailure e) {
            connections.close();
            throw new BenchFailure(server + ": " + e.getMessage(), e);
        }
    }

    int count() {
        return open.size();
    }

    private void add(int index, int port, String path) throws IOException, BenchFailure {
        Socket socket = new Socket();
        open.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0." + (2 + index / PER_ADDRESS)), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIME_OUT_MILLIS);
        socket.setSoTimeout(TIME_OUT_MILLIS);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: bench.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        if (!Answers.readOne(new BufferedInputStream(socket.getInputStream(), 2048))) {
            throw new BenchFailure("connection " + (index + 1) + " is not kept");
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }
}
