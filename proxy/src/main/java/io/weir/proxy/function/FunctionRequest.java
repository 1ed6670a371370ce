package io.weir.proxy.function;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as a function sees it: a copy, which may outlive the exchange. Immutable, so that any thread may have it. What a
 * function changes it says in its {@link Verdict}. Weir implements it, and tests of functions may; later versions may tell
 * more of a request.
 */
public interface FunctionRequest {
    /** The stage that runs. */
    Stage stage();

    /** As sent: methods are case-sensitive (RFC 9110 section 9.1). */
    String method();

    /** The target as sent (RFC 9112 section 3.2): a path with query, a whole URL, {@code host:port}, or {@code *}. */
    String target();

    /**
     * The path that rules are matched against and origins get, without query, in the normal form of RFC 3986 section 6.2.2:
     * nothing in it is encoded without need, and dot segments are resolved. {@code *} for all of the server, empty for
     * CONNECT.
     */
    String path();

    /** What follows the question mark, as sent; null: there is none. */
    @Nullable
    String query();

    /**
     * Host in lower case and without dots behind it, and the port unless it is the scheme's own (RFC 9110 section 7.2); null
     * where an HTTP/1.0 client sent none.
     */
    @Nullable
    String host();

    /**
     * All values of a field, joined by commas (RFC 9110 section 5.3); null: there is none.
     *
     * @param name in any case
     */
    @Nullable
    String field(String name);

    /** Where the connection comes from. */
    InetAddress clientAddress();

    /** Whether the connection is TLS. */
    boolean secure();

    /** What the client showed in its TLS handshake, checked against client-trust, leaf first; empty where nothing. */
    List<X509Certificate> clientCertificates();

    /** Name of the virtual server that answers. */
    String virtualServer();

    /** How often functions restarted this request; {@code proxy.restarts} bounds it. */
    int restarts();

    /** What a function set before for this request ({@link Verdict#withVariable}); null: nothing. */
    @Nullable
    String variable(String name);

    /** In Error: the reason's code, such as {@code origin-refused}; null elsewhere. */
    @Nullable
    String reason();

    /** In Filter and Output: the status of the origin's answer; 0 elsewhere. */
    int answerStatus();

    /** In Filter and Output: all values of a field of the origin's answer, joined by commas; null: none, or elsewhere. */
    @Nullable
    String answerField(String name);
}
