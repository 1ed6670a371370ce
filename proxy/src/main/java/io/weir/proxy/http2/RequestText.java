package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.semantics.Upgrades;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Validates the fields of a request by RFC 9113 section 8, and writes them in HTTP/1 syntax for the decoder, which
 * checks everything that both protocols have in common. One for each connection, reused for each block, confined to its
 * muxer.
 */
final class RequestText {
    private static final AsciiString METHOD = AsciiString.cached(":method");
    private static final AsciiString SCHEME = AsciiString.cached(":scheme");
    private static final AsciiString AUTHORITY = AsciiString.cached(":authority");
    private static final AsciiString PATH = AsciiString.cached(":path");
    private static final AsciiString PROTOCOL = AsciiString.cached(":protocol");
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");
    private static final AsciiString CONNECT = AsciiString.cached("CONNECT");
    private static final AsciiString GET = AsciiString.cached("GET");
    private static final AsciiString UPGRADE = AsciiString.cached("Connection: upgrade\r\nUpgrade: ");
    private static final AsciiString KEY = AsciiString.cached("Sec-WebSocket-Key: ");
    private static final AsciiString OPTIONS = AsciiString.cached("OPTIONS");
    private static final AsciiString VERSION = AsciiString.cached(" HTTP/1.1\r\nHost: ");
    private static final AsciiString COOKIE = AsciiString.cached("cookie: ");
    private static final boolean[] NAME = new boolean[256];

    static {
        for (char c = 'a'; c <= 'z'; c++) {
            NAME[c] = true;
        }
        for (char c = '0'; c <= '9'; c++) {
            NAME[c] = true;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            NAME[c] = true;
        }
    }

    private final boolean secure;
    private @Nullable AsciiString method;
    private @Nullable AsciiString scheme;
    private @Nullable AsciiString authority;
    private @Nullable AsciiString path;
    private @Nullable AsciiString protocol;
    private @Nullable AsciiString host;
    private int regular;
    private boolean cookies;

    /**
     * @param secure whether the client uses TLS: a request for the other scheme is written in absolute form, which only
     *     a forward proxy or a trusted peer may send
     */
    RequestText(boolean secure) {
        this.secure = secure;
    }

    /** Writes a request's head; returns what is wrong with it, or null. */
    @Nullable
    Malformed write(RequestFields fields, ByteBuf out) {
        method = null;
        scheme = null;
        authority = null;
        path = null;
        protocol = null;
        host = null;
        cookies = false;
        Malformed wrong = pseudo(fields);
        for (int i = regular; wrong == null && i < fields.size(); i++) {
            wrong = check(fields.name(i), fields.value(i));
        }
        if (wrong == null) {
            wrong = requestLine(out);
        }
        if (wrong == null) {
            fields(fields, out);
        }
        return wrong;
    }

    /** Reads the pseudo-fields, which precede all others (RFC 9113 section 8.3). */
    private @Nullable Malformed pseudo(RequestFields fields) {
        int i = 0;
        while (i < fields.size() && isPseudo(fields.name(i))) {
            Malformed wrong = pseudo(fields.name(i), fields.value(i));
            if (wrong != null) {
                return wrong;
            }
            i++;
        }
        regular = i;
        return null;
    }

    private @Nullable Malformed pseudo(AsciiString name, AsciiString value) {
        boolean twice;
        if (name.equals(METHOD)) {
            twice = method != null;
            method = value;
        } else if (name.equals(SCHEME)) {
            twice = scheme != null;
            scheme = value;
        } else if (name.equals(AUTHORITY)) {
            twice = authority != null;
            authority = value;
        } else if (name.equals(PATH)) {
            twice = path != null;
            path = value;
        } else if (name.equals(PROTOCOL)) {
            twice = protocol != null;
            protocol = value;
        } else {
            return Malformed.PSEUDO_UNKNOWN;
        }
        return twice ? Malformed.PSEUDO_DUPLICATE : null;
    }

    private static boolean isPseudo(AsciiString name) {
        return !name.isEmpty() && name.byteAt(0) == ':';
    }

