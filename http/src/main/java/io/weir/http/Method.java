package io.weir.http;

/** The request methods known by name; all others are {@link #OTHER} and relayed as received (RFC 9110 9). Immutable. */
public enum Method {
    GET,
    HEAD,
    POST,
    PUT,
    DELETE,
    CONNECT,
    OPTIONS,
    TRACE,
    PATCH,
    PURGE,
    PROPFIND,
    PROPPATCH,
    MKCOL,
    COPY,
    MOVE,
    LOCK,
    UNLOCK,
    REPORT,
    SEARCH,
    QUERY,
    OTHER;

    private static final Method[] ALL = values();
    private static final byte[][] NAMES = new byte[ALL.length][];

    static {
        for (int i = 0; i < ALL.length; i++) NAMES[i] = Ascii.bytes(ALL[i].name());
    }

    /** Whether the method is safe, i.e. requests no change of state (RFC 9110 9.2.1); unknown methods are not safe. */
    public boolean safe() {
        return switch (this) {
            case GET, HEAD, OPTIONS, TRACE, PROPFIND, REPORT, SEARCH, QUERY -> true;
            default -> false;
        };
    }

    /** Whether the method is idempotent, so that it can be repeated if the outcome is unknown (RFC 9110 9.2.2). */
    public boolean idempotent() {
        return this == PUT || this == DELETE || safe();
    }

    /** The method spelled by bytes {@code [from, to)}; methods are case-sensitive. */
    public static Method of(byte[] buf, int from, int to) {
        int length = to - from;
        if (length == 3 && buf[from] == 'G' && buf[from + 1] == 'E' && buf[from + 2] == 'T') return GET;
        for (int i = 1; i < ALL.length - 1; i++) {
            if (NAMES[i].length == length && Ascii.same(NAMES[i], buf, from)) return ALL[i];
        }
        return OTHER;
    }

    /** The method of this name; methods are case-sensitive. */
    public static Method of(String name) {
        for (Method method : ALL) if (method != OTHER && method.name().equals(name)) return method;
        return OTHER;
    }
}
