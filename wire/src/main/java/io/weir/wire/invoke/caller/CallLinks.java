package io.weir.wire.invoke.caller;

import io.weir.wire.LostConnection;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireClient;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.login.Credentials;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of an invoker, one per member, created on demand. Shared by the calling threads. */
final class CallLinks implements AutoCloseable {
    private final Supplier<Credentials> credentials;
    private final ClientOptions options;
    private final int most;
    private final long idleNanos;
    private final Map<WireUrl.Address, CompletableFuture<CallLink>> links = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Starts without connections.
     *
     * @param most maximum of concurrent calls per connection
     * @param idleNanos an unused connection is closed after one to two times this time
     */
    CallLinks(Supplier<Credentials> credentials, ClientOptions options, int most, long idleNanos) {
        this.credentials = credentials;
        this.options = options;
        this.most = most;
        this.idleNanos = idleNanos;
    }

    /**
     * Takes a place on the connection to a member, connecting if necessary.
     *
     * @throws InvocationFault if no connection can be made in time, or too many calls are outstanding on it
     */
    CallLink take(WireUrl.Address to, long withinNanos) {
        for (int i = 0; i < 3; i++) {
            CallLink link = await(to, withinNanos);
            switch (link.take()) {
                case TAKEN -> {
                    return link;
                }
                case FULL ->
                    throw new InvocationFault(
                            InvocationFault.Code.BUSY, most + " calls to " + to + " are already outstanding");
                case CLOSING -> links.computeIfPresent(to, (unusedAddress, f) -> f.getNow(link) == link ? null : f);
            }
        }
        throw new InvocationFault(
                InvocationFault.Code.UNREACHABLE, "the connection to " + to + " was closed repeatedly");
    }

    /** The addresses of open connections. */
    List<WireUrl.Address> open() {
        return having(CallLink::isOpen);
    }

    /** The addresses of open connections whose members are silent. */
    List<WireUrl.Address> silent() {
        return having(l -> l.isOpen() && l.isSilent());
    }

    private List<WireUrl.Address> having(Predicate<CallLink> what) {
        return links.entrySet().stream()
                .filter(e -> e.getValue().isDone()
                        && !e.getValue().isCompletedExceptionally()
                        && what.test(e.getValue().join()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private CallLink await(WireUrl.Address to, long withinNanos) {
        if (closed) {
            throw new InvocationFault(InvocationFault.Code.UNREACHABLE, "the invoker is closed");
        }
        CompletableFuture<CallLink> link = links.computeIfAbsent(to, this::connect);
        try {
            return link.get(Math.max(1, withinNanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            links.remove(to, link);
            Throwable cause = e.getCause() == null ? e : e.getCause();
            Throwable reason =
                    cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
            throw new InvocationFault(InvocationFault.Code.UNREACHABLE, to + ": " + reason.getMessage(), reason);
        } catch (TimeoutException e) {
            throw new InvocationFault(InvocationFault.Code.UNREACHABLE, to + " was not reached in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvocationFault(
                    InvocationFault.Code.INTERRUPTED, "interrupted while a connection to " + to + " was made", e);
        }
    }

    private CompletableFuture<CallLink> connect(WireUrl.Address to) {
        WireClient client = WireClient.open();
        CompletableFuture<CallLink> made = new CompletableFuture<>();
        AtomicReference<@Nullable CallLink> link = new AtomicReference<>();
        var unused = client.connect(List.of(to), credentials.get(), options, connection -> {
                    CallLink l = new CallLink(connection, most, idleNanos, () -> {
                        links.remove(to, made);
                        client.close();
                    });
                    link.set(l);
                    return l;
                })
                .whenComplete((unusedConnection, failure) -> {
                    CallLink l = link.get();
                    if (failure == null && l != null) {
                        // not earlier: until the handshake is complete, the connection accepts only its short frames
                        made.complete(l);
                    } else {
                        client.close();
                        made.completeExceptionally(failure == null ? new LostConnection("no link") : failure);
                    }
                });
        return made;
    }

    @Override
    public void close() {
        closed = true;
        for (CompletableFuture<CallLink> link : List.copyOf(links.values())) {
            var unused = link.thenAccept(l -> l.connection().close());
        }
    }
}
