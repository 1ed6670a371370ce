package io.weir.proxy.function;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as a function sees it: a copy, which may outlive the exchange. Immutable, usable on any thread. A function
 * returns its changes in its {@link Verdict}. Weir implements it, and tests of functions may; later versions may add
 * methods.
 */
public interface FunctionRequest {
    /** The stage that runs. */
    Stage stage();

    /** As sent: methods are case-sensitive (RFC 9110 section 9.1). */
    String method();

    /** The target as sent (RFC 9112 section 3.2): a path with query, a whole URL, {@code host:port}, or {@code *}. */
    String target();

    /**
     * The path that rules are matched against and that origins get, without query, in the normal form of RFC 3986
     * section 6.2.2: nothing is encoded unnecessarily, and dot segments are resolved. {@code *} for the server as a
     * whole, empty for CONNECT.
     */
    String path();

    /** The part after the question mark, as sent; null if there is none. */
    @Nullable
    String query();

    /**
     * Host in lower case without trailing dots, and the port unless it is the scheme's default (RFC 9110 section 7.2);
     * null if an HTTP/1.0 client sent none.
     */
    @Nullable
    String host();

    /**
     * All values of a field, joined by commas (RFC 9110 section 5.3); null if there is none.
     *
     * @param name in any case
     */
    @Nullable
    String field(String name);

    /** The address of the connection's peer. */
    InetAddress clientAddress();

    /** Whether the connection is TLS. */
    boolean secure();

    /**
     * The certificates that the client presented in its TLS handshake, verified against client-trust, leaf first; empty
     * if none.
     */
    List<X509Certificate> clientCertificates();

    /** Name of the virtual server that answers. */
    String virtualServer();

    /** How often functions restarted this request; bounded by {@code proxy.restarts}. */
    int restarts();

    /** A variable that a function set earlier for this request ({@link Verdict#withVariable}); null if not set. */
    @Nullable
    String variable(String name);

    /** In Error: the reason's code, such as {@code origin-refused}; null in other stages. */
    @Nullable
    String reason();

    /** In Filter and Output: the status of the origin's answer; 0 in other stages. */
    int answerStatus();

    /**
     * In Filter and Output: all values of a field of the origin's answer, joined by commas; null if there is none, and
     * in other stages.
     */
    @Nullable
    String answerField(String name);
}
