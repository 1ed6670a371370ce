package io.weir.proxy.program.run;

import io.weir.proxy.program.destination.DestinationRefusal;
import java.util.Locale;

/**
 * Why the proxy itself answers with an error: status, title and the reason's code, which is the label of its counter
 * and appears in problem documents. For malformed client messages see {@code io.weir.http.Fault}. Immutable.
 *
 * <p>Statuses: origins refused, unresolvable, reset or malformed 502, time-outs 504, overload 503. A request that came
 * through this proxy before gets 502, as RFC 9110 7.6.3 names no status of its own and 508 belongs to WebDAV's bindings
 * (RFC 5842 7.2).
 */
public enum ProxyFault {
    ORIGIN_REFUSED(502, "The origin server refused the connection"),
    ORIGIN_UNRESOLVABLE(502, "The origin server's name cannot be resolved"),
    ORIGIN_RESET(502, "The origin server closed the connection before answering"),
    ORIGIN_MALFORMED(502, "The origin server's answer is malformed"),
    ORIGIN_TLS(502, "The origin server failed the TLS handshake"),
    LOOP(502, "The request came through this proxy before"),
    CONNECT_TIME_OUT(504, "The origin server could not be connected to in time"),
    DNS_TIME_OUT(504, "The origin server's name could not be resolved in time"),
    RESPONSE_TIME_OUT(504, "The origin server did not answer in time"),
    BODY_TIME_OUT(504, "The origin server stopped sending"),
    FUNCTION_TIME_OUT(504, "The request could not be decided on in time"),
    NOT_IN_CACHE(504, "The answer is not in the cache"),
    OVERLOAD(503, "The server is busy"),
    POOL_FULL(503, "The server is busy"),
    ORIGIN_POOL_FULL(503, "The connections to the origin server are all in use"),
    ORIGINS_BUSY(503, "The origin servers have all the requests that they may have"),
    ORIGINS_DOWN(503, "No origin server is up"),
    NOT_STORABLE(503, "This member does not store this, and the origin is to be asked"),
    MEMBER_BEHIND(503, "This member's cache has not applied all purges"),
    CONNECTION_LIMIT(503, "The server has as many connections as it may have"),
    PARENT_SCHEME(501, "The proxies behind this one are asked for http URLs and for tunnels only"),
    REQUEST_RATE(429, "Too many requests were made"),
    NO_ROUTE(404, "Nothing is configured for this address"),
    DENIED(403, "The proxy denies fulfilling the request"),
    CLIENT_FORBIDDEN(403, "This client may not use the proxy"),
    DESTINATION_FORBIDDEN(403, "This destination is not allowed"),
    PORT_FORBIDDEN(403, "This port is not allowed"),
    CLIENT_CERTIFICATE(403, "A client certificate is needed"),
    CIPHER_WEAK(403, "The connection is not encrypted strongly enough"),
    USER_FORBIDDEN(403, "This user is not let in here"),
    CONTENT_FORBIDDEN(403, "This content is not allowed"),
    MISDIRECTED(421, "The address has another scheme than the connection"),
    MEMBER_REQUEST(400, "Here only members of the cluster ask for what this one owns"),
    URL_MALFORMED(400, "The address is malformed"),
    PATH_AMBIGUOUS(400, "The path can be read in two ways"),
    AUTHENTICATION(401, "A user's name and password are needed"),
    PROXY_AUTHENTICATION(407, "The proxy needs a user's name and password"),
    LOGINS(429, "Too many logins failed or wait"),
    REQUEST_TIME_OUT(408, "The request did not arrive in time"),
    BODY_TOO_LARGE(413, "The request's body is too large"),
    EXPECTATION(417, "The expectation cannot be met"),
    METHOD_NOT_ALLOWED(405, "The method is not allowed here"),
    RESTART_LIMIT(500, "The request was restarted too often"),
    FUNCTION(500, "The server failed");

    private final int status;
    private final String title;
    private final String code;

    ProxyFault(int status, String title) {
        this.status = status;
        this.title = title;
        this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The fault for a refused destination. */
    public static ProxyFault of(DestinationRefusal refusal) {
        return switch (refusal) {
            case CLIENT -> CLIENT_FORBIDDEN;
            case PORT -> PORT_FORBIDDEN;
            default -> DESTINATION_FORBIDDEN;
        };
    }

    public int status() {
        return status;
    }

    /** One sentence without a full stop, the same for all occurrences. */
    public String title() {
        return title;
    }

    /** The stable code in kebab case. */
    public String code() {
        return code;
    }
}
