package io.weir.lab.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A kept HTTP/1.1 connection with at most one outstanding request. Confined to its loop's thread. */
final class OpenLoopHttp1 implements OpenLoopConnection {
    private static final int BUFFER = 65536;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final SocketChannel channel;
    private final ByteBuffer request;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private long due;
    private long bodyLeft = -1;

    private OpenLoopHttp1(SocketChannel channel, ByteBuffer request) {
        this.channel = channel;
        this.request = request;
    }

    static OpenLoopHttp1 open(int port, String path, Selector selector) throws IOException {
        byte[] text = ("GET " + path + " HTTP/1.1\r\nHost: bench.test\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        OpenLoopHttp1 opened = new OpenLoopHttp1(
                channel, ByteBuffer.allocateDirect(text.length).put(text).flip());
        channel.register(selector, SelectionKey.OP_READ, opened);
        return opened;
    }

    @Override
    public int room() {
        return 1;
    }

    @Override
    public void ask(long at) throws IOException {
        due = at;
        bodyLeft = -1;
        request.rewind();
        while (request.hasRemaining()) {
            channel.write(request);
        }
    }

    @Override
    public void read(Arrival to) throws IOException {
        int n = channel.read(in);
        if (n < 0) {
            throw new IOException("the server closed a connection that is kept");
        }
        in.flip();
        if (bodyLeft < 0) {
            int body = head();
            if (body < 0) {
                in.compact();
                return;
            }
            in.position(body);
        }
        bodyLeft -= in.remaining();
        in.clear();
        if (bodyLeft < 0) {
            throw new IOException("more than its Content-Length");
        }
        if (bodyLeft == 0) {
            to.answered(this, due);
        }
    }

    /** The start of the body, or -1; sets its remaining length. */
    private int head() throws IOException {
        for (int i = 3; i < in.limit(); i++) {
            if (in.get(i) == '\n' && in.get(i - 2) == '\n') {
                if (in.get(9) != '2') {
                    throw new IOException("the server refuses");
                }
                bodyLeft = length(i);
                return i + 1;
            }
        }
        return -1;
    }

    private long length(int end) throws IOException {
        for (int i = 0; i + LENGTH.length < end; i++) {
            int same = 0;
            while (same < LENGTH.length && (in.get(i + same) | 0x20) == (LENGTH[same] | 0x20)) {
                same++;
            }
            if (same == LENGTH.length) {
                long length = 0;
                for (int at = i + same; in.get(at) != '\r'; at++) {
                    length = in.get(at) == ' ' ? length : length * 10 + in.get(at) - '0';
                }
                return length;
            }
        }
        throw new IOException("an answer without Content-Length");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
