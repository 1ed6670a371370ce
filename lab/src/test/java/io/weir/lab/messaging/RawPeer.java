package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.SendFrame;
import io.weir.wire.WireFault;
import io.weir.wire.WireFrame;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client that keeps no rule but those it wants to: a socket and the frames by hand. For one thread. */
final class RawPeer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private final Socket socket = new Socket();
    private final DataInputStream in;

    /** A frame that came. */
    record Frame(int type, int stream, ByteBuf payload) {}

    private RawPeer(int port, int receiveBuffer) throws IOException {
        socket.setTcpNoDelay(true);
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(socket.getInputStream());
    }

    static RawPeer stranger(MessagingServer server) throws IOException {
        return new RawPeer(server.port(), 0);
    }

    /** One that is logged in as guest. */
    static RawPeer guest(MessagingServer server) throws IOException {
        return guest(server, 0);
    }

    /** One that is logged in, with a receive buffer of so many bytes, and is not going to read much. */
    static RawPeer guest(MessagingServer server, int receiveBuffer) throws IOException {
        RawPeer peer = new RawPeer(server.port(), receiveBuffer);
        peer.write(hello());
        peer.write(login(null, null));
        peer.expect(WireFrame.WELCOME.code());
        peer.expect(WireFrame.AUTH_OK.code());
        return peer;
    }

    /** A guest with an open, started session on stream 1: automatic acknowledgement, no window. */
    static RawPeer session(MessagingServer server) throws IOException {
        RawPeer peer = guest(server);
        peer.openSession(1);
        return peer;
    }

    void openSession(int stream) throws IOException {
        frame(FrameType.CONNECTION_START, 0, _ -> {});
        frame(FrameType.OPEN_SESSION, stream, b -> new ClientFrames.OpenSession(1, 1, -1, -1, false, 0).write(b));
        expect(FrameType.OK);
    }

    /** Opens an asynchronous consumer on session 1. */
    void consume(DestinationName from) throws IOException {
        int flags = ClientFrames.OpenConsumer.ASYNC;
        frame(FrameType.OPEN_CONSUMER, 1, b -> new ClientFrames.OpenConsumer(2, 1, from, null, flags, null).write(b));
        expect(FrameType.OK);
    }

    static ByteBuf hello() {
        ByteBuf p = Unpooled.buffer().writeInt(0x57454952).writeByte(1).writeByte(1);
        p.writeInt(64 << 20).writeInt(1);
        WireWriter.text(p, "raw");
        return frame(WireFrame.HELLO.code(), 0, p);
    }

    static ByteBuf login(@Nullable String user, @Nullable String password) {
        ByteBuf p = Unpooled.buffer();
        WireWriter.text(p, "PLAIN");
        WireWriter.optionalText(p, user);
        WireWriter.optionalText(p, password);
        return frame(WireFrame.AUTH.code(), 0, p);
    }

    static ByteBuf frame(int type, int stream, ByteBuf payload) {
        return Unpooled.buffer()
                .writeInt(5 + payload.readableBytes())
                .writeByte(type)
                .writeInt(stream)
                .writeBytes(payload);
    }

    /** A SEND with an answer, whose block is written by the caller. */
    static ByteBuf send(int request, int producer, DestinationName to, Consumer<ByteBuf> block) {
        ByteBuf p = Unpooled.buffer();
        SendFrame.writeHead(p, request, producer, 0, 0, to);
        block.accept(p);
        return frame(FrameType.SEND, 1, p);
    }

    void frame(int type, int stream, Consumer<ByteBuf> payload) throws IOException {
        ByteBuf p = Unpooled.buffer();
        payload.accept(p);
        write(frame(type, stream, p));
    }

    void write(ByteBuf bytes) throws IOException {
        socket.getOutputStream().write(ByteBufUtil.getBytes(bytes));
    }

    /** Writes until the server has closed or all is written; whether all was. */
    boolean writeAll(ByteBuf bytes, int times) {
        byte[] all = ByteBufUtil.getBytes(bytes);
        try {
            for (int i = 0; i < times; i++) {
                socket.getOutputStream().write(all);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends without a word. */
    void die() throws IOException {
        socket.close();
    }

    Frame read() throws IOException {
        int length = in.readInt();
        int type = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length - 5];
        in.readFully(payload);
        return new Frame(type, stream, Unpooled.wrappedBuffer(payload));
    }

    /** The next frame of this type; others before it are passed over. */
    Frame expect(int type) throws IOException {
        for (Frame f = read(); ; f = read()) {
            if (f.type() == type) {
                return f;
            }
            if (f.type() == WireFrame.ERROR.code()) {
                throw new AssertionError("ended: " + reason(f));
            }
        }
    }

    private static String reason(Frame error) {
        WireFault.Reason r = WireFault.Reason.of(WireReader.u16(error.payload()));
        return r + " " + WireReader.text(error.payload());
    }

    /** Waits for the ERROR with this reason and for the end behind it. */
    void expectEnd(WireFault.Reason reason) throws IOException {
        Frame f = read();
        while (f.type() != WireFrame.ERROR.code()) {
            f = read();
        }
        assertThat(reason(f)).startsWith(reason + " ");
        socket.shutdownOutput();
        assertThat(in.read()).as("the end").isNegative();
    }

    /** Reads until the connection ends, however it does. */
    void awaitEnd() throws IOException {
        try {
            while (in.skip(Long.MAX_VALUE) >= 0) {
                if (in.read() < 0) {
                    return;
                }
            }
        } catch (EOFException | SocketException e) {
            assertThat(e).isNotNull();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
