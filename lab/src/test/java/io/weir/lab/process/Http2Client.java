package io.weir.lab.process;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks by HTTP/2, one request after the other on one connection, until told to stop; goes to a new one where the server says
 * GOAWAY, and not before it has seen that. What is not answered 200 has failed. Owned by one test, run by one thread.
 */
final class Http2Client implements Callable<Integer> {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END = 5;
    private static final int STATUS_200 = 0x88;

    private final int port;
    private final AtomicBoolean stop;
    private final Queue<String> failed;
    private int answered;
    private int connections;

    Http2Client(int port, AtomicBoolean stop, Queue<String> failed) {
        this.port = port;
        this.stop = stop;
        this.failed = failed;
    }

    /** How many connections it took. */
    int connections() {
        return connections;
    }

    @Override
    public Integer call() throws IOException {
        while (!stop.get()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(120_000);
                socket.setTcpNoDelay(true);
                connections++;
                converse(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
            }
        }
        return answered;
    }

    private void converse(DataInputStream in, DataOutputStream out) throws IOException {
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(out, SETTINGS, 0, 0, new byte[0]);
        boolean leaving = false;
        for (int stream = 1; !leaving && !stop.get(); stream += 2) {
            try {
                frame(out, HEADERS, END, stream, request());
                leaving = answer(in, out, stream);
            } catch (IOException e) {
                failed.add("HTTP/2 connection " + connections + ", stream " + stream + ": " + e);
                return;
            }
        }
    }

    /** Reads until the stream has ended; whether the server leaves. */
    private boolean answer(DataInputStream in, DataOutputStream out, int stream) throws IOException {
        boolean leaving = false;
        boolean right = false;
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int of = in.readInt();
            byte[] payload = in.readNBytes(length);
            switch (type) {
                case GOAWAY -> leaving = true;
                case PING -> frame(out, PING, 1, 0, payload);
                case RST_STREAM -> throw new IOException("stream " + of + " is reset");
                case HEADERS -> right = right || ok(payload);
                default -> {}
            }
            if (of == stream && type <= HEADERS && (flags & 1) != 0) {
                answered += right ? 1 : 0;
                if (!right) {
                    failed.add("HTTP/2 connection " + connections + ", stream " + stream + ": no 200");
                }
                frame(out, WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 10});
                return leaving;
            }
        }
    }

    /** Whether a block begins with the status 200, changes of the table's size left out. */
    private static boolean ok(byte[] block) {
        int i = 0;
        while (i < block.length && (block[i] & 0xE0) == 0x20) {
            i++;
        }
        return i < block.length && (block[i] & 0xFF) == STATUS_200;
    }

    private static byte[] request() throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        // :method GET, :scheme http, then two literals with names of the static table
        block.write(new byte[] {(byte) 0x82, (byte) 0x86, 4, 9});
        block.write("/bytes/10".getBytes(StandardCharsets.US_ASCII));
        block.write(new byte[] {1, 9});
        block.write("localhost".getBytes(StandardCharsets.US_ASCII));
        return block.toByteArray();
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.writeByte(payload.length >> 16);
        frame.writeShort(payload.length);
        frame.writeByte(type);
        frame.writeByte(flags);
        frame.writeInt(stream);
        frame.write(payload);
        out.write(bytes.toByteArray());
        out.flush();
    }
}
