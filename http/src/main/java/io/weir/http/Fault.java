package io.weir.http;

import java.util.Locale;

/**
 * All reasons to reject an HTTP/1 message, each counted under its own label. The status is that of the response to a
 * faulty request; a faulty response is always answered 502. Each of them closes the connection: after a fault the two
 * ends may disagree on where the next message starts (RFC 9112 11.2). Immutable. The table with examples is
 * docs/http-strictness.md.
 */
public enum Fault {
    REQUEST_LINE_TOO_LONG(414, "the request line is longer than the limit"),
    REQUEST_LINE_EMPTY(400, "more than one empty line before the request line"),
    REQUEST_LINE_SPACING(400, "the request line is not METHOD SP TARGET SP VERSION"),
    METHOD_INVALID(400, "the method is not a token"),
    METHOD_TOO_LONG(501, "the method is longer than the limit"),
    TARGET_CHARACTER(400, "the request target contains a byte that is not visible ASCII"),
    TARGET_FRAGMENT(400, "the request target contains a fragment"),
    TARGET_INVALID(400, "the request target has none of the four forms"),
    TARGET_SCHEME(400, "the scheme of the request target is neither http nor https"),
    TARGET_FORM_FOR_METHOD(400, "the form of the request target is not allowed for this method"),
    AUTHORITY_INVALID(400, "the authority in the request target is invalid"),
    AUTHORITY_USERINFO(400, "the authority in the request target contains user information"),
    VERSION_MISSING(400, "the request line has no version (HTTP/0.9)"),
    VERSION_MALFORMED(400, "the version is not HTTP/digit.digit"),
    VERSION_UNSUPPORTED(505, "the version is neither HTTP/1.0 nor HTTP/1.1"),
    STATUS_LINE_TOO_LONG(400, "the status line is longer than the limit"),
    STATUS_LINE_MALFORMED(400, "the status line is not VERSION SP STATUS SP REASON"),
    STATUS_INVALID(400, "the status is not three digits from 100"),
    TLS_ON_PLAIN_PORT(400, "a TLS handshake was sent to a port without TLS"),
    BARE_LF(400, "a line ends with LF without CR"),
    BARE_CR(400, "a CR is not followed by LF"),
    NUL_BYTE(400, "the head contains a NUL byte"),
    CONTROL_CHARACTER(400, "the head contains a control character"),
    LEADING_WHITESPACE(400, "white space precedes the first field"),
    OBS_FOLD(400, "a field is folded over two lines"),
    SPACE_BEFORE_COLON(400, "white space precedes the colon of a field name"),
    FIELD_NAME_EMPTY(400, "a field has no name"),
    FIELD_NAME_INVALID(400, "a field name is not a token"),
    FIELD_NAME_HIGH_BYTE(400, "a field name contains a byte above 0x7F"),
    FIELD_NAME_LOOKALIKE(400, "a field name imitates a framing field"),
    FIELD_WITHOUT_COLON(400, "a field line has no colon"),
    HEADERS_TOO_LARGE(431, "the header section is larger than the limit"),
    HEADERS_TOO_MANY(431, "the header section has more fields than the limit"),
    CONTENT_LENGTH_DUPLICATE(400, "there is more than one Content-Length"),
    CONTENT_LENGTH_LIST(400, "Content-Length contains a list"),
    CONTENT_LENGTH_EMPTY(400, "Content-Length is empty"),
    CONTENT_LENGTH_MALFORMED(400, "Content-Length is not a plain decimal number"),
    CONTENT_LENGTH_OVERFLOW(400, "Content-Length does not fit 63 bits"),
    CONTENT_LENGTH_WITH_TRANSFER_ENCODING(400, "there are both Content-Length and Transfer-Encoding"),
    TRANSFER_ENCODING_IN_HTTP_1_0(400, "Transfer-Encoding in an HTTP/1.0 message"),
    TRANSFER_ENCODING_DUPLICATE(400, "there is more than one Transfer-Encoding"),
    TRANSFER_ENCODING_MALFORMED(400, "Transfer-Encoding is not exactly one coding in plain form"),
    TRANSFER_ENCODING_NOT_LAST(400, "chunked is not the last transfer coding"),
    TRANSFER_ENCODING_REPEATED(400, "chunked is applied twice"),
    TRANSFER_ENCODING_IDENTITY(400, "the transfer coding identity is obsolete"),
    TRANSFER_ENCODING_UNKNOWN(501, "a transfer coding other than chunked"),
    BODY_NOT_ALLOWED(400, "the method has no body, but one is declared"),
    CONNECTION_NAMES_FRAMING(400, "Connection names a field that must not be removed"),
    HOST_MISSING(400, "an HTTP/1.1 request has no Host"),
    HOST_DUPLICATE(400, "there is more than one Host"),
    HOST_INVALID(400, "Host is empty or not a host with an optional port"),
    HOST_MISMATCH(400, "Host differs from the authority in the request target"),
    CHUNK_SIZE_INVALID(400, "a chunk size is not plain hexadecimal digits"),
    CHUNK_SIZE_OVERFLOW(400, "a chunk size has more than 16 digits or does not fit 63 bits"),
    CHUNK_LINE_TOO_LONG(400, "a chunk-size line is longer than the limit"),
    CHUNK_EXTENSION_INVALID(400, "a chunk extension is malformed"),
    CHUNK_EXTENSIONS_TOO_LARGE(400, "the chunk extensions of the body are larger than the limit"),
    CHUNK_DATA_UNTERMINATED(400, "chunk data is not followed by CRLF"),
    TRAILERS_TOO_LARGE(431, "the trailer section is larger than the limit"),
    TRAILERS_TOO_MANY(431, "the trailer section has more fields than the limit"),
    TRAILER_FORBIDDEN(400, "the trailer section contains a framing or routing field"),
    HEAD_TRUNCATED(400, "the connection was closed within a head"),
    BODY_TRUNCATED(400, "the connection was closed within a body");

    private final String label;
    private final int status;
    private final String text;

    Fault(int status, String text) {
        this.label = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.status = status;
        this.text = text;
    }

    /** The label of its counter, for example {@code bare-lf}. */
    public String label() {
        return label;
    }

    /** The status of the response to a request rejected for it. */
    public int status() {
        return status;
    }

    /** A description for the log. */
    public String text() {
        return text;
    }

    /** Whether the connection must be closed after the response: always, see the class comment. */
    public boolean closes() {
        return true;
    }
}
