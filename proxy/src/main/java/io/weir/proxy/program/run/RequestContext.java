package io.weir.proxy.program.run;

import io.weir.http.RequestHead;
import io.weir.kernel.work.RequestWork;
import io.weir.proxy.accesslog.LogSource;
import io.weir.proxy.program.server.VirtualServer;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The exchange, as the program sees it. Confined to its loop; it outlives the run's use of it. */
public interface RequestContext extends LogSource {
    /** The head as received; valid until the exchange ends. */
    RequestHead head();

    InetAddress clientAddress();

    /** Whether the client's connection is TLS. */
    boolean secure();

    /**
     * Whether the client used https: its connection is TLS, or a trusted peer in front reports that the client's was.
     */
    default boolean https() {
        return secure();
    }

    /** The certificates that the client presented in its TLS handshake, leaf first; empty if none. */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }

    /** Bits of the key that encrypts the client's connection; 0 without TLS. */
    default int secretKeySize() {
        return 0;
    }

    /** The TLS session of the client's connection; null without TLS. */
    default @Nullable SSLSession tls() {
        return null;
    }

    VirtualServer virtualServer();

    /** Whether another member of the cluster asks for its client, whom it has checked and counted already. */
    default boolean ofMember() {
        return false;
    }

    /** Has its work manager admit the request, unless it already did; it counts there until it ends. False: refused. */
    default boolean admit() {
        return true;
    }

    /** What monitoring reports for a thread that runs this function for the request. */
    default RequestWork.Subject subject(String function) {
        return new RequestWork.Subject(
                0,
                0,
                clientAddress().getHostAddress(),
                virtualServer().name(),
                head().method(),
                head().target(),
                function);
    }

    /** The loop that owns the exchange. */
    Executor loop();

    /**
     * A run that returned {@link RunState#WAITING} has resumed and stopped at another state. Called on the loop.
     *
     * @param state never {@link RunState#WAITING}
     */
    void resumed(RunState state);
}
