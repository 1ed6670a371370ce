package io.weir.http;

import org.jspecify.annotations.Nullable;

/** Parses request targets and compares them with Host (RFC 9112 3.2, 3.3). Stateless and shared. */
final class RequestTarget {
    private RequestTarget() {}

    /** Sets form and positions of the target {@code [from, to)}, which must be non-empty visible ASCII. */
    static @Nullable Fault parse(RequestHead head, byte[] bytes, int from, int to) {
        head.targetStart = from;
        head.targetEnd = to;
        if (head.methodId == Method.CONNECT) return authority(head, bytes, from, to);
        if (bytes[from] == '/') {
            head.form = TargetForm.ORIGIN;
            head.pathStart = from;
            return null;
        }
        if (bytes[from] == '*' && to - from == 1) {
            head.form = TargetForm.ASTERISK;
            head.pathStart = from;
            return head.methodId == Method.OPTIONS ? null : Fault.TARGET_FORM_FOR_METHOD;
        }
        return absolute(head, bytes, from, to);
    }

    private static @Nullable Fault authority(RequestHead head, byte[] bytes, int from, int to) {
        head.form = TargetForm.AUTHORITY;
        head.pathStart = to;
        if (bytes[from] == '/' || bytes[from] == '*') return Fault.TARGET_FORM_FOR_METHOD;
        int hostEnd = Authority.hostEnd(bytes, from, to);
        if (hostEnd < 0) return badAuthority(bytes, from, to);
        if (hostEnd == to) return Fault.AUTHORITY_INVALID;
        head.authorityStart = from;
        head.authorityEnd = to;
        return null;
    }

    private static @Nullable Fault absolute(RequestHead head, byte[] bytes, int from, int to) {
        int colon = schemeEnd(bytes, from, to);
        if (colon < 0 || colon + 2 >= to || bytes[colon + 1] != '/' || bytes[colon + 2] != '/') {
            // host:port is allowed for CONNECT only
            int hostEnd = Authority.hostEnd(bytes, from, to);
            return hostEnd > 0 && hostEnd < to ? Fault.TARGET_FORM_FOR_METHOD : Fault.TARGET_INVALID;
        }
        if (defaultPort(bytes, from, colon) < 0) return Fault.TARGET_SCHEME;
        head.form = TargetForm.ABSOLUTE;
        int start = colon + 3;
        int end = start;
        while (end < to && bytes[end] != '/' && bytes[end] != '?') end++;
        if (Authority.hostEnd(bytes, start, end) < 0) return badAuthority(bytes, start, end);
        head.authorityStart = start;
        head.authorityEnd = end;
        head.pathStart = end;
        return null;
    }

    private static int schemeEnd(byte[] bytes, int from, int to) {
        if (!Ascii.isAlpha(bytes[from])) return -1;
        int i = from + 1;
        while (i < to && (Ascii.isAlpha(bytes[i]) || Ascii.isDigit(bytes[i]) || "+-.".indexOf(bytes[i]) >= 0)) i++;
        return i < to && bytes[i] == ':' ? i : -1;
    }

    private static Fault badAuthority(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) if (bytes[i] == '@') return Fault.AUTHORITY_USERINFO;
        return Fault.AUTHORITY_INVALID;
    }

    /** Checks Host and determines the effective authority. */
    static @Nullable Fault checkHost(RequestHead head) {
        Fields fields = head.fields;
        int at = fields.indexOf(FieldName.HOST, 0);
        if (at < 0) return head.version == Version.HTTP_1_1 ? Fault.HOST_MISSING : null;
        if (fields.indexOf(FieldName.HOST, at + 1) >= 0) return Fault.HOST_DUPLICATE;
        byte[] bytes = fields.bytes();
        int from = fields.valueStart(at);
        int to = fields.valueEnd(at);
        if (Authority.hostEnd(bytes, from, to) < 0) return Fault.HOST_INVALID;
        if (head.authorityStart > 0) return sameHost(head, bytes, from, to) ? null : Fault.HOST_MISMATCH;
        head.authorityStart = from;
        head.authorityEnd = to;
        return null;
    }

    private static boolean sameHost(RequestHead head, byte[] bytes, int from, int to) {
        int start = head.authorityStart;
        int end = head.authorityEnd;
        // clients may omit the port in the Host of a CONNECT
        int assumed = head.form == TargetForm.AUTHORITY
                ? Authority.port(bytes, Authority.hostEnd(bytes, start, end), end)
                : defaultPort(bytes, head.targetStart, start - 3);
        return Authority.same(bytes, start, end, from, to, assumed);
    }

    private static int defaultPort(byte[] bytes, int from, int to) {
        if (Ascii.sameIgnoreCase("http", bytes, from, to)) return 80;
        return Ascii.sameIgnoreCase("https", bytes, from, to) ? 443 : -1;
    }
}
