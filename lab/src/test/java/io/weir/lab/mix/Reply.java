package io.weir.lab.mix;

import io.weir.base.SystemClock;
import io.weir.http.semantics.HttpDate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an origin says to one request, in the terms of neither version of HTTP: status, fields, body. Made from the request's
 * plan and noted in the ledger before a byte of it goes out. Confined to the origin's thread.
 */
final class Reply {
    final Sent sent;
    final Plan plan;
    final int status;
    /** Field lines, without those of framing. */
    final List<String> fields = new ArrayList<>();

    final byte[] body;
    /** Whether the body is only told of. */
    final boolean headOnly;

    private Reply(Sent sent, Plan plan, byte[] body, boolean headOnly) {
        this.sent = sent;
        this.plan = plan;
        this.status = sent.status();
        this.body = body;
        this.headOnly = headOnly;
    }

    /**
     * The answer to a request as it was heard.
     *
     * @param request its fields, names in lower case
     * @param repeated whether this request reached an origin before
     */
    static Reply to(Ledger ledger, String origin, Ask ask, long heard, Map<String, String> request, boolean repeated) {
        // an origin that failed once does what it was asked the second time, or it would fail for ever
        Plan plan = ask.plan;
        Plan.Trouble trouble = repeated ? Plan.Trouble.NONE : plan.trouble();
        if (!ask.safe()) {
            ledger.changed(ask.target);
        } else if (plan.changes()) {
            ledger.changed(ask.target);
        }
        String language = request.getOrDefault("x-lang", "");
        String tag = ask.safe()
                ? ask.target.kind() + ":" + ask.target.key() + ":" + (ask.target.varies() ? language : "") + ":"
                        + ledger.version(ask.target)
                : "u:" + ask.id + "::r";
        String unless = request.get("if-none-match");
        boolean condition = unless != null;
        boolean matches = unless != null
                && ask.safe()
                && Arrays.asList(unless.split(" *, *", -1)).contains(quoted(tag));
        byte[] whole = Content.of(tag);
        if (!possible(trouble, ask, whole.length, matches, condition)) {
            trouble = Plan.Trouble.NONE;
        }
        int[] part = ask.safe() && !matches ? part(request, whole.length, quoted(tag)) : null;
        int status = trouble == Plan.Trouble.UNASKED_304 || matches ? 304 : part != null ? 206 : 200;
        byte[] body =
                status == 304 ? new byte[0] : part == null ? whole : Arrays.copyOfRange(whole, part[0], part[1] + 1);
        // the cookie of a 304 or of HEAD's answer is not stored, so what it speaks of stays for all
        boolean cookieLess = plan.policy() == Plan.Policy.COOKIE && (status == 304 || ask.head());
        boolean shared = ask.safe() && status != 206 && (plan.policy().shared || cookieLess);
        Sent sent = new Sent(ledger.number(), ask, heard, ledger.now(), status, tag, language, origin, trouble, shared);
        Reply reply = new Reply(sent, plan, body, ask.head());
        reply.say(part == null ? null : "bytes " + part[0] + "-" + part[1] + "/" + whole.length);
        ledger.sent(sent);
        return reply;
    }

    private static boolean possible(Plan.Trouble trouble, Ask ask, int length, boolean matches, boolean condition) {
        boolean body = !matches && !ask.head() && length > 1 && !ask.ranged;
        return switch (trouble) {
            case CUT_BODY -> body && ask.plan.framing() != Plan.Framing.CLOSE;
            case BAD_BODY -> body && ask.plan.framing() == Plan.Framing.CHUNKS;
            // small enough to come in one piece with what is behind it
            case SURPLUS -> !ask.head() && length < 8_000 && !matches && ask.plan.framing() != Plan.Framing.CLOSE;
            case UNASKED_304 -> !condition && ask.safe();
            default -> true;
        };
    }

    private void say(@Nullable String contentRange) {
        fields.add("Date: " + HttpDate.format(SystemClock.INSTANCE.millis() / 1000));
        fields.add("X-Made: " + sent.number());
        fields.add("Cache-Control: " + plan.policy().control);
        if (sent.ask().safe() && sent.tag() != null) {
            fields.add("ETag: " + quoted(sent.tag()));
        }
        if (sent.ask().target.varies()) {
            fields.add("Vary: X-Lang");
        }
        if (plan.policy().own()) {
            fields.add("X-Own: " + sent.number());
        }
        if (plan.policy() == Plan.Policy.COOKIE) {
            fields.add("Set-Cookie: who=" + sent.ask().id);
        }
        if (contentRange != null) {
            fields.add("Content-Range: " + contentRange);
        }
        if (plan.trailers()) {
            fields.add("Trailer: X-Sum");
        }
    }

    static String quoted(@Nullable String tag) {
        return "\"" + tag + "\"";
    }

    String trailer() {
        return plan.trailers() ? "X-Sum: " + sent.number() : "";
    }

    /** The first and last place of a range that is asked for and can be met; null for the whole. */
    private static int @Nullable [] part(Map<String, String> request, int length, String tag) {
        String range = request.get("range");
        String unless = request.get("if-range");
        if (range == null || length == 0 || (unless != null && !unless.equals(tag))) {
            return null;
        }
        String[] ends = range.substring(range.indexOf('=') + 1).split("-", -1);
        int first = ends[0].isEmpty() ? Math.max(0, length - Integer.parseInt(ends[1])) : Integer.parseInt(ends[0]);
        int last =
                ends[0].isEmpty() || ends[1].isEmpty() ? length - 1 : Math.min(length - 1, Integer.parseInt(ends[1]));
        return first > last ? null : new int[] {first, last};
    }

    /** The head in HTTP/1, with what tells of the body's end. */
    byte[] head(Plan.Framing framing, boolean closes) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " "
                + (status == 304 ? "Not Modified" : status == 206 ? "Partial Content" : "OK") + "\r\n");
        fields.forEach(f -> head.append(f).append("\r\n"));
        if (status != 304) {
            head.append(
                    switch (framing) {
                        case LENGTH -> "Content-Length: " + body.length + "\r\n";
                        case CHUNKS -> "Transfer-Encoding: chunked\r\n";
                        case CLOSE -> "";
                    });
        }
        if (closes) {
            head.append("Connection: close\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
