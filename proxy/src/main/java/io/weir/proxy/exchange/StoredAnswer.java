package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.Version;
import io.weir.http.semantics.Conditionals;
import io.weir.http.semantics.Ranges;
import io.weir.proxy.cache.Decision;
import io.weir.proxy.cache.fill.FillCursor;
import io.weir.proxy.cache.store.StoredHead;
import io.weir.proxy.cache.store.StoredObject;
import io.weir.proxy.fields.ProxyName;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.members.MemberFields;
import io.weir.proxy.members.OwnerMark;
import io.weir.proxy.program.run.RunState;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Answers from stored objects: the head that was encoded once, with Age, Via and Cache-Status added; 304 and 206 if the
 * client's request calls for them. Stateless.
 */
final class StoredAnswer {
    /** Up to this size head and body are copied into one buffer: one write call costs less than a gathering write. */
    static final int COPY_BYTES = 16 * 1024;

    private static final int EXTRA_BYTES = 192;
    private static final Ranges.Resolved WHOLE = new Ranges.Whole();

    private StoredAnswer() {}

    /** Answers a hit, if Filter and Output permit it; returns their state. A body below the memory follows later. */
    static RunState of(ExchangeState exchange, Decision.Hit hit) {
        StoredObject object = hit.object();
        exchange.note().hit(hit);
        exchange.stored = object;
        RunState state = Outputs.of(exchange, object);
        if (state == RunState.READY && object.below() == null && hit(exchange, object)) {
            exchange.loopContext().proxy().cache().answeredByHead();
        }
        return state;
    }

    /** Slices or copies what it sends; the object remains the exchange's. Returns whether its head was enough. */
    private static boolean hit(ExchangeState exchange, StoredObject object) {
        RequestHead request = exchange.head();
        Fields fields = request.fields();
        if (Conditionals.isConditional(fields) && notModified(exchange, object)) {
            return true;
        }
        if (!fields.has(FieldName.RANGE) || !range(exchange, object)) {
            whole(exchange, object);
        }
        return exchange.response().headOnly() || object.contentLength() == 0;
    }

    /**
     * The part of an object's body below the memory that the request selects; null if there is none to send: then it is
     * answered.
     */
    static Ranges.@Nullable Span below(ExchangeState exchange, StoredObject object) {
        Fields fields = exchange.head().fields();
        if (Conditionals.isConditional(fields) && notModified(exchange, object)) {
            exchange.loopContext().proxy().cache().answeredByHead();
            return null;
        }
        switch (selected(exchange, object)) {
            case Ranges.Unsatisfiable _ -> {
                unsatisfiable(exchange, object);
                return null;
            }
            case Ranges.Parts parts
            when parts.spans().size() == 1 -> {
                return parts.spans().getFirst();
            }
            case Ranges.Whole _, Ranges.Parts _ -> {
                if (bodyless(exchange.response(), object)) {
                    whole(exchange, object);
                    exchange.loopContext().proxy().cache().answeredByHead();
                    return null;
                }
                return new Ranges.Span(0, object.contentLength() - 1);
            }
        }
    }

    /** Writes the head of an answer with a part of the body that {@link #below} returned. */
    static void headOfBelow(ExchangeState exchange, StoredObject object, Ranges.Span span) {
        if (selected(exchange, object) instanceof Ranges.Parts parts
                && parts.spans().size() == 1) {
            headOfPart(exchange, object, span);
            return;
        }
        ByteBuf out = start(exchange, object, 0);
        exchange.response().completeStored(out, object.status(), object.contentLength(), keep(exchange));
        exchange.response().writeCompleted(out, 0);
    }

    private static boolean bodyless(ClientResponse response, StoredObject object) {
        return response.headOnly() || object.status() == 204 || object.status() == 304;
    }

