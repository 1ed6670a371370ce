package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.proxy.program.Action;

/** Answers that the request program itself gives. Stateless. */
final class LocalAnswers {
    private LocalAnswers() {}

    /** Writes a fixed answer or a redirect. */
    static void answer(Exchange exchange, Action action) {
        boolean keep = exchange.client().mayKeepAlive(exchange.head());
        switch (action) {
            case Action.Respond fixed ->
                exchange.response()
                        .local(fixed.status(), fixed.contentType(), Unpooled.wrappedBuffer(fixed.body()), keep, null);
            case Action.Redirect redirect -> {
                String location = exchange.run().location();
                ByteBuf fields = exchange.loopContext().proxy().allocator().buffer(256);
                try {
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
}
