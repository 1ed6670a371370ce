package io.weir.jms;

import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import io.weir.wire.naming.Naming;
import io.weir.wire.naming.NamingEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import javax.naming.AuthenticationException;
import javax.naming.CommunicationException;
import javax.naming.InterruptedNamingException;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The connection behind a naming context, opened for each request and closed after it: look-ups are rare, and a context
 * that is never closed must not hold resources. Shared by the contexts derived from the first.
 */
final class NamingLink {
    private final WireUrl url;
    private final Credentials credentials;

    NamingLink(WireUrl url, Credentials credentials) {
        this.url = url;
        this.credentials = credentials;
    }

    Credentials credentials() {
        return credentials;
    }

    /** A request to the server's naming. */
    private interface Request<T> {
        CompletableFuture<T> send(Naming naming);
    }

    @Nullable
    NamingEntry lookup(String name) throws NamingException {
        return call(naming -> naming.lookup(name).thenApply(Optional::ofNullable))
                .orElse(null);
    }

    List<NamingEntry> list(String prefix) throws NamingException {
        return call(naming -> naming.list(prefix));
    }

    private <T> T call(Request<T> request) throws NamingException {
        try (WireClient client = WireClient.open()) {
            AtomicReference<@Nullable Naming> naming = new AtomicReference<>();
            ClientOptions options = ClientOptions.DEFAULT
                    .withProduct("weir-jms-client naming")
                    .withConnectTimeOut(Duration.ofSeconds(10));
            CompletableFuture<WireConnection> connecting = client.connect(
                    url.addresses(), credentials, url.secure() ? options.withTls(null) : options, wire -> {
                        Naming made = new Naming(wire);
                        naming.set(made);
                        return made;
                    });
            WireConnection wire = connecting.get();
            try {
                Naming answering = naming.get();
                if (answering == null) {
                    throw new ServiceUnavailableException("no naming at " + url.addresses());
                }
                return request.send(answering).get();
            } finally {
                wire.close();
            }
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            NamingException interrupted = new InterruptedNamingException("interrupted while asking " + url.addresses());
            interrupted.setRootCause(e);
            throw interrupted;
        }
    }

    private NamingException failure(Throwable cause) {
        String text = "naming at " + url.addresses() + ": " + cause.getMessage();
        boolean login = cause instanceof WireFault fault && fault.reason() == WireFault.Reason.AUTHENTICATION;
        NamingException e = login ? new AuthenticationException(text) : new CommunicationException(text);
        e.setRootCause(cause);
        return e;
    }
}
