package io.weir.proxy.program.run;

import io.netty.buffer.ByteBuf;
import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.DestinationRules;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a function sees of the run that it is part of: the request, where it leads to, what was set, and what a function
 * may do beside setting values. Confined to the exchange's loop; {@link ProgramRun} is the only one.
 */
public abstract class FunctionContext extends RunValues {
    private final DestinationCheck destination = new DestinationCheck(this);
    private @Nullable RequestContext request;
    private boolean https;
    private boolean misdirected;
    private @Nullable String authority;

    FunctionContext() {}

    final void begin(RequestContext r) {
        request = r;
    }

    /** Takes the scheme: of the target where that has one, which should be what the client asked for. */
    final void readScheme(RequestContext r) {
        boolean asked = r.https();
        https = r.head().targetForm() == TargetForm.ABSOLUTE ? r.head().namesHttps() : asked;
        misdirected = https != asked;
        authority = null;
    }

    /**
     * Whether the resource is one of https. Scheme, {@link #authority()} and {@link #target()} are the one form used
     * for the cache key, rules, the fetch, X-Forwarded-* and invalidation.
     */
    public final boolean https() {
        return https;
    }

    /** Whether the target names another scheme than the connection has: only what is forwarded may. */
    public final boolean misdirected() {
        return misdirected;
    }

    /** The exchange that runs. */
    public final RequestContext request() {
        RequestContext r = request;
        if (r == null) {
            throw new IllegalStateException("the run was not started");
        }
        return r;
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

    /** Host and port as the request names them, in normal form and without the scheme's own port; empty: none. */
    public final String authority() {
        String known = authority;
        if (known == null) {
            known = written();
            authority = known;
        }
        return known;
    }

    private String written() {
        if (input.hostFrom == input.hostTo) {
            return "";
        }
        int port = namedPort();
        String host = new String(
                        input.hostBytes, input.hostFrom, input.hostTo - input.hostFrom, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
        return port == (https ? 443 : 80) ? host : host + ':' + port;
    }

    /** The port that the request names or its scheme's own. */
    public final int namedPort() {
        int port = request().head().port();
        return port > 0 ? port : https ? 443 : 80;
    }

    /** Scheme and authority as clients see them, to stand before a path; empty where the request names no host. */
    public final String publicOrigin() {
        return publicOrigin(https, authority());
    }

    /** The same of what was read before. */
    public static String publicOrigin(boolean https, String authority) {
        return authority.isEmpty() ? "" : (https ? "https://" : "http://") + authority;
    }

    /** The path in its normal form; {@code *} for all of the server, empty for CONNECT. Allocates. */
    public final String path() {
        return new String(input.pathBytes, input.pathFrom, input.pathTo - input.pathFrom, StandardCharsets.ISO_8859_1);
    }

    /** The path in its normal form and the query as it came. Allocates. */
    public final String target() {
        RequestHead head = request().head();
        int query = head.queryStart();
        return path() + new String(head.bytes(), query, head.targetEnd() - query, StandardCharsets.ISO_8859_1);
    }

    /** The request as the cache's primary key (RFC 9111 section 2). Allocates nothing. */
    public final void key(KeyBuilder key) {
        RequestHead head = request().head();
        key.start(https)
                .host(input.hostBytes, input.hostFrom, input.hostTo, namedPort())
                .path(input.pathBytes, input.pathFrom, input.pathTo)
                .path(head.bytes(), head.queryStart(), head.targetEnd())
                .asked(request().virtualServer().keyed(), forwards());
    }

    /** The rules of {@code proxy.destinations} as they are for this request. */
    public final DestinationCheck destination() {
        return destination;
    }

    /** The rules that the request started with. */
    abstract DestinationRules destinations();

    /**
     * Whether no route has chosen a server yet: then the request is forwarded to the host that it names, or refused.
     */
    abstract boolean forwards();

    /** Whether what answers can only be the host that the request names: no object says which origins do. */
    abstract boolean onlyForwards();

    /** A promise to complete; the function then answers {@link StepOutcome#WAITING}. */
    public abstract PendingStep pend();

    /** Adds the object of this name; false when there is none or there are too many. */
    public abstract boolean add(String name);

    /** The stage that runs; null where none does. */
    public abstract @Nullable Stage stage();

    /** How often functions restarted this request. */
    public abstract int restarts();

    /** Counts a refused destination and fails the run with its fault; also for the engine, when it connects. */
    public abstract StepOutcome refuse(DestinationRefusal refusal);

    /** The monotonic time, nanoseconds. */
    public abstract long now();

    /** The request came too often; one like it would pass after these nanoseconds. */
    public abstract StepOutcome tooOften(long nanos);

    /** In AddLog: appends the record to the log of this name. */
    public abstract void log(String name);

    /** Who may log in. */
    public abstract Logins logins();

    /** Counts a login that a route looked at. */
    public abstract void count(Logins.Result result);

    /**
     * Whether {@link #key} names what will answer: of what is not forwarded it has no other scheme than the connection.
     */
    public final boolean keyed() {
        return !misdirected || forwards();
    }

    /** Whether a forwarded request is fetched over TLS. */
    public final boolean fetchedSecurely() {
        return input.form == TargetForm.ABSOLUTE ? https : isHostMappedSecure();
    }

    /** The port that is connected to for a forwarded request or a tunnel: the one it names, else its scheme's own. */
    public final int port() {
        int port = request().head().port();
        if (port > 0) {
            return port;
        }
        return input.form == TargetForm.AUTHORITY || fetchedSecurely() ? 443 : 80;
    }

    /**
     * Writes path and query as the origin sees them: the path in its normal form, the mapped prefix replaced, the query
     * as it came.
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
