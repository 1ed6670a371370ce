package io.weir.kernel.tls;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection from the view of its TLS handshake. Called on the connection's event loop; lives as long as it.
 */
public interface TlsConnection {
    /** The channel whose pipeline gets the TLS handlers. */
    Channel channel();

    /** The client's address. */
    InetSocketAddress remote();

    /**
     * The handshake begins: runs the action if the connection is not {@link #secured} within the handshake time-out.
     */
    void handshakeBegins(Runnable timedOut);

    /** The server name that the client requests (SNI), as soon as it is known. */
    void serverName(@Nullable String name);

    /** The client's certificate chain as verified against client-trust, leaf first. */
    void clientCertificates(List<X509Certificate> shown);

    /** The handshake is complete: the protocol's handlers can be installed. */
    void secured();

    /** Closes it with a TCP reset. Callable from any thread. */
    void reset();
}
