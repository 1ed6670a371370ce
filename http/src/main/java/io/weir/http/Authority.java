package io.weir.http;

/**
 * Checks {@code host [":" port]} (RFC 9110 4.2, RFC 3986 3.2.2), stricter than the grammar: names consist of unreserved
 * characters only (no percent encoding, no sub-delimiters: a comma could separate two Hosts), IPv6 has no zone, and the
 * port is non-empty and from 1 to 65535. Stateless and shared.
 */
public final class Authority {
    private static final int MAX_HOST = 255;

    private Authority() {}

    /** End of the host in {@code [from, to)}, at its colon or {@code to}; -1 if the authority is invalid. */
    public static int hostEnd(byte[] bytes, int from, int to) {
        if (from == to) return -1;
        int end = bytes[from] == '[' ? literalEnd(bytes, from, to) : charsEnd(bytes, from, to);
        if (end < 0 || end == to) return end;
        return bytes[end] == ':' && validPort(bytes, end + 1, to) ? end : -1;
    }

    /** End of the host in {@code [from, hostEnd)} without trailing dots, which only mark a name as fully qualified. */
    public static int nameEnd(byte[] bytes, int from, int hostEnd) {
        int end = hostEnd;
        while (end > from + 1 && bytes[end - 1] == '.') end--;
        return end;
    }

    /** The port after {@code hostEnd}, or -1 if there is none; the authority must have been found valid. */
    public static int port(byte[] bytes, int hostEnd, int to) {
        if (hostEnd == to) return -1;
        int port = 0;
        for (int i = hostEnd + 1; i < to; i++) port = port * 10 + (bytes[i] - '0');
        return port;
    }

    private static int charsEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && Ascii.isHost(bytes[i])) i++;
        return i == from || i - from > MAX_HOST ? -1 : i;
    }

    private static boolean validPort(byte[] bytes, int from, int to) {
        if (from == to || to - from > 5) return false;
        int port = 0;
        for (int i = from; i < to; i++) {
            if (!Ascii.isDigit(bytes[i])) return false;
            port = port * 10 + (bytes[i] - '0');
        }
        return port >= 1 && port <= 65535;
    }

    private static int literalEnd(byte[] bytes, int from, int to) {
        int close = from + 1;
        while (close < to && bytes[close] != ']') close++;
        return close < to && validAddress(bytes, from + 1, close) ? close + 1 : -1;
    }

    /**
     * IPv6 in text form (RFC 4291 2.2): eight groups, one run of which may be {@code ::}, the last two optionally as
     * IPv4.
     */
    private static boolean validAddress(byte[] bytes, int from, int to) {
        int groups = 0;
        boolean gap = false;
        int i = from;
        while (i < to) {
            if (bytes[i] == ':') {
                boolean pair = i + 1 < to && bytes[i + 1] == ':';
                if (pair && !gap) {
                    gap = true;
                    i += 2;
                    if (i < to && bytes[i] == ':') return false;
                    continue;
                }
                if (pair || groups == 0 || i + 1 == to) return false;
                i++;
                continue;
            }
            int digits = i;
            while (i < to && Ascii.hex(bytes[i]) >= 0) i++;
            if (i < to && bytes[i] == '.') return validDotted(bytes, digits, to) && enough(groups + 2, gap);
            if (i == digits || i - digits > 4) return false;
            groups++;
            if (i < to && bytes[i] != ':') return false;
        }
        return enough(groups, gap);
    }

    private static boolean enough(int groups, boolean gap) {
        return gap ? groups < 8 : groups == 8;
    }

    private static boolean validDotted(byte[] bytes, int from, int to) {
        int parts = 0;
        for (int i = from; i <= to; ) {
            int digits = i;
            int value = 0;
            while (i < to && Ascii.isDigit(bytes[i])) value = Math.min(value * 10 + (bytes[i++] - '0'), 256);
            if (i == digits || value > 255 || i - digits > 3) return false;
            parts++;
            if (i == to) return parts == 4;
            if (bytes[i++] != '.') return false;
        }
        return false;
    }

    /** Whether two valid authorities have the same host and the same port, {@code schemePort} being the default. */
    static boolean same(byte[] bytes, int aFrom, int aTo, int bFrom, int bTo, int schemePort) {
        int aEnd = hostEnd(bytes, aFrom, aTo);
        int bEnd = hostEnd(bytes, bFrom, bTo);
        if (aEnd - aFrom != bEnd - bFrom) return false;
        for (int i = 0; i < aEnd - aFrom; i++) {
            if (Ascii.lower(bytes[aFrom + i]) != Ascii.lower(bytes[bFrom + i])) return false;
        }
        int aPort = port(bytes, aEnd, aTo);
        int bPort = port(bytes, bEnd, bTo);
        return (aPort < 0 ? schemePort : aPort) == (bPort < 0 ? schemePort : bPort);
    }
}
