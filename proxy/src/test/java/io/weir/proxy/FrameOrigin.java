package io.weir.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An origin that is scripted by frames. Owned by one test; each connection has a thread. */
class FrameOrigin implements AutoCloseable {
    /** Is handed each request's head, which it need not decompress. */
    interface Handler {
        void request(FrameClient peer, int stream) throws IOException;
    }

    /** Has a connection, whose preface is read and answered, for itself. */
    interface Script {
        void run(FrameClient peer) throws IOException;
    }

    /** Has a connection that is HTTP/1, whose first 24 bytes are read. */
    interface Http1 {
        void run(String begun, Socket socket) throws IOException;
    }

    private final Http1 http1;
    private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());

    FrameOrigin(Handler handler) throws IOException {
        this(FrameClient.NOTHING, peer -> {
            while (true) {
                FrameClient.Frame f = peer.next();
                if (f.type() == FrameClient.HEADERS) {
                    handler.request(peer, f.stream());
                }
            }
        });
    }

    /** Says these settings. */
    FrameOrigin(byte[] settings, Script script) throws IOException {
        this(settings, script, (begun, socket) -> {});
    }

    /** Speaks HTTP/1, too. */
    FrameOrigin(byte[] settings, Script script, Http1 old) throws IOException {
        http1 = old;
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> serve(socket, settings, script));
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    /** A connection came; where this closes it, nothing is said on it. */
    boolean refuses() {
        return false;
    }

    private void serve(Socket socket, byte[] settings, Script script) {
        if (refuses()) {
            try {
                socket.getInputStream().readNBytes(24);
                socket.close();
            } catch (IOException e) {
                // the other side is gone
            }
            return;
        }
        try (FrameClient peer = new FrameClient(socket)) {
            String begun = new String(socket.getInputStream().readNBytes(24), StandardCharsets.ISO_8859_1);
            if (!begun.startsWith("PRI ")) {
                http1.run(begun, socket);
                return;
            }
            peer.frame(FrameClient.SETTINGS, 0, 0, settings);
            script.run(peer);
        } catch (IOException e) {
            // the other side is gone
        }
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
