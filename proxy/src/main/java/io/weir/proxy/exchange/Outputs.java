package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.http.Fields;
import io.weir.proxy.cache.store.StoredObject;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.run.OriginAnswer;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.program.run.RunState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the stages Filter and Output, and applies what functions change in the head of an answer for this client. Costs
 * nothing if the program has none. Stateless.
 */
final class Outputs {
    private Outputs() {}

    /** Runs the stages for a stored answer: READY if it may be sent. */
    static RunState of(ExchangeState exchange, StoredObject object) {
        ProgramRun run = exchange.run();
        if (exchange.ofMember() || !run.program().hasOutput()) {
            // another member runs them for its client
            return RunState.READY;
        }
        Fields fields = object.fields();
        Fields withheld = exchange.withheld();
        for (int i = 0; withheld != null && i < withheld.size(); i++) {
            fields.addFrom(withheld, i);
        }
        return run.output(new OriginAnswer(object.status(), fields));
    }

    /** Runs the stages for a relayed answer, and edits its fields: READY if it may be sent. */
    static RunState of(ExchangeState exchange, int status, Fields fields) {
        ProgramRun run = exchange.run();
        if (exchange.ofMember()) {
            return RunState.READY;
        }
        RunState state = run.program().hasOutput() ? run.output(new OriginAnswer(status, fields)) : RunState.READY;
        HeaderEdits edits = run.outputEdits();
        if (state == RunState.READY && edits != null) {
            edits.apply(fields);
        }
        return state;
    }

    /** Edits an encoded head: a status line and field lines, without the empty line. */
    static void edit(ByteBuf head, HeaderEdits edits) {
        String[] lines = new String(ByteBufUtil.getBytes(head), StandardCharsets.ISO_8859_1).split("\r\n", -1);
        head.clear();
        for (int i = 0; i < lines.length - 1; i++) {
            int colon = lines[i].indexOf(':');
            if (i == 0 || colon < 0 || !edits.touches(lines[i].substring(0, colon))) {
                head.writeCharSequence(lines[i], StandardCharsets.ISO_8859_1);
                head.writeByte('\r').writeByte('\n');
            }
        }
        edits.set().forEach((name, value) -> line(head, name, value));
        edits.add().forEach(a -> line(head, a.name(), a.value()));
    }

    private static void line(ByteBuf out, String name, String value) {
        out.writeCharSequence(name + ": " + value + "\r\n", StandardCharsets.ISO_8859_1);
    }

    /**
     * Writes the fields set by functions to an answer of the proxy itself, except those that the answer writes itself.
     */
    static void own(ByteBuf fields, @Nullable HeaderEdits edits, List<String> ownFields) {
        if (edits != null) {
            edits.set().forEach((name, value) -> {
                if (ownFields.stream().noneMatch(name::equalsIgnoreCase)) {
                    line(fields, name, value);
                }
            });
            edits.add().stream()
                    .filter(a -> ownFields.stream().noneMatch(a.name()::equalsIgnoreCase))
                    .forEach(a -> line(fields, a.name(), a.value()));
        }
    }
}
