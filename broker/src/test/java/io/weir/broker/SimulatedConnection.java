package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.session.BrokerConnection;
import io.weir.broker.session.BrokerEngine;
import io.weir.broker.session.BrokerSession;
import io.weir.broker.session.SessionConsumer;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's connection to a {@link SimulatedBroker}: frames by hand. Confined to the test's thread; lives until it is lost. */
public final class SimulatedConnection {
    /** Is handed what the broker sends, when it sends it. */
    public interface Output {
        /** The payload is on the heap and may be kept. */
        void frame(int type, int stream, ByteBuf payload);
    }

    private final SimulatedLoop loop;
    private final BrokerConnection connection;
    private final Wire wire;
    private boolean lost;

    SimulatedConnection(BrokerEngine engine, SimulatedLoop loop, long id, String user, int version, Output output) {
        this.loop = loop;
        this.wire = new Wire(id, user, version, output);
        this.connection = new BrokerConnection(engine, wire, loop);
    }

    /** The broker reads a frame. The payload stays the caller's. */
    public void input(int type, int stream, ByteBuf payload) {
        if (!lost) {
            loop.on(() -> connection.frame(type, stream, payload));
        }
    }

    /** Says whether the client reads; what the broker sends meanwhile is sent all the same, but it sends no bulk. */
    public void writable(boolean on) {
        if (!lost && wire.writable != on) {
            wire.writable = on;
            loop.on(() -> connection.writable(on));
        }
    }

    /** The connection breaks. */
    public void lose() {
        if (!lost) {
            lost = true;
            loop.on(() -> connection.closed(null));
        }
    }

    /** What one of its consumers takes messages from. */
    @Nullable
    MessageQueue queue(int stream, int consumer) {
        for (BrokerSession s : connection.sessions()) {
            SessionConsumer c = s.stream == stream ? s.consumers().get(consumer) : null;
            if (c != null) {
                return (MessageQueue) c.queue();
            }
        }
        return null;
    }

    /** The broker's end of the connection. */
    private static final class Wire implements WireConnection {
        private final long id;
        private final String user;
        private final int version;
        private final Output output;
        private boolean writable = true;

        Wire(long id, String user, int version, Output output) {
            this.id = id;
            this.user = user;
            this.version = version;
            this.output = output;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public int version() {
            return version;
        }

        @Override
        public String user() {
            return user;
        }

        @Override
        public List<String> groups() {
            return List.of();
        }

        @Override
        public InetSocketAddress remote() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1234);
        }

        @Override
        public EventLoop loop() {
            throw new UnsupportedOperationException("the engine is told its loop");
        }

        @Override
        public int maxFrame() {
            return 10 << 20;
        }

        @Override
        public ByteBuf newFrame(int type, int stream, int sizeHint) {
            return PooledByteBufAllocator.DEFAULT
                    .directBuffer(5 + sizeHint)
                    .writeByte(type)
                    .writeInt(stream);
        }

        @Override
        public void send(ByteBuf frame) {
            send(frame, Unpooled.EMPTY_BUFFER);
        }

        @Override
        public void send(ByteBuf frame, ByteBuf shared) {
            byte[] all = new byte[frame.readableBytes() + shared.readableBytes()];
            frame.getBytes(frame.readerIndex(), all, 0, frame.readableBytes());
            shared.getBytes(shared.readerIndex(), all, frame.readableBytes(), shared.readableBytes());
            frame.release();
            ByteBuf copy = Unpooled.wrappedBuffer(all);
            int type = copy.readUnsignedByte();
            output.frame(type, copy.readInt(), copy);
        }

        @Override
        public void flush() {
            // nothing is held back
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void reading(boolean on) {
            // a simulated client waits by itself
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close(Duration patience) {
            close();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("not closed by the engine");
        }

        @Override
        public void close(WireFault fault) {
            throw fault;
        }
    }
}
