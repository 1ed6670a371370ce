package io.weir.proxy.cache.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Builds the primary cache key of a request (RFC 9111 2): {@code scheme://host:port/path?query} as bytes with a seeded
 * hash. The rest of the key is what else selects the origin: the virtual server if it is not the default one, and
 * whether the origin is the host named by the client. One per event loop, reused for each request; allocates only when
 * it grows. Confined.
 */
public final class KeyBuilder {
    /** Longest key; longer ones are not cached. */
    public static final int MAX_BYTES = 8192;

    // neither can occur in a URI
    private static final byte SERVER = 0;
    private static final byte FORWARDED = 1;

    private static final byte[] HTTP = {'h', 't', 't', 'p', ':', '/', '/'};
    private static final byte[] HTTPS = {'h', 't', 't', 'p', 's', ':', '/', '/'};

    private final KeyHash hash;
    private byte[] bytes = new byte[256];
    private int length;
    private int query;
    private int uri;
    private boolean secure;
    private boolean tooLong;
    private boolean hashed;
    private long value;

    public KeyBuilder(KeyHash hash) {
        this.hash = hash;
    }

    /** Starts a key with the scheme: https or http. */
    public KeyBuilder start(boolean https) {
        length = 0;
        query = -1;
        uri = 0;
        secure = https;
        tooLong = false;
        hashed = false;
        byte[] scheme = https ? HTTPS : HTTP;
        return append(scheme, 0, scheme.length);
    }

    /** Appends the host, lowercased, from bytes {@code [from, to)}, and the port. */
    public KeyBuilder host(byte[] text, int from, int to, int port) {
        int start = length;
        append(text, from, to);
        lower(start);
        return port(port);
    }

    /** As above; characters above 0xFF do not occur in host names and are truncated. */
    public KeyBuilder host(CharSequence host, int port) {
        int start = length;
        append(host);
        lower(start);
        return port(port);
    }

    /** Appends path and query from bytes {@code [from, to)}, as they are sent to the origin, in one call or two. */
    public KeyBuilder path(byte[] text, int from, int to) {
        int start = length;
        append(text, from, to);
        return markQuery(start);
    }

    /** As above. */
    public KeyBuilder path(CharSequence path) {
        int start = length;
        append(path);
        return markQuery(start);
    }

    /**
     * Ends the key with what selects the origin.
     *
     * @param server name of the virtual server in ASCII; empty for the default one
     * @param forwarded whether the origin is the host named by the client, not a server of a route
     */
    public KeyBuilder origin(String server, boolean forwarded) {
        if (!server.isEmpty() && room(1)) {
            bytes[length++] = SERVER;
            append(server);
        }
        if (forwarded && room(1)) {
            bytes[length++] = FORWARDED;
        }
        return this;
    }

    /** The URI in a key. */
    public static String uri(byte[] key) {
        return new String(key, 0, uriLength(key), StandardCharsets.ISO_8859_1);
    }

    /** Length of the URI in a key, whose end it begins. */
    public static int uriLength(byte[] key) {
        int end = 0;
        while (end < key.length && key[end] > FORWARDED) {
            end++;
        }
        return end;
    }

    private KeyBuilder markQuery(int start) {
        uri = length;
        for (int i = start; i < length && query < 0; i++) {
            if (bytes[i] == '?') {
                query = i + 1;
            }
        }
        return this;
    }

    private void lower(int start) {
        for (int i = start; i < length; i++) {
            byte b = bytes[i];
            bytes[i] = b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
        }
    }

    private KeyBuilder port(int port) {
        if (!room(6)) {
            return this;
        }
        bytes[length++] = ':';
        int divisor = 10_000;
        while (divisor > 1 && port / divisor == 0) {
            divisor /= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            bytes[length++] = (byte) ('0' + port / divisor % 10);
        }
        return this;
    }

    private KeyBuilder append(byte[] text, int from, int to) {
        if (room(to - from)) {
            System.arraycopy(text, from, bytes, length, to - from);
            length += to - from;
        }
        return this;
    }

    private void append(CharSequence text) {
        int n = text.length();
        if (room(n)) {
            for (int i = 0; i < n; i++) {
                bytes[length++] = (byte) text.charAt(i);
            }
        }
    }

    private boolean room(int more) {
        hashed = false;
        if (more > MAX_BYTES - length) {
            tooLong = true;
            return false;
        }
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
        return true;
    }

    /** The key did not fit: the request is not cached. */
    public boolean tooLong() {
        return tooLong;
    }

    public boolean secure() {
        return secure;
    }

    /** Length of the query in bytes, -1 without one. */
    public int queryLength() {
        return query < 0 ? -1 : uri - query;
    }

    public long hash() {
        if (!hashed) {
            value = hash.of(bytes, length);
            hashed = true;
        }
        return value;
    }

    boolean matches(byte[] key) {
        return key.length == length && Arrays.equals(key, 0, length, bytes, 0, length);
    }

    public byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    int length() {
        return length;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
}
