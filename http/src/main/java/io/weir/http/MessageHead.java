package io.weir.http;

/**
 * What the heads of requests and responses have in common: version, fields, framing. Owned as the head that it is of.
 */
public abstract sealed class MessageHead permits RequestHead, ResponseHead {
    final Fields fields;
    Version version = Version.HTTP_1_1;
    Framing framing = Framing.NONE;
    long contentLength = -1;
    boolean keepAlive;

    MessageHead(Fields fields) {
        this.fields = fields;
    }

    final void clearFraming() {
        framing = Framing.NONE;
        contentLength = -1;
        keepAlive = false;
    }

    final void copyFraming(MessageHead from) {
        version = from.version;
        framing = from.framing;
        contentLength = from.contentLength;
        keepAlive = from.keepAlive;
    }

    public final Version version() {
        return version;
    }

    /** The header fields; program code may change them. */
    public final Fields fields() {
        return fields;
    }

    /**
     * How the body ends (RFC 9112 6.3): of a request never until close, of a response given the method of its request.
     */
    public final Framing framing() {
        return framing;
    }

    /**
     * The value of Content-Length, or -1 when there is none. In a response with {@link Framing#NONE} it is the size of
     * a body that is not sent.
     */
    public final long contentLength() {
        return contentLength;
    }

    /** Whether the connection can take another request (RFC 9112 9.3): never when a response's body ends with it. */
    public final boolean keepAlive() {
        return keepAlive;
    }
}
