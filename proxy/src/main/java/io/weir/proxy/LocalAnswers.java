package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.proxy.program.Action;
import java.util.List;

/** Answers that the request program itself gives. Stateless. */
final class LocalAnswers {
    private static final List<String> SAID = List.of("Date", "Content-Type", "Location");

    private LocalAnswers() {}

    /** Writes a fixed answer or a redirect. */
    static void answer(Exchange exchange, Action action) {
        boolean keep = exchange.client().mayKeepAlive(exchange.head());
        switch (action) {
            case Action.Respond fixed -> {
                ByteBuf fields = Unpooled.EMPTY_BUFFER;
                if (exchange.run().outputEdits() != null) {
                    fields = exchange.loopContext().proxy().allocator().buffer(256);
                }
                try {
                    Outputs.own(fields, exchange.run().outputEdits(), SAID);
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
                    Outputs.own(fields, exchange.run().outputEdits(), SAID);
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
