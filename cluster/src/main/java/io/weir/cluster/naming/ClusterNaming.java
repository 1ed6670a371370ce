package io.weir.cluster.naming;

import io.weir.base.Clock;
import io.weir.cluster.Checkpoints;
import io.weir.cluster.ServiceLease;
import io.weir.cluster.lease.FenceGuard;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.Activation;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.members.MemberState;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.caller.Invoker;
import io.weir.wire.invoke.caller.ProxyOptions;
import io.weir.wire.invoke.caller.References;
import io.weir.wire.invoke.description.CallersTypes;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.Interfaces;
import io.weir.wire.invoke.dispatch.Owners;
import io.weir.wire.login.Credentials;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * The member's side of the replicated naming tree: JNDI bindings and lookups in the server, lookups of clients, and the
 * services exported by this member. A name maps not to an object but to its owner's location: a lookup returns a proxy,
 * on the owner's member too, where calls stay in the process but pass arguments by value and are refused once the lease
 * has ended. Created before the member's log is opened. Shared; lives as long as the member.
 */
public final class ClusterNaming implements Owners, NamingDirectory, References, AutoCloseable {
    /** Time-out of the barrier for a name that is unknown here. */
    private static final long BARRIER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Names of the server itself, outside the replicated tree. */
    public interface Others {
        Others NONE = _ -> null;

        /** The object bound to this full name; null if none. */
        @Nullable
        Object find(String name) throws NamingException;
    }

    /**
     * Dependencies.
     *
     * @param credentials credentials for calls to other members
     * @param options options of connections to other members
     * @param proxies options of the proxies returned by lookups
     * @param limits of those calls
     * @param others resolves names outside the tree, such as those of messaging; returns null for unknown names
     */
    public record Parts(
            ClusterNode node,
            Supplier<Credentials> credentials,
            ClientOptions options,
            ProxyOptions proxies,
            Invoker.Limits limits,
            Others others,
            Clock clock) {}

    private final Parts parts;
    private final ClusterNode node;
    private final Invoker invoker;
    private final Exports exports = new Exports();
    private final Binder binder;

    public ClusterNaming(Parts parts) {
        this.parts = parts;
        this.node = parts.node();
        this.invoker = new Invoker(parts.credentials(), parts.options(), parts.limits(), parts.clock());
        this.binder = new Binder(node, exports, parts.clock());
        node.holder().listen(exports);
    }

    ClusterNode node() {
        return node;
    }

    Binder binder() {
        return binder;
    }

    Exports exports() {
        return exports;
    }

    /** Makes this member's naming the default of {@code new InitialContext()} in this process, until it is closed. */
    public void install() {
        ServerContextFactory.install(this);
    }

    // Queries of the call dispatcher

    @Override
    public Standing standing(String service) {
        Exports.Exported own = exports.get(service);
        ClusterState now = node.now();
        if (own != null && now.current(own.lease(), own.export().fence())) {
            return new Here(own.export());
        }
        Binding b = now.binding(service);
        if (b == null
                || !(b.value() instanceof BindingValue.Remote)
                || b.member().equals(self())) {
            return new Nowhere();
        }
        MemberState m = now.member(b.member());
        return new Elsewhere(m == null || m.address().isEmpty() ? null : m.address(), b.fence());
    }

    private String self() {
        return node.self().member();
    }

    // Lookups of clients

    @Override
    public @Nullable NamingEntry lookup(String name, Principal user) {
        Binding b = node.now().binding(name);
        return b == null ? null : entry(b);
    }

    @Override
    public List<NamingEntry> list(String prefix, Principal user) {
        List<NamingEntry> found = new ArrayList<>();
        for (Binding b : below(node.now(), prefix)) {
            found.add(entry(b));
        }
        return found;
    }

    /** Bindings whose path begins with the prefix, sorted. */
    static List<Binding> below(ClusterState now, String prefix) {
        return List.copyOf(
                now.bindings().subMap(prefix, prefix + Character.MAX_VALUE).values());
    }

    private NamingEntry entry(Binding b) {
        return switch (b.value()) {
            case BindingValue.Text t -> new NamingEntry("text", b.path(), Map.of("value", t.value()));
            case BindingValue.Remote r -> reference(b, r).entry();
        };
    }

