package io.weir.kernel.tls;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's connection as its TLS handshake sees it. Called on the connection's event loop; lives as long as it. */
public interface TlsConnection {
    /** Whose pipeline the TLS handlers join. */
    Channel channel();

    /** Who connects. */
    InetSocketAddress remote();

    /** The handshake begins: runs the action if the connection is not {@link #secured} within the time-out for handshakes. */
    void handshakeBegins(Runnable timedOut);

    /** The name that the client asks for (SNI), as soon as it is known. */
    void serverName(@Nullable String name);

    /** What the client showed and was checked against client-trust, leaf first. */
    void clientCertificates(List<X509Certificate> shown);

    /** The handshake is done: the protocol takes over. */
    void secured();

    /** Closes it with a reset. From any thread. */
    void reset();
}
