package io.weir.proxy.program.run;

import io.weir.http.RequestHead;
import io.weir.kernel.work.RequestWork;
import io.weir.proxy.accesslog.LogSource;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;

/** The exchange, as the program sees it. Confined to its loop; it outlives the run's use of it. */
public interface RequestContext extends LogSource {
    /** The head as received; valid until the exchange ends. */
    RequestHead head();

    InetAddress clientAddress();

    /** Whether the client's connection is TLS. */
    boolean secure();

    /**
     * Whether the client asked for https: its connection is TLS, or a trusted peer in front says that the client's was.
     */
    default boolean https() {
        return secure();
    }

    /** What the client showed in its TLS handshake, leaf first; empty where it showed nothing. */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }

    /** Bits of the key that encrypts the client's connection; 0 without TLS. */
    default int secretKeySize() {
        return 0;
    }

    VirtualServer virtualServer();

    /** Has its work manager take the request in, unless it did; it counts there until its end. False: refused. */
    default boolean admit() {
        return true;
    }

    /** What monitoring reports of a thread that runs this function for the request. */
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
     * A run that answered {@link RunState#WAITING} stands somewhere else now. Called on the loop.
     *
     * @param state never {@link RunState#WAITING}
     */
    void resumed(RunState state);
}
