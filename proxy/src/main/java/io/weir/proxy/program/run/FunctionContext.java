package io.weir.proxy.program.run;

import io.netty.buffer.ByteBuf;
import io.weir.http.RequestHead;
import io.weir.http.TargetForm;
import io.weir.proxy.cache.store.KeyBuilder;
import io.weir.proxy.function.Stage;
import io.weir.proxy.program.destination.AddressKinds;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.match.LastAuthority;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A function's view of the run that it is part of: the request, its destination, the values set, and the operations
 * beside setting values. Confined to the exchange's loop; {@link ProgramRun} is the only implementation.
 */
public abstract class FunctionContext extends RunValues {
    private final DestinationCheck destination = new DestinationCheck(this);
    private @Nullable RequestContext request;
    private boolean https;
    private boolean misdirected;
    private @Nullable String authority;
    private final LastAuthority authorities = new LastAuthority();

    FunctionContext() {}

    final void begin(RequestContext r) {
        request = r;
    }

    /** Reads the scheme: that of the target if it has one, which should be the one of the client's connection. */
    final void readScheme(RequestContext r) {
        boolean byConnection = r.https();
        https = r.head().targetForm() == TargetForm.ABSOLUTE ? r.head().namesHttps() : byConnection;
        misdirected = https != byConnection;
        authority = null;
    }

    /**
     * Whether the requested resource is https. Scheme, {@link #authority()} and {@link #target()} are the single form
     * used for the cache key, rules, the fetch, X-Forwarded-* and invalidation.
     */
    public final boolean https() {
        return https;
    }

    /** Whether the target's scheme differs from the connection's: permitted only for forwarded requests. */
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

    /** Its request class: its route's, else its virtual server's; null: that of the work manager. */
    public final @Nullable String requestClass() {
        return requestClass != null ? requestClass : request().virtualServer().requestClass();
    }

    /** The requested host: lower case, no port, no brackets. Allocates. */
    public final String hostName() {
        int from = input.hostFrom;
        int to = input.hostTo;
        boolean bracketed = to - from >= 2 && input.hostBytes[from] == '[' && input.hostBytes[to - 1] == ']';
        int cut = bracketed ? 1 : 0;
        return new String(input.hostBytes, from + cut, to - from - 2 * cut, StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT);
    }

    /** Requested host and port, in normal form and without the scheme's default port; empty: none. */
    public final String authority() {
        String known = authority;
        if (known == null) {
            known = authorities.of(input.hostBytes, input.hostFrom, input.hostTo, namedPort(), https);
            authority = known;
        }
        return known;
    }

    /** The requested port or the scheme's default. */
    public final int namedPort() {
        int port = request().head().port();
        return port > 0 ? port : https ? 443 : 80;
    }

    /** Scheme and authority as clients see them, to prepend to a path; empty if the request names no host. */
    public final String publicOrigin() {
        return publicOrigin(https, authority());
    }

    /** The same, from values read earlier. */
    public static String publicOrigin(boolean https, String authority) {
        return authority.isEmpty() ? "" : (https ? "https://" : "http://") + authority;
    }

