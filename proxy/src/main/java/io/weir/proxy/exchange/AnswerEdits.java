package io.weir.proxy.exchange;

import io.weir.http.FieldName;
import io.weir.http.Fields;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.program.run.ProgramRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The route's edits to an answer's fields: redirects rewritten to the client's URLs, additions, removals. Made for one
 * exchange; used on its muxer.
 *
 * @param run the exchange's run, which keeps its values until it is started again
 * @param https the requested scheme
 * @param authority the requested authority
 */
record AnswerEdits(ProgramRun run, boolean https, String authority) {

    static AnswerEdits of(ExchangeState exchange) {
        return new AnswerEdits(
                exchange.run(), exchange.run().https(), exchange.run().authority());
    }

    private String self() {
        return ProgramRun.publicOrigin(https, authority);
    }

    /** Edits the fields of an origin's answer, before it is stored or relayed. */
    void apply(Fields fields) {
        replace(fields, FieldName.LOCATION, true);
        replace(fields, FieldName.CONTENT_LOCATION, false);
        List<String> further = run.rewriteFields();
        if (!further.isEmpty()) {
            further.forEach(name -> replace(fields, name));
        }
        HeaderEdits edits = run.responseEdits();
        if (edits != null) {
            edits.apply(fields);
        }
    }

    private void replace(Fields fields, FieldName name, boolean redirect) {
        String value = fields.first(name);
        if (value == null) {
            return;
        }
        @Nullable
        String rewritten = redirect ? run.rewriteLocation(value, self()) : run.rewriteContentLocation(value, self());
        if (rewritten != null) {
            fields.set(name, rewritten);
        }
    }

    private void replace(Fields fields, String name) {
        String value = fields.combined(name);
        String rewritten = value == null ? null : run.rewriteField(name, value, self());
        if (rewritten != null) {
            fields.removeAll(name);
            fields.add(name, rewritten);
        }
    }
}
