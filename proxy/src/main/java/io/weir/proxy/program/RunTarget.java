package io.weir.proxy.program;

import io.netty.buffer.ByteBuf;
import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The request of a run, and where it leads to. Confined as its {@link ProgramRun}. */
abstract sealed class RunTarget extends RunValues permits ProgramRun {
    private @Nullable Program program;
    private @Nullable RequestContext request;

    final void begin(RequestContext r, Program p) {
        request = r;
        program = p;
    }

    /** The exchange that runs. */
    public final RequestContext request() {
        RequestContext r = request;
        if (r == null) {
            throw new IllegalStateException("the run was not started");
        }
        return r;
    }

    /** The program that the exchange started with. */
    public final Program program() {
        Program p = program;
        if (p == null) {
            throw new IllegalStateException("the run was not started");
        }
        return p;
    }

    /** The work manager that the request runs under: its route's, else its virtual server's; null: the default one. */
    public final @Nullable String workManager() {
        return workManager != null ? workManager : request().virtualServer().workManager();
    }

    /** The request class that it runs in, found likewise; null: that of the work manager. */
    public final @Nullable String requestClass() {
        return requestClass != null ? requestClass : request().virtualServer().requestClass();
    }

    /** The host that the request names: lower case, no port, no brackets. Allocates. */
    public final String hostName() {
        int from = input.hostFrom;
        int to = input.hostTo;
        boolean bracketed = to - from >= 2 && input.hostBytes[from] == '[' && input.hostBytes[to - 1] == ']';
        int cut = bracketed ? 1 : 0;
        return new String(input.hostBytes, from + cut, to - from - 2 * cut, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
    }

    /** The port that the request names or its scheme's own: 443 for CONNECT without one and https, else 80. */
    public final int port() {
        RequestHead head = request().head();
        int port = head.port();
        if (port > 0) {
            return port;
        }
        boolean secure = input.form == TargetForm.AUTHORITY
                || isHostMappedSecure()
                || "https".equalsIgnoreCase(String.valueOf(head.scheme()));
        return secure ? 443 : 80;
    }

    /**
     * Writes path and query as the origin of a {@link Action.Retrieve#REVERSE} sees them: the path in its normal form,
     * the mapped prefix replaced, the query as it came. Forwarded targets go as they came (RFC 9110 7.7).
     */
    public final void writeTarget(ByteBuf out) {
        RequestHead head = request().head();
        if (head.targetForm() == TargetForm.ASTERISK) {
            out.writeByte('*');
            return;
        }
        int from = input.pathFrom;
        if (mappedTo != null) {
            out.writeBytes(mappedTo);
            from += mappedFrom;
            if (mappedTo.length == 0 && (from >= input.pathTo || input.pathBytes[from] != '/')) {
                out.writeByte('/');
            }
        }
        out.writeBytes(input.pathBytes, from, input.pathTo - from);
        out.writeBytes(head.bytes(), head.queryStart(), head.targetEnd() - head.queryStart());
    }
}