    private static void whole(ExchangeState exchange, StoredObject object) {
        ClientResponse response = exchange.response();
        long length = object.contentLength();
        boolean bodyless = bodyless(response, object);
        boolean copy = !bodyless && length <= COPY_BYTES;
        ByteBuf out = start(exchange, object, copy ? (int) length : 0);
        response.completeStored(out, object.status(), length, keep(exchange));
        if (copy) {
            object.writeBody(out);
        }
        response.writeCompleted(out, copy ? length : 0);
        if (!copy && !bodyless) {
            for (int i = 0; i < object.bodyParts(); i++) {
                ByteBuf part = object.bodyPart(i);
                if (part.isReadable()) {
                    response.data(part);
                } else {
                    part.release();
                }
            }
        }
    }

    private static ByteBuf start(ExchangeState exchange, StoredObject object, int bodyBytes) {
        ByteBuf out = exchange.client().alloc().directBuffer(object.headLength() + EXTRA_BYTES + bodyBytes);
        object.writeHead(out);
        withheld(exchange, out, false);
        decorate(exchange, object, out);
        return out;
    }

    /** Fields that are not stored, and that this client gets because its own fetch received them. */
    private static void withheld(ExchangeState exchange, ByteBuf out, boolean in304) {
        Fields own = exchange.withheld();
        if (own != null) {
            if (exchange.ofMember()) {
                ByteBufUtil.writeAscii(out, MemberFields.WITHHELD + ": " + MemberFields.names(own) + "\r\n");
            }
            Encoder.fields(
                    out,
                    own,
                    (f, i) -> !in304 || Conditionals.belongsIn304(f.name(i).toLowerCase(Locale.ROOT)));
        }
    }

    private static void decorate(ExchangeState exchange, StoredObject object, ByteBuf out) {
        ProxyName name = exchange.loopContext().proxy().name();
        HeaderEdits edits = exchange.run().outputEdits();
        if (edits != null) {
            Outputs.edit(out, edits);
        }
        exchange.note().writeAge(out);
        exchange.note().from(object.from());
        out.writeBytes(name.viaLine(object.received()));
        exchange.note().writeStatus(out, name.cacheStatusStart());
    }

    private static boolean keep(ExchangeState exchange) {
        return exchange.keepsAlive();
    }

    /** RFC 9111 section 4.3.2; returns false if the whole object is to be sent. */
    private static boolean notModified(ExchangeState exchange, StoredObject object) {
        long now = exchange.loopContext().clock().millis() / 1000;
        long received = object.freshness().responseMillis() / 1000;
        RequestHead request = exchange.head();
        Conditionals.Outcome outcome =
                Conditionals.byCache(request.methodId(), object.status(), request.fields(), object, received, now);
        if (outcome != Conditionals.Outcome.NOT_MODIFIED) {
            return false;
        }
        ByteBuf out = exchange.client().alloc().directBuffer(object.headLength() + EXTRA_BYTES);
        Encoder.statusLine(out, Version.HTTP_1_1, 304);
        object.writeNotModifiedFields(out);
        withheld(exchange, out, true);
        decorate(exchange, object, out);
        exchange.response().completeStored(out, 304, 0, keep(exchange));
        exchange.response().writeCompleted(out, 0);
        return true;
    }

    /** What the Range of the request selects, if it has one that applies (RFC 9110 section 14). */
    private static Ranges.Resolved selected(ExchangeState exchange, StoredObject object) {
        RequestHead request = exchange.head();
        Fields fields = request.fields();
        long length = object.contentLength();
        if (!fields.has(FieldName.RANGE) || request.methodId() != Method.GET || object.status() != 200 || length < 0) {
            return WHOLE;
        }
        Ranges ranges = Ranges.parse(fields.combined(FieldName.RANGE));
        long now = exchange.loopContext().clock().millis() / 1000;
        if (ranges == null) {
            return WHOLE;
        }
        boolean applies = !fields.has(FieldName.IF_RANGE) || Conditionals.rangeApplies(fields, object, now);
        return applies ? ranges.resolve(length) : WHOLE;
    }

