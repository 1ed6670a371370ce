package io.weir.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A connection whose handshake is done, seen from either end. Its methods may be called from any thread. */
public interface WireConnection {
    /** Given by the server, unique over its restarts. */
    long id();

    /** The version of the protocol that both ends speak. */
    int version();

    /** The user who logged in, as the server knows it. */
    String user();

    /** The user's groups; known to the server only, empty at the client. */
    List<String> groups();

    /** The other end. */
    InetSocketAddress remote();

    /** The loop that owns the connection and calls its handler. */
    EventLoop loop();

    /** The longest frame either end may send, in bytes after the length. */
    int maxFrame();

    /**
     * A buffer to write a frame's payload to; its head is in place. Give it to {@link #send(ByteBuf)}, or release it.
     *
     * @param sizeHint bytes of payload expected; more may be written
     */
    ByteBuf newFrame(int type, int stream, int sizeHint);

    /**
     * Sends a frame made by {@link #newFrame}, which it takes over. From the loop it is flushed after the current read, from
     * other threads soon. Frames of one thread stay in order. On a closed connection the frame is dropped.
     */
    void send(ByteBuf frame);

    /**
     * Sends one frame whose payload ends in bytes shared with others, such as a message that several consumers get.
     *
     * @param frame the head and the payload's beginning, made by {@link #newFrame}; taken over
     * @param shared the rest of the payload, from reader to writer index, which stay as they are; the caller keeps its own
     *     reference
     */
    void send(ByteBuf frame, ByteBuf shared);

    /** Flushes now what was sent, without waiting for the end of the read. */
    void flush();

    /** Whether the bytes waiting to be sent are below the mark: stop sending bulk when not. */
    boolean isWritable();

    /** Bytes sent but not yet taken by the socket, about. */
    long pendingBytes();

    /**
     * Stops or resumes reading from the peer, which makes a peer that sends too much wait. What was read already is still
     * handed over.
     */
    void reading(boolean on);

    /** Whether it is logged in and not closing. */
    boolean isOpen();

    /** Closes cleanly: what was sent goes out, then GOODBYE, then the connection is closed. */
    void close();

    /**
     * The same, and gives the peer this long to answer with the connection's end, which says that the peer has freed what
     * the connection held; other closes wait a moment.
     */
    void close(Duration patience);

    /** Closes for a fault of the peer: ERROR with its code and text goes out, the fault is counted. */
    void close(WireFault fault);
}
