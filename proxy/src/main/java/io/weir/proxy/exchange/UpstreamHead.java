package io.weir.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.weir.http.Encoder;
import io.weir.http.FieldName;
import io.weir.http.FieldNames;
import io.weir.http.Fields;
import io.weir.http.Framing;
import io.weir.http.Method;
import io.weir.http.RequestHead;
import io.weir.http.Version;
import io.weir.http.caching.Validators;
import io.weir.http.semantics.Forwarded;
import io.weir.http.semantics.Hops;
import io.weir.http.semantics.MaxForwards;
import io.weir.proxy.context.ProxyContext;
import io.weir.proxy.fields.ClientTlsFields;
import io.weir.proxy.fields.Forwarding;
import io.weir.proxy.function.HeaderEdits;
import io.weir.proxy.pool.Attempts;
import io.weir.proxy.pool.OriginKey;
import io.weir.proxy.pool.SessionRoutes;
import io.weir.proxy.pool.Sticky;
import io.weir.proxy.program.config.ForwardedMode;
import io.weir.proxy.upstream.AnswerRest;
import io.weir.proxy.upstream.WrittenHead;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request as sent to an origin: end-to-end fields as received, hop-by-hop ones removed (RFC 9110 section
 * 7.6.1), Via and the forwarding fields extended. Made for one exchange on a miss; confined to its muxer.
 */
final class UpstreamHead extends WrittenHead {
    /** Fields that are generated here or end here. Proxy-Authorization is for this proxy (RFC 9110 section 11.7.2). */
    private static final FieldNames OWN =
            CONNECTION.and(FieldName.PROXY_AUTHORIZATION, FieldName.VIA, FieldName.MAX_FORWARDS);

    /** The client's own conditions, which a fetch for the store does not forward (RFC 9111 section 4.3.1). */
    private static final FieldNames CONDITIONS =
            PRECONDITIONS.and(FieldName.IF_NONE_MATCH, FieldName.IF_MODIFIED_SINCE);

    /** What a request for the rest of an answer says itself. */
    private static final FieldNames OF_REST = CONDITIONS.and(FieldName.ACCEPT_ENCODING);

    private static final FieldNames NONE = FieldNames.of();

    private static final FieldNames FORWARDING = FieldNames.of(
            FieldName.FORWARDED, FieldName.X_FORWARDED_FOR, FieldName.X_FORWARDED_HOST, FieldName.X_FORWARDED_PROTO);

    /**
     * The fields that describe the client to the origin.
     *
     * @param address the client's, without port; null: it is not told
     * @param https whether it requested https
     * @param authority requested host and port; empty: none
     * @param trusted whether its own lists are kept and extended
     * @param tls the fields that describe its TLS
     * @param credentials for a proxy behind this one; null: none
     */
    record Client(
            @Nullable String address,
            boolean https,
            String authority,
            boolean trusted,
            ForwardedMode mode,
            ClientTlsFields tls,
            @Nullable String credentials) {}

    private final RequestHead head;
    private final String method;
    private final String target;
    private final @Nullable String host;
    private final Client client;
    private final ProxyContext proxy;
    private final @Nullable HeaderEdits edits;
    private @Nullable Validators validators;
    private FieldNames stripped = NONE;
    private @Nullable AnswerRest rest;
    private boolean upgrade;

    /**
     * @param head must stay valid until the fetch is over: a copy if the fetch may outlive its client
     * @param method as sent, GET if a HEAD is fetched for the store
     * @param target path and query, or {@code *}
     * @param host the Host to send; null: the origin's own
     */
    UpstreamHead(
            RequestHead head,
            String method,
            String target,
            @Nullable String host,
            Client client,
            ProxyContext proxy,
            @Nullable HeaderEdits edits) {
        super(proxy.allocator());
        this.head = head;
        this.method = method;
        this.target = target;
        this.host = host;
        this.client = client;
        this.proxy = proxy;
        this.edits = edits;
    }

    /**
     * For the store: without the client's conditions and range, with those of a stored object if there is one.
     *
     * @param conditions whether If-None-Match and If-Modified-Since are still forwarded
     */
    UpstreamHead forStore(@Nullable Validators stored, boolean conditions) {
        stripped = conditions ? PRECONDITIONS : CONDITIONS;
        validators = stored;
        return this;
    }

    /** For the rest of an answer, if it still has this entity tag (RFC 9110 section 13.1.5). */
    UpstreamHead rest(AnswerRest of) {
        stripped = OF_REST;
        rest = of;
        return this;
    }

    /** Requests the upgrade that the client requested (RFC 9110 section 7.8). */
    UpstreamHead withUpgrade() {
        upgrade = true;
        return this;
    }