    /** Supports one range, several get the whole object. Returns false if the whole object is to be sent. */
    private static boolean range(ExchangeState exchange, StoredObject object) {
        return switch (selected(exchange, object)) {
            case Ranges.Whole _ -> false;
            case Ranges.Unsatisfiable _ -> {
                unsatisfiable(exchange, object);
                yield true;
            }
            case Ranges.Parts parts -> {
                if (parts.spans().size() != 1) {
                    yield false;
                }
                part(exchange, object, parts.spans().getFirst());
                yield true;
            }
        };
    }

    private static void unsatisfiable(ExchangeState exchange, StoredObject object) {
        ByteBuf fields = exchange.loopContext().proxy().allocator().buffer(96);
        Encoder.field(fields, FieldName.CONTENT_RANGE, Ranges.unsatisfied(object.contentLength()));
        if (exchange.ofMember()) {
            ByteBufUtil.writeAscii(fields, MemberFields.FROM + ": " + OwnerMark.text(object.from()) + "\r\n");
        }
        try {
            exchange.response().local(416, "", Unpooled.EMPTY_BUFFER, keep(exchange), fields);
        } finally {
            fields.release();
        }
    }

    private static void headOfPart(ExchangeState exchange, StoredObject object, Ranges.Span span) {
        ByteBuf out = exchange.client().alloc().directBuffer(object.headLength() + EXTRA_BYTES);
        Encoder.statusLine(out, Version.HTTP_1_1, 206);
        partFields(object, out);
        withheld(exchange, out, false);
        Encoder.field(out, FieldName.CONTENT_RANGE, span.contentRange(object.contentLength()));
        Encoder.field(out, FieldName.CONTENT_LENGTH, span.length());
        decorate(exchange, object, out);
        ClientResponse response = exchange.response();
        response.completeStored(out, 206, span.length(), keep(exchange));
        response.writeCompleted(out, 0);
    }

    private static void part(ExchangeState exchange, StoredObject object, Ranges.Span span) {
        headOfPart(exchange, object, span);
        ClientResponse response = exchange.response();
        for (int i = 0; i < object.bodyParts(); i++) {
            ByteBuf piece = object.bodyPart(i, span.first(), span.last() + 1);
            if (piece.isReadable()) {
                response.data(piece);
            } else {
                piece.release();
            }
        }
    }

    /** All stored fields except Content-Length, which becomes the part's. */
    private static void partFields(StoredObject object, ByteBuf out) {
        ByteBuf head = object.head();
        try {
            int at = head.readerIndex();
            int end = head.writerIndex();
            at = lineEnd(head, at, end);
            while (at < end) {
                int next = lineEnd(head, at, end);
                int colon = head.indexOf(at, next, (byte) ':');
                if (!StoredHead.isNamed(head, at, colon - at, FieldName.CONTENT_LENGTH)) {
                    out.writeBytes(head, at, next - at);
                }
                at = next;
            }
        } finally {
            head.release();
        }
    }

    private static int lineEnd(ByteBuf head, int from, int end) {
        int lf = head.indexOf(from, end, (byte) '\n');
        return lf < 0 ? end : lf + 1;
    }

    /**
     * Writes the head of an answer that is read from a fill.
     *
     * @return false if the answer is complete with it
     */
    static boolean head(ExchangeState exchange, FillCursor from) {
        StoredObject object = from.object();
        Fields fields = exchange.head().fields();
        if (Conditionals.isConditional(fields) && notModified(exchange, object)) {
            return false;
        }
        if (complete(object) && fields.has(FieldName.RANGE) && range(exchange, object)) {
            return false;
        }
        ByteBuf out = start(exchange, object, 0);
        ClientResponse response = exchange.response();
        response.completeStored(out, object.status(), object.contentLength(), keep(exchange));
        response.writeCompleted(out, 0);
        return !response.headOnly();
    }

    /** Whether the object's whole body is present; a body being received is not. */
    private static boolean complete(StoredObject object) {
        return object.contentLength() >= 0 && object.bodyParts() > 0 && present(object) == object.contentLength();
    }

    private static long present(StoredObject object) {
        long bytes = 0;
        for (int i = 0; i < object.bodyParts(); i++) {
            ByteBuf part = object.bodyPart(i);
            bytes += part.readableBytes();
            part.release();
        }
        return bytes;
    }
}