    private ServiceReference reference(Binding b, BindingValue.Remote remote) {
        ClusterState now = node.now();
        Map<String, Long> interfaces = new LinkedHashMap<>();
        remote.interfaces().forEach(i -> interfaces.put(i.name(), i.hash()));
        List<WireUrl.Address> members = new ArrayList<>();
        WireUrl.Address owner = null;
        for (MemberState m : now.members().values()) {
            if (m.address().isEmpty()) {
                continue;
            }
            WireUrl.Address at = ServiceReference.addresses(m.address()).getFirst();
            members.add(at);
            owner = m.name().equals(b.member()) ? at : owner;
        }
        ServiceReference found = ServiceReference.unaddressed(b.path(), b.fence(), b.member(), interfaces)
                .knowing(members);
        return owner == null ? found : found.at(owner, b.fence());
    }

    // Lookups of proxies in this process

    @Override
    public @Nullable ServiceReference find(String service, @Nullable ServiceReference last, long withinNanos) {
        ServiceReference found = known(service);
        if (last != null && (found == null || found.equals(last))) {
            // the reference that failed is the one in this member's state, which may lag
            barrier(Math.min(withinNanos, BARRIER_NANOS));
            found = known(service);
        }
        return found;
    }

    private @Nullable ServiceReference known(String service) {
        Binding b = node.now().binding(service);
        return b != null && b.value() instanceof BindingValue.Remote r ? reference(b, r) : null;
    }

    @Override
    public @Nullable Export local(String service) {
        return standing(service) instanceof Here h ? h.export() : null;
    }

    /**
     * Waits until this member has applied everything committed before the call. After a time-out, or if the calling
     * service's lease ends, the lookup continues with the current state.
     */
    private boolean barrier(long withinNanos) {
        try {
            BlockingProposer.within(node.proposer().barrier(), Math.max(1, withinNanos), Activation.current());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            // no majority or no leader: this member's state is the best available
            return false;
        }
    }

    // Lookups of JNDI in this process

    /** The object bound to this full name: a text, or a proxy; null if none. */
    @Nullable
    Object object(String path) throws NamingException {
        if (path.equals(ServiceLease.NAME)) {
            return LeaseOfService.here(node);
        }
        if (path.equals(Checkpoints.NAME)) {
            return ServiceCheckpoints.here(node, parts.clock());
        }
        Object known = bound(path);
        if (known != null) {
            return known;
        }
        Object other = parts.others().find(path);
        return other != null || !barrier(BARRIER_NANOS) ? other : bound(path);
    }

    private @Nullable Object bound(String path) throws NamingException {
        Binding b = node.now().binding(path);
        return b == null ? null : object(b);
    }

    Object object(Binding b) throws NamingException {
        return switch (b.value()) {
            case BindingValue.Text t -> t.value();
            case BindingValue.Remote r -> proxy(reference(b, r));
        };
    }

    private Object proxy(ServiceReference reference) throws NamingException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader from = context == null ? ClusterNaming.class.getClassLoader() : context;
        try {
            List<Class<?>> interfaces = resolved(reference);
            return invoker.proxy(
                    reference.service(),
                    Interfaces.loader(interfaces, from),
                    interfaces,
                    this,
                    reference,
                    parts.proxies());
        } catch (UnfitInterface e) {
            NamingException unusable = new NamingException(e.getMessage());
            unusable.setRootCause(e);
            throw unusable;
        }
    }

    /** Interfaces resolved by the caller's class loader; if that fails and the service runs here, by the service's. */
    private List<Class<?>> resolved(ServiceReference reference) {
        Export here = local(reference.service());
        try {
            return Interfaces.resolve(reference, CallersTypes.here()::naming);
        } catch (UnfitInterface e) {
            if (here == null) {
                throw e;
            }
            ClassLoader own = here.target().getClass().getClassLoader();
            return Interfaces.resolve(
                    reference,
                    name -> here.interfaces().stream().anyMatch(i -> i.name().equals(name)) ? own : null);
        }
    }

    /** The guard that checks each side effect. */
    FenceGuard guard() {
        return node.guard();
    }

    /** Ends binding and lookups through this object; names are removed with their leases. */
    @Override
    public void close() {
        ServerContextFactory.remove(this);
        invoker.close();
    }
}