    /** The requested host as it stands in a URL: IPv6 addresses in brackets. */
    public final String publicHost() {
        return bracketed(hostName());
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** The other texts of a host that is an address, in the same form; empty for a name. Allocates. */
    public final List<String> otherHosts() {
        return AddressKinds.readings(hostName()).stream()
                .map(FunctionContext::bracketed)
                .filter(other -> !other.equals(publicHost()))
                .toList();
    }

    /** {@link #publicOrigin} with each of {@link #otherHosts}. Allocates. */
    public final List<String> otherOrigins() {
        String origin = publicOrigin();
        return otherHosts().stream()
                .map(other -> origin.replace("://" + publicHost(), "://" + other))
                .toList();
    }

    /** The path in its normal form; {@code *} for the server as a whole, empty for CONNECT. Allocates. */
    public final String path() {
        return new String(input.pathBytes, input.pathFrom, input.pathTo - input.pathFrom, StandardCharsets.ISO_8859_1);
    }

    /** The path as origins may interpret it otherwise; empty if there is no other interpretation. Allocates. */
    public abstract List<String> otherPaths();

    /** Replaces the path for all that follows: rules, cache and origin. It must be in its normal form. */
    public final void path(byte[] instead) {
        input.pathBytes = instead;
        input.pathFrom = 0;
        input.pathTo = instead.length;
    }

    /** Whether the origin gets a path that begins otherwise. */
    final boolean movesPath() {
        byte[] to = mappedTo;
        int from = input.pathFrom;
        return to != null
                && !(mappedFrom <= input.pathTo - from
                        && Arrays.equals(to, 0, to.length, input.pathBytes, from, from + mappedFrom));
    }

    /** The path in its normal form, with the mapped prefix replaced. Allocates. */
    public final String mappedPath() {
        byte[] to = mappedTo;
        String path = path();
        return to == null ? path : new String(to, StandardCharsets.ISO_8859_1) + path.substring(mappedFrom);
    }

    /**
     * The Web Server's partial path of a request that is fetched: the URL that it was mapped to, without a host if the
     * route decides that, or the one that the client names; else null. Allocates.
     */
    public final @Nullable String fetchedUrl() {
        if (mappedUrl() != null) {
            return urlMappedTo();
        }
        return input.form == TargetForm.ABSOLUTE || isHostMapped() ? publicOrigin() + path() : null;
    }

    /** The URL that the request was mapped to, without a host if the route decides that; null: to none. Allocates. */
    public final @Nullable String urlMappedTo() {
        String mapped = mappedUrl();
        // another reading of the path may be shorter than what is replaced: that one is mapped to nothing
        return mapped == null || mappedFrom > input.pathTo - input.pathFrom ? null : mapped + mappedPath();
    }

    /** The path in its normal form and the query as received. Allocates. */
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
                .origin(request().virtualServer().keyed(), forwards());
    }

    /** The rules of {@code proxy.destinations} applied to this request. */
    public final DestinationCheck destination() {
        return destination;
    }

    /** The rules that the request started with. */
    abstract DestinationRules destinations();

    /**
     * Whether no route has chosen an origin yet: then the request is forwarded to the host that it names, or refused.
     */
    abstract boolean forwards();

    /** Whether only the host that the request names can answer: no object configures origins. */
    abstract boolean onlyForwards();

    /** A promise to complete; the function then returns {@link StepOutcome#WAITING}. */
    public abstract PendingStep pend();

    /** The condition of a directive failed: if the directive comes to run, it fails. */
    abstract void guardFailed(Directive directive, RuntimeException cause);

    /** The condition of an object failed: so does the request. */
    abstract void objectFailed(ProgramObject object, RuntimeException cause);

    /** Adds the object of this name; returns false if there is none or there are too many. */
    public abstract boolean add(String name);

    /** The stage that runs; null if none does. */
    public abstract @Nullable Stage stage();

    /** How often functions restarted this request. */
    public abstract int restarts();

    /** Counts a refused destination and fails the run with its fault; the engine calls it, too, when it connects. */
    public abstract StepOutcome refuse(DestinationRefusal refusal);

    /** The monotonic time, nanoseconds. */
    public abstract long now();

    /** The time of day, milliseconds since 1970. */
    public abstract long millis();

    /** The name of the object that was added last. */
    public abstract String lastObject();

    /** The request exceeds a rate; it would pass after these nanoseconds. */
    public abstract StepOutcome tooOften(long nanos);

    /** In AddLog: appends the record to the log of this name. */
    public abstract void log(String name);

    /** Appends the client's address and User-Agent to the log of this name. */
    public abstract void logUserAgent(String name);

    /** The views of the server's state. */
    public abstract ServerViews views();

    /** The realm that logins are checked against. */
    public abstract Logins logins();

    /** Counts a login that a route checked. */
    public abstract void count(Logins.Result result);

    /**
     * Whether {@link #key} identifies the answer: unless forwarded, a request must have the scheme of its connection.
     */
    public final boolean keyed() {
        return !misdirected || forwards();
    }

    /** Whether a forwarded request is fetched over TLS. */
    public final boolean fetchedSecurely() {
        return input.form == TargetForm.ABSOLUTE ? https : isHostMappedSecure();
    }

    /** The port to connect to for a forwarded request or a tunnel: the requested one, else its scheme's default. */
    public final int port() {
        int port = request().head().port();
        if (port > 0) {
            return port;
        }
        return input.form == TargetForm.AUTHORITY || fetchedSecurely() ? 443 : 80;
    }

    /**
     * Writes path and query as sent to the origin: the path in its normal form, the mapped prefix replaced, the query
     * as received.
     */
    public final void writeTarget(ByteBuf out) {
        RequestHead head = request().head();
        if (head.isForServer() && mappedTo == null) {
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
