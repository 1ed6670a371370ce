package io.weir.cluster.naming;

import io.weir.base.Clock;
import io.weir.cluster.SingletonService;
import io.weir.cluster.naming.Exports.Exported;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.state.entry.Answer;
import io.weir.cluster.state.entry.Refusal;
import io.weir.cluster.state.naming.Binding;
import io.weir.cluster.state.naming.BindingValue;
import io.weir.cluster.state.naming.NamingCommand;
import io.weir.wire.invoke.UnfitInterface;
import io.weir.wire.invoke.description.Export;
import io.weir.wire.invoke.description.InterfaceDescription;
import io.weir.wire.invoke.description.Interfaces;
import java.util.List;
import javax.naming.InterruptedNamingException;
import javax.naming.InvalidNameException;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NamingException;
import javax.naming.NoPermissionException;
import javax.naming.ServiceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Binds and unbinds names of the replicated tree, each under a lease and its fence; waits until the command is
 * committed. Binding is idempotent. Shared.
 */
final class Binder {
    private final ClusterNode node;
    private final Exports exports;
    private final Deciding deciding;

    Binder(ClusterNode node, Exports exports, Clock clock) {
        this.node = node;
        this.exports = exports;
        this.deciding = new Deciding(node, clock);
    }

    void bind(String path, @Nullable Object object, boolean replace) throws NamingException {
        if (object == null) {
            throw new NamingException(path + ": null cannot be bound");
        }
        Bearer bearer = Bearer.of(node, object);
        if (!node.guard().admits("bind", bearer.lease(), bearer.fence())) {
            throw stale(path, bearer);
        }
        if (bearer.activation() != null && bearer.activation().lost()) {
            throw new ServiceUnavailableException(
                    path + ": " + bearer.lease() + " is being lost, so nothing can be bound under it");
        }
        if (object instanceof String text) {
            decide(path, bearer, command(path, bearer, new BindingValue.Text(text), replace));
            return;
        }
        Export export = export(path, object, bearer);
        Exported exported = new Exported(bearer, export);
        Exported before = exports.put(path, exported);
        boolean bound = false;
        try {
            decide(path, bearer, command(path, bearer, remote(path, export), replace));
            bound = true;
        } finally {
            if (!bound) {
                exports.undo(path, exported, before);
            }
        }
    }

    private Export export(String path, Object object, Bearer s) throws NamingException {
        try {
            return new Export(
                    object,
                    Interfaces.offered(object.getClass(), Binder::ofTheServer),
                    s.fence(),
                    () -> s.valid().getAsBoolean() && node.guard().admits("call", s.lease(), s.fence()),
                    s.role(),
                    s.scope());
        } catch (UnfitInterface e) {
            NamingException unfit = new NamingException(path + " cannot be bound: " + e.getMessage());
            unfit.setRootCause(e);
            throw unfit;
        }
    }

    /** Interfaces that are called by the server only, not by clients. */
    private static boolean ofTheServer(Class<?> type) {
        return type == SingletonService.class || type == io.weir.cluster.weblogic.SingletonService.class;
    }

    private static BindingValue remote(String path, Export export) {
        return new BindingValue.Remote(
                path, export.interfaces().stream().map(Binder::named).toList());
    }

    private static BindingValue.Interface named(InterfaceDescription d) {
        return new BindingValue.Interface(d.name(), d.hash());
    }

    private static NamingCommand command(String path, Bearer s, BindingValue value, boolean replace) {
        return replace
                ? new NamingCommand.Rebind(path, s.lease(), s.fence(), value)
                : new NamingCommand.Bind(path, s.lease(), s.fence(), value);
    }

    /**
     * Unbinding a name that is not bound, or was already removed with its lease, succeeds, as JNDI specifies. For a
     * service that is being deactivated, or is losing its lease, the call returns immediately: its export is dropped
     * here, and its name is removed with the lease at the latest, so the service does not wait for a decision that may
     * never come.
     */
    void unbind(String path) throws NamingException {
        Exported own = exports.get(path);
        Bearer bearer = own == null ? Bearer.of(node, null) : own.bearer();
        Binding there = node.now().binding(path);
        if (there == null || !node.now().current(bearer.lease(), bearer.fence())) {
            return;
        }
        NamingCommand.Unbind command = new NamingCommand.Unbind(path, bearer.lease(), bearer.fence());
        if (!bearer.ending()) {
            decide(path, bearer, command);
            return;
        }
        if (!there.lease().equals(bearer.lease()) && !(there.value() instanceof BindingValue.Text)) {
            throw new NameAlreadyBoundException(path + " is bound under " + there.lease() + " of " + there.member());
        }
        if (own != null) {
            exports.drop(path, own);
        }
        deciding.propose(command);
    }

    private void decide(String path, Bearer bearer, NamingCommand command) throws NamingException {
        try {
            if (deciding.decide(command, bearer.valid(), bearer.activation()) instanceof Answer.Refused r) {
                throw refused(path, bearer, r);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw caused(new InterruptedNamingException(path + ": interrupted"), e);
        } catch (Deciding.Undecided e) {
            throw caused(new ServiceUnavailableException(path + ": " + e.getMessage()), e);
        }
    }

    private static NamingException caused(NamingException e, Throwable cause) {
        e.setRootCause(cause);
        return e;
    }

    private static NamingException refused(String path, Bearer bearer, Answer.Refused r) {
        if (r.reason() == Refusal.NAME_BOUND) {
            return new NameAlreadyBoundException(r.text());
        }
        if (r.reason() == Refusal.STALE_FENCE) {
            return stale(path, bearer);
        }
        return r.reason() == Refusal.MALFORMED
                ? new InvalidNameException(r.text())
                : new NamingException(path + ": " + r.text());
    }

    private static NamingException stale(String path, Bearer bearer) {
        return new NoPermissionException(path + ": " + bearer.lease() + " is not held with fence " + bearer.fence()
                + " any more, so nothing can be bound or unbound under it");
    }

    List<Binding> below(String prefix) {
        return ClusterNaming.below(node.now(), prefix);
    }
}
