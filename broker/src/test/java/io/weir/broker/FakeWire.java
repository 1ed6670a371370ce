package io.weir.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A connection that keeps what is sent on it, for a test to read. */
final class FakeWire implements WireConnection {
    /** A frame that was sent; its payload is on the heap. */
    record Frame(int type, int stream, ByteBuf payload) {}

    final List<Frame> sent = new ArrayList<>();
    private final long id;
    private final String user;
    private final List<String> groups;
    int version = 3;
    boolean writable = true;
    boolean reading = true;
    /** Frames are dropped, not kept. */
    boolean dropping;

    FakeWire(long id, String user, List<String> groups) {
        this.id = id;
        this.user = user;
        this.groups = groups;
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
        return groups;
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
        keep(frame, Unpooled.EMPTY_BUFFER);
    }

    @Override
    public void send(ByteBuf frame, ByteBuf shared) {
        keep(frame, shared);
    }

    private void keep(ByteBuf frame, ByteBuf shared) {
        if (dropping) {
            frame.release();
            return;
        }
        byte[] all = new byte[frame.readableBytes() + shared.readableBytes()];
        frame.getBytes(frame.readerIndex(), all, 0, frame.readableBytes());
        shared.getBytes(shared.readerIndex(), all, frame.readableBytes(), shared.readableBytes());
        frame.release();
        ByteBuf copy = Unpooled.wrappedBuffer(all);
        sent.add(new Frame(copy.readUnsignedByte(), copy.readInt(), copy));
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
        reading = on;
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
