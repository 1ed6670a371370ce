package io.weir.wire.invoke.caller;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.login.Credentials;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The caller's end of remote invocation: creates proxies, whose calls share one connection per member. After some time
 * without calls it holds no connection and no thread. Shared by any threads.
 */
public final class Invoker implements AutoCloseable {
    /**
     * The caller's limits. Immutable.
     *
     * @param outstanding maximum of outstanding calls per member; more are refused immediately
     * @param arguments maximum size of a call's arguments in bytes
     * @param idle time after which an unused connection is closed
     */
    public record Limits(int outstanding, int arguments, Duration idle) {
        /** 1,024 calls of at most 1 MiB; half a minute. */
        public static final Limits DEFAULT = new Limits(1024, 1 << 20, Duration.ofSeconds(30));
    }

    private final CallLinks links;
    private final Clock clock;
    private final Limits limits;
    private final long origin;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeSet<Long> open = new TreeSet<>();
    private long requests;

    /** Creates an invoker; the credentials are obtained for each connection. */
    public Invoker(Supplier<Credentials> credentials, ClientOptions options, Limits limits, Clock clock) {
        this.links = new CallLinks(
                credentials, options, limits.outstanding(), limits.idle().toNanos());
        this.clock = clock;
        this.limits = limits;
        this.origin = Chance.unseeded().random().nextLong();
    }

    /**
     * Creates a proxy for a service.
     *
     * @param loader a class loader that sees all the interfaces
     * @param interfaces implemented by the proxy; the owner refuses calls of an interface whose shape differs there
     * @param references finds the service again after it has moved
     * @param first where the service is; null to look it up at the first call
     * @throws UnfitInterface if an interface cannot be called over the wire
     */
    public Object proxy(
            String service,
            ClassLoader loader,
            List<Class<?>> interfaces,
            References references,
            @Nullable ServiceReference first,
            ProxyOptions options) {
        List<InterfaceDescription> described =
                interfaces.stream().map(InterfaceDescription::of).toList();
        ServiceProxy handler = new ServiceProxy(this, service, described, references, options, first);
        return Proxy.newProxyInstance(loader, interfaces.toArray(Class<?>[]::new), handler);
    }

    /** Finds services by querying the members' naming over this invoker's connections. */
    public References overTheWire(List<WireUrl.Address> seeds) {
        return new WireReferences(links, seeds);
    }

    CallLinks links() {
        return links;
    }

    Clock clock() {
        return clock;
    }

    Limits limits() {
        return limits;
    }

    long origin() {
        return origin;
    }

    /** Begins a request, which is open until it is settled; returns its number. */
    long begin() {
        lock.lock();
        try {
            long request = ++requests;
            open.add(request);
            return request;
        } finally {
            lock.unlock();
        }
    }

    void settle(long request) {
        lock.lock();
        try {
            open.remove(request);
        } finally {
            lock.unlock();
        }
    }

    /** All requests below this number are settled. */
    long settledBelow() {
        lock.lock();
        try {
            return open.isEmpty() ? requests + 1 : open.first();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connections; calls in flight fail as lost. */
    @Override
    public void close() {
        links.close();
    }
}