    @Override
    protected void write(ByteBuf out, OriginKey origin, @Nullable Attempts attempts) {
        byte[] route = SessionRoutes.line(attempts);
        Sticky sticky = route == null || attempts == null ? null : attempts.sessions();
        String routeHeader = sticky == null ? null : sticky.routeHeader();
        Fields fields = edited();
        Hops hops = Hops.in(fields);
        Encoder.requestLine(out, method, origin.parent() ? absolute() : target, Version.HTTP_1_1);
        Encoder.field(out, FieldName.HOST, host == null ? origin.authority() : host);
        boolean rewriteForwarding = client.mode() != ForwardedMode.OFF || !client.trusted();
        boolean strip = edits == null && !client.trusted();
        boolean safe = safe();
        Encoder.fields(out, fields, (f, i) -> {
            boolean goes = relayed(f, i, hops, rewriteForwarding)
                    && !(strip && (Forwarding.names(f, i) || (safe && Forwarding.overrides(f, i))))
                    && (routeHeader == null || !f.name(i).equalsIgnoreCase(routeHeader));
            conditional = conditional || (goes && isCondition(f.id(i)));
            return goes;
        });
        if (route != null) {
            out.writeBytes(route);
        }
        proxy.name().writeVia(out, fields, head.version());
        forwarding(out, fields);
        if (!client.trusted() || !fields.has(FieldName.CLIENT_CERT)) {
            client.tls().write(out);
        }
        String credentials = client.credentials();
        if (credentials != null) {
            Encoder.field(out, FieldName.PROXY_AUTHORIZATION, credentials);
        }
        maxForwards(out, fields);
        validators(out, validators);
        AnswerRest missing = rest;
        if (missing != null) {
            Encoder.field(out, FieldName.RANGE, missing.range());
            Encoder.field(out, FieldName.IF_RANGE, missing.tag());
            Encoder.field(out, FieldName.ACCEPT_ENCODING, missing.coding());
        }
        if (head.framing() == Framing.CHUNKED) {
            Encoder.chunkedLine(out);
        } else if (head.contentLength() >= 0) {
            Encoder.field(out, FieldName.CONTENT_LENGTH, head.contentLength());
        }
        hop(out, fields, hops);
        Encoder.endOfHead(out);
    }

    /** The hop-by-hop fields: TE (trailers, if the client accepts them) and Upgrade. */
    private void hop(ByteBuf out, Fields fields, Hops hops) {
        String protocol = upgrade ? fields.combined(FieldName.UPGRADE) : null;
        boolean mayRequestTrailers =
                head.version() == Version.HTTP_2 || hops.nominated().contains("te");
        boolean trailers = mayRequestTrailers && fields.has(FieldName.TE) && fields.hasToken(FieldName.TE, "trailers");
        if (protocol != null) {
            Encoder.field(out, FieldName.UPGRADE, protocol);
            Encoder.field(out, FieldName.CONNECTION, trailers ? "upgrade, TE" : "upgrade");
        } else if (trailers) {
            Encoder.field(out, FieldName.CONNECTION, "TE");
        }
        if (trailers) {
            Encoder.field(out, FieldName.TE, "trailers");
        }
    }

    /** The target as a proxy behind this one gets it (RFC 9112 sections 3.2.2 to 3.2.4). */
    private String absolute() {
        if (head.methodId() == Method.CONNECT) {
            return head.target();
        }
        return "http://" + client.authority() + (target.equals("*") ? "" : target);
    }

    /** By the method as sent: the store fetches with GET if the client sent HEAD. */
    private boolean safe() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Fields set by a route pass whatever their name, so they are set after those of untrusted clients are removed. */
    private Fields edited() {
        if (edits == null) {
            return head.fields();
        }
        Fields copy = head.fields().copy();
        if (!client.trusted()) {
            Forwarding.removeFrom(copy, safe());
        }
        edits.applyToRequest(copy);
        return copy;
    }

    private boolean relayed(Fields fields, int i, Hops hops, boolean rewriteForwarding) {
        FieldName id = fields.id(i);
        if (id != null) {
            if (OWN.contains(id)
                    || stripped.contains(id)
                    || (id == FieldName.EXPECT && head.version() == Version.HTTP_1_0)
                    || (rewriteForwarding && FORWARDING.contains(id))) {
                return false;
            }
        }
        return hops.nominated().isEmpty() || !hops.removes(fields.name(i).toLowerCase(Locale.ROOT));
    }

    private void forwarding(ByteBuf out, Fields fields) {
        ForwardedMode mode = client.mode();
        if (mode == ForwardedMode.OFF) {
            return;
        }
        String address = client.address();
        String proto = client.https() ? "https" : "http";
        String requestedHost = client.authority().isEmpty() ? null : client.authority();
        if (mode == ForwardedMode.X_FORWARDED || mode == ForwardedMode.BOTH) {
            if (address != null) {
                add(out, fields, FieldName.X_FORWARDED_FOR, address);
            }
            Encoder.field(out, FieldName.X_FORWARDED_PROTO, proto);
            String before = client.trusted() ? fields.first(FieldName.X_FORWARDED_HOST) : null;
            if (before != null && !Forwarding.isHost(before, client.authority(), client.https())) {
                Encoder.field(out, FieldName.X_FORWARDED_HOST, before);
            } else if (requestedHost != null) {
                Encoder.field(out, FieldName.X_FORWARDED_HOST, requestedHost);
            }
        }
        if (mode == ForwardedMode.FORWARDED || mode == ForwardedMode.BOTH) {
            add(
                    out,
                    fields,
                    FieldName.FORWARDED,
                    Forwarded.element(null, address == null ? null : Forwarded.node(address, 0), requestedHost, proto));
        }
    }

    /** Decremented for the methods that use it (RFC 9110 section 7.6.2); as received for others. */
    private void maxForwards(ByteBuf out, Fields fields) {
        String received = fields.first(FieldName.MAX_FORWARDS);
        if (received == null) {
            return;
        }
        long left = MaxForwards.next(head.methodId(), received);
        Encoder.field(out, FieldName.MAX_FORWARDS, left >= 0 ? Long.toString(left) : received);
    }

    private void add(ByteBuf out, Fields fields, FieldName name, String value) {
        String before = client.trusted() ? fields.combined(name) : null;
        Encoder.field(out, name, Forwarded.append(before, value));
    }
}
