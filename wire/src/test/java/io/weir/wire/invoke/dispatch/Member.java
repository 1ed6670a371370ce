package io.weir.wire.invoke.dispatch;

import io.weir.base.Fence;
import io.weir.base.SystemClock;
import io.weir.wire.Configs;
import io.weir.wire.FrameRoutes;
import io.weir.wire.TestServer;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.InvokeStats;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A member of a cluster that a test plays: a server on a loopback port, which owns what the test assigns. */
public final class Member implements Owners, NamingDirectory, AutoCloseable {
    /** Who owns what, as all members see it. */
    public static final class Tree {
        public final Map<String, ServiceReference> names = new ConcurrentHashMap<>();
    }

    public final Map<String, Export> exports = new ConcurrentHashMap<>();
    public final AtomicInteger refused = new AtomicInteger();
    final String name;
    public final Dispatcher dispatcher;
    public final TestServer server;
    private final Tree tree;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile CountDownLatch running = new CountDownLatch(0);

    public Member(String name, Tree tree) {
        this(name, tree, Dispatcher.Limits.DEFAULT);
    }

    public Member(String name, Tree tree, Dispatcher.Limits limits) {
        this.name = name;
        this.tree = tree;
        AtomicReference<@Nullable Dispatcher> made = new AtomicReference<>();
        this.server = new TestServer(
                Configs.config(),
                TestServer.ANNA,
                this,
                connection -> {
                    Dispatcher d = made.get();
                    if (d == null) {
                        throw new IllegalStateException("not yet");
                    }
                    return new FrameRoutes(List.of(d.route())).apply(connection);
                },
                null);
        this.dispatcher = new Dispatcher(
                limits,
                new Dispatcher.Parts(this, Access.named("guest"), SystemClock.INSTANCE, server.stats, server.log));
        made.set(dispatcher);
    }

    public WireUrl.Address address() {
        return server.addresses().getFirst();
    }

    /** This member owns it from now on, and all see it. */
    public void own(String service, Object target, Fence fence, Class<?>... interfaces) {
        own(service, target, fence, null, interfaces);
    }

    public void own(String service, Object target, Fence fence, @Nullable String role, Class<?>... interfaces) {
        List<InterfaceDescription> described = new ArrayList<>();
        Map<String, Long> hashes = new ConcurrentHashMap<>();
        for (Class<?> c : interfaces) {
            InterfaceDescription d = InterfaceDescription.of(c);
            described.add(d);
            hashes.put(d.name(), d.hash());
        }
        exports.put(service, new Export(target, described, fence, () -> true, role, Runnable::run));
        tree.names.put(service, new ServiceReference(service, fence, name, address(), hashes, List.of(address())));
    }

    @Override
    public Standing standing(String service) {
        Export here = exports.get(service);
        ServiceReference there = tree.names.get(service);
        if (here != null) {
            return new Here(here);
        }
        return there == null ? new Nowhere() : new Elsewhere(String.valueOf(there.address()), there.fence());
    }

    @Override
    public void refused(String service, Fence offered) {
        refused.incrementAndGet();
    }

    @Override
    public @Nullable NamingEntry lookup(String path, Principal user) {
        hungUp();
        ServiceReference r = tree.names.get(path);
        return r == null ? null : r.entry();
    }

    @Override
    public List<NamingEntry> list(String prefix, Principal user) {
        return tree.names.values().stream().map(ServiceReference::entry).toList();
    }

    /** Its loop stands still as if the process were stopped: its connections stay and nothing is answered. */
    public void hang() {
        running = new CountDownLatch(1);
    }

    void goOn() {
        running.countDown();
    }

    private void hungUp() {
        try {
            var _ = running.await(3, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public long calls(String outcome) {
        return server.stats.value(InvokeStats.CALLS, outcome);
    }

    @Override
    public void close() {
        goOn();
        if (closed.compareAndSet(false, true)) {
            dispatcher.close();
            server.close();
        }
    }
}
