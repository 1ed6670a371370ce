package io.weir.http.semantics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.http.Authority;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A host with an optional port, normalised. Validity is determined by {@link Authority}, as for the heads of requests.
 * The host is in lower case and without trailing dots; an address keeps its spelling. Immutable.
 *
 * @param host lower case; IPv6 with its brackets
 * @param port 1..65535, or {@link #NO_PORT} if there is none
 */
public record HostPort(String host, int port) {

    public static final int NO_PORT = -1;

    /** Parses the whole text as host and port; null if it is invalid. */
    public static @Nullable HostPort parse(String text) {
        if (text.chars().anyMatch(c -> c > 0x7f)) {
            return null;
        }
        byte[] bytes = text.getBytes(ISO_8859_1);
        int hostEnd = Authority.hostEnd(bytes, 0, bytes.length);
        if (hostEnd < 0) {
            return null;
        }
        String host = text.substring(0, Authority.nameEnd(bytes, 0, hostEnd)).toLowerCase(Locale.ROOT);
        return new HostPort(host, Authority.port(bytes, hostEnd, bytes.length));
    }

    /** The port, or the one that the scheme implies. */
    public int portOr(int implied) {
        return port == NO_PORT ? implied : port;
    }

    /** A copy without the port if it equals this one. */
    public HostPort without(int implied) {
        return port == implied ? new HostPort(host, NO_PORT) : this;
    }

    /** {@code host} or {@code host:port}. */
    public String text() {
        return port == NO_PORT ? host : host + ":" + port;
    }
}
