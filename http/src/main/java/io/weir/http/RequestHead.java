package io.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * The head of a request. The decoder's own head is confined to its thread and valid until the decoder's next call of
 * decode or reset; {@link #copy()} creates one that owns its memory. Positions refer to {@link #bytes()}.
 */
public final class RequestHead extends MessageHead {
    int methodEnd;
    int targetStart;
    int targetEnd;
    int authorityStart;
    int authorityEnd;
    int pathStart;
    Method methodId = Method.OTHER;
    TargetForm form = TargetForm.ORIGIN;
    private int methodStart;
    // -1 until first computed
    private int queryStart = -1;
    private @Nullable String method;
    private @Nullable String target;
    private @Nullable String host;

    RequestHead(Fields fields) {
        super(fields);
    }

    void clear() {
        method = null;
        target = null;
        host = null;
        methodStart = 0;
        methodEnd = 0;
        targetStart = 0;
        targetEnd = 0;
        authorityStart = 0;
        authorityEnd = 0;
        pathStart = 0;
        queryStart = -1;
        methodId = Method.OTHER;
        clearFraming();
    }

    void method(Method known, int start, int end) {
        methodId = known;
        methodStart = start;
        methodEnd = end;
    }

    /** The method as sent; the constant's name for known methods. */
    public String method() {
        if (methodId != Method.OTHER) return methodId.name();
        String text = method;
        if (text == null) method = text = Ascii.string(bytes(), methodStart, methodEnd);
        return text;
    }

    /** The method, {@link Method#OTHER} if it is not known by name. */
    public Method methodId() {
        return methodId;
    }

    /** The request target as sent (RFC 9112 3.2). */
    public String target() {
        String text = target;
        if (text == null) target = text = Ascii.string(bytes(), targetStart, targetEnd);
        return text;
    }

    /** The form of the target. */
    public TargetForm targetForm() {
        return form;
    }

    /** The text that positions refer to; replaced when fields are added. Must not be modified. */
    public byte[] bytes() {
        return fields.bytes();
    }

    /** Position of the target's first byte. */
    public int targetStart() {
        return targetStart;
    }

    /** Position after the target's last byte. */
    public int targetEnd() {
        return targetEnd;
    }

    /** Position where path and query start: the target's start in origin form, after the authority in absolute form. */
    public int pathStart() {
        return pathStart;
    }

    /** Position of the query's question mark, or {@link #targetEnd()} if there is none. */
    public int queryStart() {
        int found = queryStart;
        if (found < 0) {
            byte[] bytes = bytes();
            found = pathStart;
            while (found < targetEnd && bytes[found] != '?') found++;
            queryStart = found;
        }
        return found;
    }

    /** The scheme of a target in absolute form as sent, otherwise null. */
    public @Nullable String scheme() {
        return form == TargetForm.ABSOLUTE ? Ascii.string(bytes(), targetStart, authorityStart - 3) : null;
    }

    /** Whether the target is in absolute form with scheme https; the decoder accepts only http and https. */
    public boolean namesHttps() {
        return form == TargetForm.ABSOLUTE && authorityStart - 3 - targetStart == "https".length();
    }

    /** Whether it is for a server as a whole: {@code *}, or OPTIONS with a URL of only its host (RFC 9112 3.2.4). */
    public boolean isForServer() {
        return form == TargetForm.ASTERISK
                || (methodId == Method.OPTIONS && form == TargetForm.ABSOLUTE && pathStart == targetEnd);
    }

    /** Path without query; {@code /} if a target in absolute form has none; {@code *}; empty for CONNECT. */
    public String path() {
        if (pathStart == queryStart() && form == TargetForm.ABSOLUTE) return "/";
        return Ascii.string(bytes(), pathStart, queryStart());
    }

    /** The query without its question mark, or null if there is none. */
    public @Nullable String query() {
        return queryStart() == targetEnd ? null : Ascii.string(bytes(), queryStart() + 1, targetEnd);
    }

    /**
     * The effective authority, {@code host[:port]} as sent: the target's in absolute and authority form, otherwise
     * Host. Null if an HTTP/1.0 request has none.
     */
    public @Nullable String host() {
        String text = host;
        if (text == null && authorityStart > 0) host = text = Ascii.string(bytes(), authorityStart, authorityEnd);
        return text;
    }

    /** Position of the effective authority's first byte; 0 if there is none. */
    public int hostStart() {
        return authorityStart;
    }

    /** Position after the effective authority's last byte; 0 if there is none. */
    public int hostEnd() {
        return authorityEnd;
    }

    /** The effective authority without its port, or null; IPv6 keeps its brackets. */
    public @Nullable String hostName() {
        if (authorityStart == authorityEnd) return host();
        return Ascii.string(bytes(), authorityStart, Authority.hostEnd(bytes(), authorityStart, authorityEnd));
    }

    /** The port in the effective authority, or -1 if it has none. */
    public int port() {
        if (authorityStart == authorityEnd) return -1;
        return Authority.port(bytes(), Authority.hostEnd(bytes(), authorityStart, authorityEnd), authorityEnd);
    }

    /** Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 10.1.1). */
    public boolean expectsContinue() {
        return version != Version.HTTP_1_0
                && framing != Framing.NONE
                && fields.hasToken(FieldName.EXPECT, "100-continue");
    }

    /**
     * Marks the head as received in HTTP/2 frames and decoded from its translation into HTTP/1 syntax (RFC 9113 8.3.1):
     * the frames, not the fields, then determine whether a body follows. To be called on a decoder's head, before it is
     * used.
     */
    public void overHttp2(boolean bodyFollows) {
        version = Version.HTTP_2;
        keepAlive = true;
        if (bodyFollows && contentLength < 0) framing = Framing.CHUNKED;
    }

    /** A copy of the head in its own memory. */
    public RequestHead copy() {
        RequestHead copy = new RequestHead(fields.snapshot());
        copy.method(methodId, methodStart, methodEnd);
        copy.targetStart = targetStart;
        copy.targetEnd = targetEnd;
        copy.authorityStart = authorityStart;
        copy.authorityEnd = authorityEnd;
        copy.pathStart = pathStart;
        copy.queryStart = queryStart;
        copy.form = form;
        copy.copyFraming(this);
        return copy;
    }

    @Override
    public String toString() {
        return method() + ' ' + target() + ' ' + version.text() + '\n' + fields;
    }
}
