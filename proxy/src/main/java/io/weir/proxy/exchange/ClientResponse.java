package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.weir.base.Counter;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.Fields;
import io.weir.http.Framing;
import io.weir.http.Method;
import io.weir.http.Reason;
import io.weir.http.RequestHead;
import io.weir.http.ResponseHead;
import io.weir.http.Version;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.Hops;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.fields.Trailers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes a client's answers one after the other: decides how each body is framed towards that client and counts bytes.
 * Owned by a client connection, confined to its muxer, lives as long as the connection.
 */
public final class ClientResponse {
    /** How the current body is framed. */
    private enum Body {
        NONE,
        LENGTH,
        /** In chunks, or in frames without a preceding length. */
        CHUNKED,
        UNTIL_CLOSE
    }

    private static final int HEAD_BYTES = 512;

    /** A long answer is counted while it is sent, in steps of this size. */
    private static final int COUNTED_BYTES = 64 * 1024;

    private static final byte[] CLOSE = "Connection: close\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEEP_ALIVE = "Connection: keep-alive\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DATE = "Date: ".getBytes(StandardCharsets.US_ASCII);

    /** Fields that are not relayed as received: hop-by-hop (RFC 9110 section 7.6.1), or generated here. */
    private static final FieldNames OWN = FieldNames.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TE,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE,
            FieldName.CONTENT_LENGTH,
            FieldName.VIA);

    private final LoopContext loop;
    private final ByteBufAllocator alloc;
    private final AnswerSink outbox;
    private final boolean frames;
    private Body body = Body.NONE;
    private boolean keepAlive;
    private boolean started;
    private boolean head;
    private boolean acceptsTrailers;
    private boolean cut;
    private Version version = Version.HTTP_1_1;
    private int status;
    private long headBytes;
    private long bodyBytes;
    private long promised;
    private @Nullable Counter sent;
    private long counted;
    private String ownType = "";

    /**
     * @param frames the sink writes frames, so a body is ended neither by chunks nor by the end of the connection, and
     *     no Connection field is sent (RFC 9113 section 8.2.2)
     */
    public ClientResponse(LoopContext loop, ByteBufAllocator alloc, AnswerSink sink, boolean frames) {
        this.loop = loop;
        this.alloc = alloc;
        this.outbox = sink;
        this.frames = frames;
    }

    /**
     * Prepares for the answer to a request.
     *
     * @param bytes counts the bytes of long answers while they are sent
     */
    void begin(RequestHead request, Counter bytes) {
        beginUnread();
        sent = bytes;
        version = request.version();
        head = request.methodId() == Method.HEAD;
        Fields fields = request.fields();
        acceptsTrailers = fields.has(FieldName.TE) && fields.hasToken(FieldName.TE, "trailers");
    }

    /** Bytes counted before the end of the answer. */
    long counted() {
        return counted;
    }

    AnswerSink outbox() {
        return outbox;
    }

    /** Whether a final head has been written. */
    public boolean started() {
        return started;
    }

    /** Whether the connection may carry another request after this answer. */
    public boolean keepsAlive() {
        return keepAlive;
    }

    int status() {
        return status;
    }

    /** The Content-Type of an answer by the proxy itself; empty if it has none or an origin's answer was relayed. */
    String ownType() {
        return ownType;
    }

    long headBytes() {
        return headBytes;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    /** Relays a 1xx answer; HTTP/1.0 clients do not understand them (RFC 9110 section 15.2). */
    void informational(ResponseHead answer) {
        if (version == Version.HTTP_1_0) {
            return;
        }
        ByteBuf out = alloc.directBuffer(HEAD_BYTES);
        Encoder.statusLine(out, Version.HTTP_1_1, answer.status(), answer.reason());
        Fields fields = answer.fields();
        Hops hops = Hops.in(fields);
        Encoder.fields(out, fields, (f, i) -> relayed(f, i, hops));
        Encoder.endOfHead(out);
        outbox.hold(out);
        outbox.flush();
    }

    /** Writes the head that opens a tunnel; takes ownership. */
    void tunnelHead(int statusCode, ByteBuf out) {
        status = statusCode;
        headBytes = out.readableBytes();
        started = true;
        keepAlive = false;
        outbox.hold(out);
    }

    /**
     * Relays the 101 that changes the protocol (RFC 9110 section 7.8); in frames that is a 200 (RFC 8441 section 5).
     */
    void switching(ResponseHead answer) {
        ByteBuf out = alloc.directBuffer(HEAD_BYTES);
        int code = frames ? 200 : 101;
        Encoder.statusLine(out, Version.HTTP_1_1, code, frames ? "" : answer.reason());
        Fields fields = answer.fields();
        Hops hops = Hops.in(fields);
        Encoder.fields(
                out, fields, (f, i) -> relayed(f, i, hops) && !(frames && f.id(i) == FieldName.SEC_WEBSOCKET_ACCEPT));
        loop.proxy().name().writeVia(out, fields, answer.version());
        String protocol = fields.combined(FieldName.UPGRADE);
        if (protocol != null && !frames) {
            Encoder.field(out, FieldName.UPGRADE, protocol);
        }
        if (!frames) {
            Encoder.field(out, FieldName.CONNECTION, "upgrade");
        }
        Encoder.endOfHead(out);
        tunnelHead(code, out);
    }

    /**
     * Relays an origin's head.
     *
     * @param as the status: the answer's own, or 304 instead, without the fields that describe content (RFC 9110
     *     section 15.4.5)
     * @param keep whether the connection is to be kept; set to false if the end of the connection must end the body
     * @param note for Cache-Status
     */
    public void relay(ResponseHead answer, int as, boolean keep, CacheNote note) {
        Fields fields = answer.fields();
        long length = answer.framing() == Framing.LENGTH ? answer.contentLength() : 0;
        int room = length <= AnswerSink.COPY_BYTES ? (int) length : 0;
        ByteBuf out = alloc.directBuffer(2 * HEAD_BYTES + room);
        status = as;
        boolean whole = as == answer.status();
        Encoder.statusLine(out, Version.HTTP_1_1, as, whole ? answer.reason() : Reason.of(as));
        Hops hops = Hops.in(fields);
        Encoder.fields(
                out, fields, (f, i) -> relayed(f, i, hops) && (whole || Conditionals.belongsIn304(lower(f.name(i)))));
        loop.proxy().name().writeVia(out, fields, answer.version());
        if (!fields.has(FieldName.DATE)) {
            date(out);
        }
        frame(out, answer.framing(), answer.contentLength(), keep, whole && fields.has(FieldName.CONTENT_LENGTH));
        note.writeStatus(out, loop.proxy().name().cacheStatusStart());
        finish(out, null);
    }

    /**
     * Completes a stored answer's head: framing if the store does not know the length, persistence, the empty line.
     *
     * @param out contains the status line and the fields so far, including Content-Length if the length is known; not
     *     written and not released
     * @param length bytes of the body that follow, or -1 if unknown
     */
    void completeStored(ByteBuf out, int statusCode, long length, boolean keep) {
        status = statusCode;
        keepAlive = keep;
        if (head || status == 304 || status == 204) {
            body = Body.NONE;
        } else if (length >= 0) {
            body = Body.LENGTH;
            promised = length;
        } else if (version != Version.HTTP_1_0) {
            body = Body.CHUNKED;
            if (!frames) {
                Encoder.chunkedLine(out);
            }
        } else {
            body = Body.UNTIL_CLOSE;
            keepAlive = false;
        }
        persistence(out);
        Encoder.endOfHead(out);
        headBytes = out.readableBytes();
        started = true;
    }

    /** Writes a buffer that contains a completed head and the given number of bytes of its body; takes ownership. */
    void writeCompleted(ByteBuf out, long ofBody) {
        bodyBytes += ofBody;
        outbox.hold(out);
    }

    /** Whether the request was a HEAD, so that no body is written. */
    boolean headOnly() {
        return head;
    }

    /** Prepares for an answer to a request whose head could not be read. */
    void beginUnread() {
        version = Version.HTTP_1_1;
        head = false;
        acceptsTrailers = false;
        sent = null;
        counted = 0;
        clear();
    }

    private void clear() {
        cut = false;
        keepAlive = false;
        started = false;
        status = 0;
        headBytes = 0;
        bodyBytes = 0;
        promised = -1;
        ownType = "";
        body = Body.NONE;
    }

    /**
     * Writes an answer by the proxy itself.
     *
     * @param fields complete lines to add, or null; not released
     * @param content the body; taken over
     */
    void local(int statusCode, String contentType, ByteBuf content, boolean keep, @Nullable ByteBuf fields) {
        status = statusCode;
        ownType = contentType;
        ByteBuf out = alloc.directBuffer(HEAD_BYTES);
        Encoder.statusLine(out, Version.HTTP_1_1, status);
        date(out);
        boolean none = status == 204 || status == 304;
        if (!none && !contentType.isEmpty()) {
            Encoder.field(out, FieldName.CONTENT_TYPE, contentType);
        }
        frame(out, Framing.LENGTH, content.readableBytes(), keep, !none);
        finish(out, fields);
        data(content);
        end(null);
    }

    private void finish(ByteBuf out, @Nullable ByteBuf extra) {
        if (extra != null) {
            out.writeBytes(extra, extra.readerIndex(), extra.readableBytes());
        }
        Encoder.endOfHead(out);
        headBytes = out.readableBytes();
        started = true;
        outbox.hold(out);
    }

    private static boolean relayed(Fields fields, int i, Hops hops) {
        FieldName id = fields.id(i);
        if (id != null && OWN.contains(id)) {
            return false;
        }
        return hops.nominated().isEmpty() || !hops.removes(lower(fields.name(i)));
    }

    private static String lower(String name) {
        return name.toLowerCase(java.util.Locale.ROOT);
    }

    private void date(ByteBuf out) {
        out.writeBytes(DATE);
        out.writeBytes(loop.dateNow());
        out.writeByte('\r').writeByte('\n');
    }

    private void frame(ByteBuf out, Framing framing, long length, boolean keep, boolean lengthKnown) {
        keepAlive = keep;
        boolean empty = head || status < 200 || status == 204 || status == 304;
        if (empty) {
            body = Body.NONE;
            if (lengthKnown && length >= 0 && status != 204 && status >= 200) {
                Encoder.field(out, FieldName.CONTENT_LENGTH, length);
            }
        } else if (framing == Framing.LENGTH || framing == Framing.NONE) {
            body = Body.LENGTH;
            promised = Math.max(0, length);
            Encoder.field(out, FieldName.CONTENT_LENGTH, promised);
        } else if (version != Version.HTTP_1_0) {
            body = Body.CHUNKED;
            if (!frames) {
                Encoder.chunkedLine(out);
            }
        } else {
            body = Body.UNTIL_CLOSE;
            keepAlive = false;
        }
        if (status >= 200) {
            persistence(out);
        }
    }

    private void persistence(ByteBuf out) {
        if (frames) {
            return;
        }
        if (!keepAlive) {
            out.writeBytes(CLOSE);
        } else if (version == Version.HTTP_1_0) {
            out.writeBytes(KEEP_ALIVE);
        }
    }

    /** Writes a piece of the body; takes ownership. If the answer has no body it is discarded. */
    void data(ByteBuf data) {
        if (body == Body.NONE) {
            data.release();
            return;
        }
        count(data.readableBytes());
        if (body == Body.CHUNKED) {
            outbox.chunk(data);
        } else {
            outbox.add(data);
        }
    }

    /** Writes a part of a file, of an answer with a known length; takes ownership. What is sent is to be {@link #count}ed. */
    void data(FileRegion part) {
        outbox.add(part);
    }

    /** So many bytes more of the body are sent. */
    void count(long bytes) {
        bodyBytes += bytes;
        if (sent != null && bodyBytes - counted >= COUNTED_BYTES) {
            sent.add(bodyBytes - counted);
            counted = bodyBytes;
        }
    }

    /**
     * Ends the body. Returns false if it is shorter than announced: then only closing the connection shows the client
     * that it is incomplete.
     */
    boolean end(@Nullable Fields trailers) {
        if (body == Body.CHUNKED) {
            outbox.lastChunk(trailers == null || trailers.size() == 0 ? null : passing(trailers));
        }
        if (body == Body.LENGTH && bodyBytes != promised) {
            keepAlive = false;
            cut = true;
            return false;
        }
        return true;
    }

    private Fields passing(Fields trailers) {
        if (!acceptsTrailers) {
            loop.counters().trailersNotAccepted.add(trailers.size());
            return Trailers.NONE;
        }
        return loop.proxy().passing(trailers);
    }

    /** Discards an answer that was begun; returns false if its client may have received some of it. */
    boolean retract() {
        if (!started || !outbox.retract()) {
            return false;
        }
        clear();
        return true;
    }

    /** Records the status of a request that gets no answer. */
    public void refused(int statusCode) {
        beginUnread();
        status = statusCode;
    }

    /** Whether the answer ended before its announced length. */
    public boolean cut() {
        return cut;
    }

    /** Whether an orderly close lets a client detect a truncated answer (RFC 9112 section 8). */
    boolean cutIsVisible() {
        return body != Body.UNTIL_CLOSE;
    }
}
