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
    private final BlockingProposer blockingProposer;

    Binder(ClusterNode node, Exports exports, Clock clock) {
        this.node = node;
        this.exports = exports;
        this.blockingProposer = new BlockingProposer(node, clock);
    }

    void bind(String path, @Nullable Object object, boolean replace) throws NamingException {
        if (object == null) {
            throw new NamingException(path + ": null cannot be bound");
        }
        BindingLease under = BindingLease.of(node, object);
        if (!node.guard().admits("bind", under.lease(), under.fence())) {
            throw stale(path, under);
        }
        if (under.activation() != null && under.activation().lost()) {
            throw new ServiceUnavailableException(
                    path + ": " + under.lease() + " is being lost, so nothing can be bound under it");
        }
        if (object instanceof String text) {
            decide(path, under, command(path, under, new BindingValue.Text(text), replace));
            return;
        }
        Export export = export(path, object, under);
        Exported exported = new Exported(under, export);
        Exported before = exports.put(path, exported);
        boolean bound = false;
        try {
            decide(path, under, command(path, under, remote(path, export), replace));
            bound = true;
        } finally {
            if (!bound) {
                exports.undo(path, exported, before);
            }
        }
    }

    private Export export(String path, Object object, BindingLease s) throws NamingException {
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

    private static NamingCommand command(String path, BindingLease s, BindingValue value, boolean replace) {
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
        BindingLease under = own == null ? BindingLease.of(node, null) : own.under();
        Binding there = node.now().binding(path);
        if (there == null || !node.now().current(under.lease(), under.fence())) {
            return;
        }
        NamingCommand.Unbind command = new NamingCommand.Unbind(path, under.lease(), under.fence());
        if (!under.ending()) {
            decide(path, under, command);
            return;
        }
        if (!there.lease().equals(under.lease()) && !(there.value() instanceof BindingValue.Text)) {
            throw new NameAlreadyBoundException(path + " is bound under " + there.lease() + " of " + there.member());
        }
        if (own != null) {
            exports.drop(path, own);
        }
        blockingProposer.propose(command);
    }

    private void decide(String path, BindingLease under, NamingCommand command) throws NamingException {
        try {
            if (blockingProposer.decide(command, under.valid(), under.activation()) instanceof Answer.Refused r) {
                throw refused(path, under, r);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw caused(new InterruptedNamingException(path + ": interrupted"), e);
        } catch (BlockingProposer.Undecided e) {
            throw caused(new ServiceUnavailableException(path + ": " + e.getMessage()), e);
        }
    }

    private static NamingException caused(NamingException e, Throwable cause) {
        e.setRootCause(cause);
        return e;
    }

    private static NamingException refused(String path, BindingLease under, Answer.Refused r) {
        if (r.reason() == Refusal.NAME_BOUND) {
            return new NameAlreadyBoundException(r.text());
        }
        if (r.reason() == Refusal.STALE_FENCE) {
            return stale(path, under);
        }
        return r.reason() == Refusal.MALFORMED
                ? new InvalidNameException(r.text())
                : new NamingException(path + ": " + r.text());
    }

    private static NamingException stale(String path, BindingLease under) {
        return new NoPermissionException(path + ": " + under.lease() + " is no longer held with fence " + under.fence()
                + ", so nothing can be bound or unbound under it");
    }

    List<Binding> below(String prefix) {
        return ClusterNaming.below(node.now(), prefix);
    }
}
