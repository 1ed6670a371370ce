package io.weir.proxy.program.run;

import io.weir.http.TargetForm;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.Permission;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.destination.PortRules;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A run's view of the rules of {@code proxy.destinations}: whether its request passed them, and which fetches of other
 * requests it may share. Owned by its run, confined to its loop; allocates nothing if the request passed the rules that
 * are in force.
 */
public final class DestinationCheck {
    private final FunctionContext run;
    private boolean passed;
    private @Nullable PortRules ports;

    DestinationCheck(FunctionContext run) {
        this.run = run;
    }

    void begin() {
        passed = false;
        ports = null;
    }

    /**
     * Applies the rules to the client and to the requested host and port; null: permitted.
     *
     * @param tunnelPorts ports that tunnels may reach; null: {@code 443} for CONNECT, otherwise those of plain
     *     forwarding
     */
    @Nullable
    public DestinationRefusal check(@Nullable PortRules tunnelPorts) {
        boolean tunnel = run.input.form == TargetForm.AUTHORITY;
        ports = !tunnel ? null : tunnelPorts == null ? PortRules.TLS : tunnelPorts;
        DestinationRefusal refusal = refusal(run.destinations());
        passed = refusal == null;
        return refusal;
    }

    private @Nullable DestinationRefusal refusal(DestinationRules rules) {
        DestinationRefusal refusal = rules.client(client());
        return refusal == null ? rules.host(run.hostName(), run.port(), ports) : refusal;
    }

    /** Applies the rules to the host as written, which a proxy behind this one resolves; null: permitted. */
    @Nullable
    public DestinationRefusal checkUnresolved() {
        return run.destinations().unresolved(run.hostName(), client());
    }

    private InetAddress client() {
        return run.request().clientAddress();
    }

    /** Whether {@link #check} permitted this request. */
    public boolean passed() {
        return passed;
    }

    /** The ports that a tunnel may reach; null for plain forwarding. */
    public @Nullable PortRules ports() {
        return ports;
    }

    /** Whether the request can be forwarded to the host in its target. */
    private boolean named() {
        return run.input.form == TargetForm.ABSOLUTE || run.isHostMapped();
    }

    /**
     * Whether it may use an answer that was fetched from there. A request that is certain to be forwarded gets nothing
     * from configured origins, and one that these are certain to answer gets nothing that was forwarded.
     *
     * @param inForce the current rules
     * @param from null: from a configured origin
     */
    public boolean mayHave(DestinationRules inForce, @Nullable FetchedFrom from) {
        if (from == null || !named()) {
            return from == null && !(named() && run.onlyForwards());
        }
        boolean checked = passed && inForce == run.destinations();
        return (checked || refusal(inForce) == null) && inForce.mayHave(from, client());
    }

    /** {@link Permission#audience}. */
    public Permission.Audience audience(DestinationRules inForce) {
        return named() ? inForce.audience(run.onlyForwards(), client()) : Permission.Audience.ROUTED;
    }
}
