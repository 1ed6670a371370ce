package io.weir.http;

/** The common part of request and response heads: version, fields, framing. Owned like the head that it belongs to. */
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
     * How the body ends (RFC 9112 6.3): for a request never by closing, for a response according to its request's
     * method.
     */
    public final Framing framing() {
        return framing;
    }

    /**
     * The value of Content-Length, or -1 if there is none. In a response with {@link Framing#NONE} it is the size of a
     * body that is not sent.
     */
    public final long contentLength() {
        return contentLength;
    }

    /**
     * Whether the connection can be used for another request (RFC 9112 9.3): never if a response's body ends with it.
     */
    public final boolean keepAlive() {
        return keepAlive;
    }
}
