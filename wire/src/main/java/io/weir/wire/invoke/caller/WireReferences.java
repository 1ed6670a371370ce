package io.weir.wire.invoke.caller;

import io.weir.wire.client.WireUrl;
import io.weir.wire.invoke.InvocationFault;
import io.weir.wire.invoke.ServiceReference;
import io.weir.wire.naming.NamingEntry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks members for a service: those that are connected first, then all whose address is known. Shared. */
final class WireReferences implements References {
    /** How long one member may take: one that hangs must not use up what the others would need. */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CallLinks links;
    private final List<WireUrl.Address> seeds;

    WireReferences(CallLinks links, List<WireUrl.Address> seeds) {
        this.links = links;
        this.seeds = List.copyOf(seeds);
    }

    /** The newest that any of them knows wins over the first answer only where the first knows nothing. */
    @Override
    public @Nullable ServiceReference find(String service, @Nullable ServiceReference last, long withinNanos) {
        Set<WireUrl.Address> all = new LinkedHashSet<>(links.open());
        if (last != null) {
            all.addAll(last.members());
        }
        all.addAll(seeds);
        // silent members are tried last
        List<WireUrl.Address> silent = links.silent();
        all.removeAll(silent);
        all.addAll(silent);
        InvocationFault failure = null;
        boolean answered = false;
        for (WireUrl.Address member : all) {
            try {
                ServiceReference found = ask(member, service, Math.min(withinNanos, ASK_NANOS));
                answered = true;
                if (found != null && !stale(found, last)) {
                    return found;
                }
            } catch (InvocationFault e) {
                if (e.code() == InvocationFault.Code.INTERRUPTED) {
                    throw e;
                }
                failure = e;
            }
        }
        if (failure != null && !answered) {
            throw failure;
        }
        return null;
    }

    /** A member that lags may still tell of an owner before the last. */
    private static boolean stale(ServiceReference found, @Nullable ServiceReference last) {
        return last != null && found.fence().compareTo(last.fence()) < 0;
    }

    private @Nullable ServiceReference ask(WireUrl.Address member, String service, long withinNanos) {
        CallLink link = links.take(member, withinNanos);
        try {
            Optional<NamingEntry> entry = link.naming()
                    .lookup(service)
                    .thenApply(Optional::ofNullable)
                    .get(Math.max(1, withinNanos), TimeUnit.NANOSECONDS);
            if (entry.isEmpty() || !entry.get().kind().equals(ServiceReference.KIND)) {
                return null;
            }
            ServiceReference found = ServiceReference.of(entry.get());
            return found.address() == null ? found.at(member, found.fence()) : found;
        } catch (ExecutionException | TimeoutException | IllegalArgumentException e) {
            throw new InvocationFault(
                    InvocationFault.Code.UNREACHABLE,
                    member + " does not tell: "
                            + (e instanceof TimeoutException ? "no answer came before the deadline" : e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvocationFault(InvocationFault.Code.INTERRUPTED, "interrupted while asking " + member, e);
        } finally {
            link.release();
        }
    }
}
