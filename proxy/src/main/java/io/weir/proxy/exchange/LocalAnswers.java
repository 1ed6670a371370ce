package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.http.semantics.MaxForwards;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.run.Action;
import io.weir.proxy.program.run.RunValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answers given by the request program, or by the proxy itself. Stateless. */
final class LocalAnswers {
    private static final List<String> OWN_FIELDS = List.of("Date", "Content-Type", "Location");

    private LocalAnswers() {}

    /** Writes a fixed answer or a redirect. */
    static void answer(ExchangeState exchange, Action action) {
        boolean keep = exchange.keepsAlive();
        HeaderEdits edits = edits(exchange.run());
        switch (action) {
            case Action.Respond fixed -> {
                ByteBuf fields = Unpooled.EMPTY_BUFFER;
                if (edits != null) {
                    fields = exchange.loopContext().proxy().allocator().buffer(256);
                }
                try {
                    Outputs.own(fields, edits, OWN_FIELDS);
                    ByteBuf body = Unpooled.wrappedBuffer(fixed.body());
                    int status = TunnelStart.misleads(exchange, fixed.status()) ? 501 : fixed.status();
                    exchange.response().local(status, fixed.contentType(), body, keep, fields);
                } finally {
                    fields.release();
                }
            }
            case Action.Redirect redirect -> {
                String location = exchange.run().location();
                ByteBuf fields = exchange.loopContext().proxy().allocator().buffer(256);
                try {
                    Outputs.own(fields, edits, OWN_FIELDS);
                    if (location != null) {
                        Encoder.field(fields, FieldName.LOCATION, location);
                    }
                    exchange.response().local(redirect.status(), "", Unpooled.EMPTY_BUFFER, keep, fields);
                } finally {
                    fields.release();
                }
            }
            case Action.Retrieve _, Action.Builtin _ ->
                throw new IllegalStateException(action + " is not answered here");
        }
    }

    /**
     * The route's edits apply also to answers that it gives itself; those of functions for this answer take precedence.
     */
    private static @Nullable HeaderEdits edits(RunValues run) {
        HeaderEdits route = run.responseEdits();
        HeaderEdits own = run.outputEdits();
        return route == null ? own : own == null ? route : own.and(route);
    }

    /**
     * TRACE and OPTIONS whose Max-Forwards is used up are answered here (RFC 9110 section 7.6.2), and {@code OPTIONS *}
     * addresses the proxy itself. Answers them; returns false if the request is to be forwarded.
     */
    static boolean ofProxy(ExchangeState exchange) {
        RequestHead head = exchange.head();
        Method method = head.methodId();
        if (method != Method.TRACE && method != Method.OPTIONS) {
            return false;
        }
        long left = MaxForwards.next(method, head.fields().first(FieldName.MAX_FORWARDS));
        boolean here = left == MaxForwards.ANSWER_HERE
                || (method == Method.OPTIONS && head.targetForm() == TargetForm.ASTERISK);
        if (!here) {
            return false;
        }
        boolean keep = exchange.keepsAlive();
        if (method == Method.TRACE) {
            exchange.response().local(200, "message/http", trace(head), keep, null);
            return true;
        }
        ByteBuf allow = Unpooled.copiedBuffer(
                "Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS, TRACE, PATCH, CONNECT\r\n", StandardCharsets.US_ASCII);
        try {
            exchange.response().local(200, "", Unpooled.EMPTY_BUFFER, keep, allow);
        } finally {
            allow.release();
        }
        return true;
    }

    /** The request as received, without fields that may contain secrets (RFC 9110 section 9.3.8). */
    private static ByteBuf trace(RequestHead head) {
        ByteBuf out = Unpooled.buffer(512);
        Encoder.requestLine(out, head.method(), head.target(), head.version());
        Encoder.fields(
                out,
                head.fields(),
                (f, i) -> !MaxForwards.isWithheldFromTrace(f.name(i).toLowerCase(Locale.ROOT)));
        Encoder.endOfHead(out);
        return out;
    }
}
