package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFrame;

/** One end's part of the connection until it is open. Confined to the connection's loop. */
public interface Handshake {
    /** Login mechanism: the password itself, under TLS. */
    String PLAIN = "PLAIN";

    /** Login mechanism: a proof of knowing the password (a {@code LoginKey}). */
    String PROOF = "PROOF";

    /** Random bytes that each end generates for a login by proof. */
    int NONCE = 32;

    /** The channel is connected. */
    void begin(WireChannel channel);

    /** Handles a frame received before the connection is open. */
    void frame(WireChannel channel, WireFrame type, ByteBuf payload);

    /** The connection ended before the handshake was done, for this reason. */
    void ended(Throwable cause);

    /** The maximum frame length allowed now. */
    int maxFrame();
}
