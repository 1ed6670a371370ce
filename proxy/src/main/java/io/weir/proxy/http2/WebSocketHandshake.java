package io.weir.proxy.http2;

import io.netty.util.AsciiString;
import io.weir.base.Chance;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The part of WebSocket's opening handshake that HTTP/1 has and HTTP/2 does not have (RFC 6455 section 4, RFC 8441
 * section 5): Weir generates and verifies it if the two sides use different versions. Stateless.
 */
public final class WebSocketHandshake {
    static final AsciiString PROTOCOL = AsciiString.cached("websocket");

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private WebSocketHandshake() {}

    /** A new random value of Sec-WebSocket-Key. */
    static String key() {
        return Base64.getEncoder().encodeToString(Chance.secret(KEY_BYTES));
    }

    /** The value of Sec-WebSocket-Accept that answers a key. */
    public static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    /** Whether an origin accepted the WebSocket handshake. */
    public static boolean accepted(@Nullable String key, @Nullable String answer) {
        return key == null || (answer != null && answer.strip().equals(accept(key)));
    }
}