    private @Nullable Malformed check(AsciiString name, AsciiString value) {
        if (isPseudo(name)) {
            return Malformed.PSEUDO_ORDER;
        }
        if (!isName(name)) {
            return Malformed.FIELD_NAME;
        }
        if (!isValue(value)) {
            return Malformed.FIELD_VALUE;
        }
        FieldName known = FieldName.of(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
        return known == null ? null : known(known, value);
    }

    /** RFC 9113 section 8.2.2. */
    private @Nullable Malformed known(FieldName name, AsciiString value) {
        return switch (name) {
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE -> Malformed.CONNECTION_FIELD;
            case CONTENT_LENGTH -> protocol == null ? null : Malformed.CONNECT;
            case TE -> value.contentEqualsIgnoreCase(TRAILERS) ? null : Malformed.TE;
            case HOST -> {
                boolean twice = host != null;
                host = value;
                yield twice ? Malformed.AUTHORITY : null;
            }
            case COOKIE -> {
                cookies = true;
                yield null;
            }
            default -> null;
        };
    }

    static boolean isName(AsciiString name) {
        byte[] bytes = name.array();
        int end = name.arrayOffset() + name.length();
        for (int i = name.arrayOffset(); i < end; i++) {
            if (!NAME[bytes[i] & 0xFF]) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /** RFC 9113 section 8.2.1: no character that would end a line in HTTP/1, no surrounding white space. */
    static boolean isValue(AsciiString value) {
        byte[] bytes = value.array();
        int start = value.arrayOffset();
        int end = start + value.length();
        for (int i = start; i < end; i++) {
            if (bytes[i] == 0 || bytes[i] == '\n' || bytes[i] == '\r') {
                return false;
            }
        }
        return start == end || !(isBlank(bytes[start]) || isBlank(bytes[end - 1]));
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** Visible bytes only: a blank would end its part of the request line. */
    private static boolean isPart(@Nullable AsciiString text) {
        if (text == null || text.isEmpty()) {
            return false;
        }
        byte[] bytes = text.array();
        int end = text.arrayOffset() + text.length();
        for (int i = text.arrayOffset(); i < end; i++) {
            if (bytes[i] >= 0 && (bytes[i] <= ' ' || bytes[i] == 0x7F)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Malformed requestLine(ByteBuf out) {
        AsciiString verb = method;
        if (verb == null) {
            return Malformed.PSEUDO_MISSING;
        }
        if (!isPart(verb)) {
            return Malformed.METHOD;
        }
        AsciiString named = authority;
        if (named != null && (!isPart(named) || (host != null && !named.contentEqualsIgnoreCase(host)))) {
            return Malformed.AUTHORITY;
        }
        boolean connects = verb.equals(CONNECT);
        AsciiString other = protocol;
        if (other == null) {
            return connects ? connect(out, verb, named) : toTarget(out, verb);
        }
        if (!connects || named == null || !isName(other) || Upgrades.hideRequests(other.toString())) {
            return Malformed.CONNECT;
        }
        Malformed wrong = toTarget(out, GET);
        if (wrong == null) {
            upgrade(out, other);
        }
        return wrong;
    }

    /** Writes the request line of a request with scheme and path (RFC 9113 section 8.3.1). */
    private @Nullable Malformed toTarget(ByteBuf out, AsciiString verb) {
        AsciiString what = path;
        AsciiString how = scheme;
        if (what == null || how == null) {
            return Malformed.PSEUDO_MISSING;
        }
        boolean https = how.contentEqualsIgnoreCase(HTTPS);
        if (!https && !how.contentEqualsIgnoreCase(HTTP)) {
            return Malformed.SCHEME;
        }
        boolean all = what.length() == 1 && what.byteAt(0) == '*' && verb.equals(OPTIONS);
        if (!isPart(what) || (what.byteAt(0) != '/' && !all)) {
            return Malformed.PATH;
        }
        AsciiString where = authority == null ? host : authority;
        write(out, verb);
        out.writeByte(' ');
        if (secure != https && where != null && !all) {
            write(out, https ? HTTPS : HTTP);
            out.writeByte(':').writeByte('/').writeByte('/');
            write(out, where);
        }
        write(out, what);
        host(out, where);
        return null;
    }

    /** Writes an extended CONNECT (RFC 8441) as an HTTP/1 GET with Upgrade. */
    private static void upgrade(ByteBuf out, AsciiString to) {
        write(out, UPGRADE);
        write(out, to);
        end(out);
        if (to.contentEqualsIgnoreCase(WebSocketHandshake.PROTOCOL)) {
            write(out, KEY);
            write(out, AsciiString.of(WebSocketHandshake.key()));
            end(out);
        }
    }

    /** RFC 9113 section 8.5: an authority, and neither scheme nor path. */
    private @Nullable Malformed connect(ByteBuf out, AsciiString verb, @Nullable AsciiString named) {
        if (named == null || scheme != null || path != null) {
            return Malformed.CONNECT;
        }
        write(out, verb);
        out.writeByte(' ');
        write(out, named);
        host(out, named);
        return null;
    }

    /** Ends the request line. Without an authority the decoder detects the missing Host. */
    private static void host(ByteBuf out, @Nullable AsciiString where) {
        if (where == null) {
            out.writeBytes(VERSION.array(), VERSION.arrayOffset(), VERSION.length() - "Host: ".length());
        } else {
            write(out, VERSION);
            write(out, where);
            end(out);
        }
    }

    private void fields(RequestFields fields, ByteBuf out) {
        for (int i = regular; i < fields.size(); i++) {
            FieldName known = known(fields.name(i));
            if (known != FieldName.HOST && known != FieldName.COOKIE && !alreadyWritten(known)) {
                write(out, fields.name(i));
                out.writeByte(':').writeByte(' ');
                write(out, fields.value(i));
                end(out);
            }
        }
        if (cookies) {
            cookies(fields, out);
        }
        end(out);
    }

    /** Whether the translation has already written it. */
    private boolean alreadyWritten(@Nullable FieldName known) {
        return protocol != null && known == FieldName.SEC_WEBSOCKET_KEY;
    }

    /** Split cookies are joined into one field again (RFC 9113 section 8.2.3). */
    private void cookies(RequestFields fields, ByteBuf out) {
        boolean first = true;
        for (int i = regular; i < fields.size(); i++) {
            if (known(fields.name(i)) == FieldName.COOKIE) {
                if (first) {
                    write(out, COOKIE);
                } else {
                    out.writeByte(';').writeByte(' ');
                }
                first = false;
                write(out, fields.value(i));
            }
        }
        end(out);
    }

    private static @Nullable FieldName known(AsciiString name) {
        return FieldName.of(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
    }

    /** Reads trailers (RFC 9113 section 8.1); returns what is wrong with them, or null. */
    static @Nullable Malformed trailers(RequestFields fields, Fields out) {
        for (int i = 0; i < fields.size(); i++) {
            AsciiString name = fields.name(i);
            AsciiString value = fields.value(i);
            if (isPseudo(name)) {
                return Malformed.PSEUDO_IN_TRAILERS;
            }
            if (!isName(name)) {
                return Malformed.FIELD_NAME;
            }
            if (!isValue(value)) {
                return Malformed.FIELD_VALUE;
            }
            FieldName id = known(name);
            if (id != null && forbidden(id)) {
                return Malformed.TRAILER;
            }
            String text = new String(value.array(), value.arrayOffset(), value.length(), StandardCharsets.ISO_8859_1);
            try {
                out.add(name.toString(), text);
            } catch (IllegalArgumentException e) {
                return Malformed.FIELD_VALUE;
            }
        }
        return null;
    }

    /** As in HTTP/1: fields that frame or route a message are not permitted in trailers (RFC 9110 section 6.5.1). */
    private static boolean forbidden(FieldName id) {
        return switch (id) {
            case CONTENT_LENGTH,
                    TRANSFER_ENCODING,
                    HOST,
                    CONNECTION,
                    KEEP_ALIVE,
                    PROXY_CONNECTION,
                    TRAILER,
                    TE,
                    UPGRADE -> true;
            default -> false;
        };
    }

    private static void write(ByteBuf out, AsciiString text) {
        out.writeBytes(text.array(), text.arrayOffset(), text.length());
    }

    private static void end(ByteBuf out) {
        out.writeByte('\r').writeByte('\n');
    }
}
