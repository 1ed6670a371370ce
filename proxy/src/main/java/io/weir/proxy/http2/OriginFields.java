package io.weir.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import java.util.Locale;
import java.util.Map;

/** Converts the fields of requests to origins and of their answers between HTTP/1 and HTTP/2 syntax. Stateless. */
final class OriginFields {
    private static final AsciiString CONNECT = AsciiString.cached("CONNECT");
    private static final AsciiString SEC_WEBSOCKET_KEY = AsciiString.cached("sec-websocket-key");

    private OriginFields() {}

    /** A request's fields (RFC 9113 section 8.3.1). */
    static Http2Headers of(RequestHead head, boolean tls) {
        Fields fields = head.fields();
        Http2Headers headers = new DefaultHttp2Headers(false, fields.size() + 4).method(head.method());
        String host = head.host();
        if (host != null) {
            headers.authority(host);
        }
        return fields(head, tls, headers);
    }

    /** An extended CONNECT (RFC 8441 section 4) for an HTTP/1 Upgrade. */
    static Http2Headers of(RequestHead head, boolean tls, String protocol) {
        Http2Headers headers = of(head, tls);
        headers.method(CONNECT).set(Http2Headers.PseudoHeaderName.PROTOCOL.value(), protocol);
        headers.remove(SEC_WEBSOCKET_KEY);
        return headers;
    }

    private static Http2Headers fields(RequestHead head, boolean tls, Http2Headers headers) {
        Fields fields = head.fields();
        if (head.methodId() != Method.CONNECT) {
            headers.scheme(tls ? "https" : "http").path(head.target());
        }
        for (int i = 0; i < fields.size(); i++) {
            FieldName known = fields.id(i);
            if (known == null || !omitted(known)) {
                headers.add(
                        AsciiString.of(known == null ? fields.name(i).toLowerCase(Locale.ROOT) : known.lower()),
                        new AsciiString(
                                fields.bytes(), fields.valueStart(i), fields.valueEnd(i) - fields.valueStart(i), true));
            }
        }
        return headers;
    }

    private static boolean omitted(FieldName name) {
        return switch (name) {
            case HOST, CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE, HTTP2_SETTINGS -> true;
            default -> false;
        };
    }

    /** The status; 0 if there is no valid one. */
    static int status(Http2Headers headers) {
        CharSequence text = headers.status();
        if (text == null || text.length() != 3) {
            return 0;
        }
        int status = 0;
        for (int i = 0; i < 3; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return 0;
            }
            status = 10 * status + text.charAt(i) - '0';
        }
        return status;
    }

    /** Writes an answer's fields as lines; returns false if they are malformed (RFC 9113 section 8.2). */
    static boolean write(Http2Headers headers, ByteBuf out) {
        for (Map.Entry<CharSequence, CharSequence> field : headers) {
            AsciiString name = AsciiString.of(field.getKey());
            AsciiString value = AsciiString.of(field.getValue());
            if (name.startsWith(":")) {
                if (!name.contentEquals(":status")) {
                    return false;
                }
                continue;
            }
            if (!RequestText.isName(name) || !RequestText.isValue(value) || ofConnection(name)) {
                return false;
            }
            out.writeBytes(name.array(), name.arrayOffset(), name.length());
            out.writeByte(':').writeByte(' ');
            out.writeBytes(value.array(), value.arrayOffset(), value.length());
            out.writeByte('\r').writeByte('\n');
        }
        return true;
    }

    private static boolean ofConnection(AsciiString name) {
        FieldName known = FieldName.of(name.array(), name.arrayOffset(), name.arrayOffset() + name.length());
        if (known == null) {
            return false;
        }
        return switch (known) {
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE -> true;
            default -> false;
        };
    }
}
