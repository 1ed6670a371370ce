package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Texts of requested authorities; the last one is kept, because most requests of a client name the same. Confined to a
 * muxer; lives as long as its run.
 */
public final class LastAuthority {
    /** No host name is longer (RFC 1035 section 2.3.4); what is longer is not kept. */
    private static final int MOST = 255;

    private final byte[] host = new byte[MOST];
    private int length;
    private int port;
    private boolean https;
    private String text = "";

    /** The text in normal form, without the scheme's default port; empty if there is no host. */
    public String of(byte[] bytes, int from, int to, int namedPort, boolean secure) {
        if (from == to) {
            return "";
        }
        if (namedPort == port && secure == https && Arrays.equals(host, 0, length, bytes, from, to)) {
            return text;
        }
        String written = written(bytes, from, to, namedPort, secure);
        if (to - from <= MOST) {
            length = to - from;
            System.arraycopy(bytes, from, host, 0, length);
            port = namedPort;
            https = secure;
            text = written;
        }
        return written;
    }

    private static String written(byte[] bytes, int from, int to, int namedPort, boolean secure) {
        String name = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        return namedPort == (secure ? 443 : 80) ? name : name + ':' + namedPort;
    }
}
