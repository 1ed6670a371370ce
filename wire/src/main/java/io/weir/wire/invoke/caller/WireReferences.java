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

/** Queries members for a service: connected members first, then all whose address is known. Shared. */
final class WireReferences implements References {
    /** Time limit per member: one that hangs must not use up the time of the others. */
    private static final long QUERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final CallLinks links;
    private final List<WireUrl.Address> seeds;

    WireReferences(CallLinks links, List<WireUrl.Address> seeds) {
        this.links = links;
        this.seeds = List.copyOf(seeds);
    }

    /** Returns the first reference that is not older than the last; members without one are skipped. */
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
                ServiceReference found = query(member, service, Math.min(withinNanos, QUERY_NANOS));
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

    /** A member that lags behind may still report an owner before the last one. */
    private static boolean stale(ServiceReference found, @Nullable ServiceReference last) {
        return last != null && found.fence().compareTo(last.fence()) < 0;
    }

    private @Nullable ServiceReference query(WireUrl.Address member, String service, long withinNanos) {
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
                    member + " did not answer: "
                            + (e instanceof TimeoutException
                                    ? "no response arrived before the deadline"
                                    : e.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InvocationFault(InvocationFault.Code.INTERRUPTED, "interrupted while querying " + member, e);
        } finally {
            link.release();
        }
    }
}
