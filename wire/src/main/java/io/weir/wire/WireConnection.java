package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A connection whose handshake is done, seen from either end. Its methods are callable from any thread. */
public interface WireConnection {
    /** The connection's number, assigned by the server, unique across its restarts. */
    long id();

    /** The protocol version that both ends use. */
    int version();

    /** The logged-in user, as known to the server. */
    String user();

    /** The user's groups; known to the server only, empty at the client. */
    List<String> groups();

    /** The peer's address. */
    InetSocketAddress remote();

    /** The loop that owns the connection and calls its handler. */
    EventLoop loop();

    /** The maximum frame length that either end may send, in bytes after the length field. */
    int maxFrame();

    /**
     * A buffer for a frame's payload; its head is already written. Pass it to {@link #send(ByteBuf)}, or release it.
     *
     * @param sizeHint bytes of payload expected; more may be written
     */
    ByteBuf newFrame(int type, int stream, int sizeHint);

    /**
     * A buffer for a frame that ends in shared bytes, like {@link #newFrame(int, int, int)}. On the loop it is usually the
     * one that goes to the socket: the caller writes exactly the announced bytes and passes it to {@link #send(ByteBuf,
     * ByteBuf)} with the same shared bytes, before it sends anything else.
     *
     * @param bytes of the payload before the shared ones
     */
    default ByteBuf newFrame(int type, int stream, int bytes, ByteBuf shared) {
        return newFrame(type, stream, bytes);
    }

    /**
     * Sends a frame created by {@link #newFrame(int, int, int)}; takes ownership. From the loop it is flushed after the current read,
     * from other threads soon. Frames of one thread stay in order. On a closed connection the frame is dropped.
     */
    void send(ByteBuf frame);

    /**
     * Sends one frame whose payload ends in bytes shared with others, such as a message for several consumers.
     *
     * @param frame the head and the payload's beginning, created by {@link #newFrame}; takes ownership
     * @param shared the rest of the payload, from reader to writer index, which are not changed; the caller keeps its
     * reference
     */
    void send(ByteBuf frame, ByteBuf shared);

    /** Flushes frames sent so far immediately, without waiting for the end of the read. */
    void flush();

    /** Whether the pending outbound bytes are below the mark: stop sending bulk data if not. */
    boolean isWritable();

    /** Bytes sent but not yet written to the socket, approximately. */
    long pendingBytes();

    /**
     * Stops or resumes reading from the peer, which applies back pressure to a peer that sends too much. Data already
     * read is still passed on.
     */
    void reading(boolean on);

    /** Whether it is logged in and not closing. */
    boolean isOpen();

    /** Closes cleanly: pending frames are sent, then GOODBYE, then the connection is closed. */
    void close();

    /**
     * As {@link #close()}, but waits up to this time for the peer to close the connection, which confirms that the peer
     * has freed what the connection held; other closes wait briefly.
     */
    void close(Duration patience);

    /** Closes because of a fault of the peer: ERROR with its code and text is sent, and the fault is counted. */
    void close(WireFault fault);
}
