package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireFrame;

/** What one end does until the connection is open. Confined to the connection's loop. */
public interface Handshake {
    /** How a client logs in: with the password itself, under TLS. */
    String PLAIN = "PLAIN";

    /** How a client logs in: with a proof that it knows the password (a {@code LoginKey}). */
    String PROOF = "PROOF";

    /** Bytes that each end draws for a login by proof. */
    int NONCE = 32;

    /** The channel is connected. */
    void begin(WireChannel channel);

    /** A frame before the connection is open. */
    void frame(WireChannel channel, WireFrame type, ByteBuf payload);

    /** It ended before it was done, for this reason. */
    void ended(Throwable cause);

    /** The longest frame that may come now. */
    int maxFrame();
}
