package io.weir.proxy.program;

import io.weir.http.TargetForm;
import io.weir.proxy.cache.FetchedFrom;
import io.weir.proxy.cache.Permission;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a run knows of the rules of {@code proxy.destinations}: whether its request passed them, and what of others'
 * fetches they let it have. Owned by its run, confined to its loop; allocates nothing where a request passed the rules
 * that are in force.
 */
public final class DestinationCheck {
    private final ProgramRun run;
    private boolean passed;
    private @Nullable PortRules ports;

    DestinationCheck(ProgramRun run) {
        this.run = run;
    }

    void begin() {
        passed = false;
        ports = null;
    }

    /**
     * Applies the rules to the client and to the host and port that it named; null: they may pass.
     *
     * @param tunnelPorts ports that tunnels may reach; null: {@code 443} for CONNECT, those of plain forwarding else
     */
    @Nullable
    DestinationRefusal check(@Nullable PortRules tunnelPorts) {
        boolean tunnel = run.input.form == TargetForm.AUTHORITY;
        ports = !tunnel ? null : tunnelPorts == null ? PortRules.TLS : tunnelPorts;
        DestinationRefusal refusal = refusal(run.program().destinations());
        passed = refusal == null;
        return refusal;
    }

    private @Nullable DestinationRefusal refusal(Destinations rules) {
        DestinationRefusal refusal = rules.client(client());
        return refusal == null ? rules.host(run.hostName(), run.port(), ports) : refusal;
    }

    private InetAddress client() {
        return run.request().clientAddress();
    }

    /** Whether {@link #check} let this request pass. */
    boolean passed() {
        return passed;
    }

    /** The ports that a tunnel may reach; null for plain forwarding. */
    public @Nullable PortRules ports() {
        return ports;
    }

    /** Whether the request can be forwarded to the host that it names. */
    private boolean named() {
        return run.input.form == TargetForm.ABSOLUTE || run.isHostMapped();
    }

    /**
     * Whether it may have an answer that was fetched from there. One that is forwarded for certain gets nothing from the
     * operator's own origins, and one that these answer for certain nothing that was forwarded.
     *
     * @param inForce the program whose rules count
     * @param from null: from the operator's own origins
     */
    public boolean mayHave(Program inForce, @Nullable FetchedFrom from) {
        if (from == null || !named()) {
            return from == null && !(named() && run.onlyForwards());
        }
        Destinations rules = inForce.destinations();
        boolean asked = passed && inForce == run.program();
        return (asked || refusal(rules) == null) && rules.mayHave(from, client());
    }

    /** {@link Permission#kin}. */
    public Permission.Kin kin(Program inForce) {
        return named() ? inForce.destinations().kin(run.onlyForwards(), client()) : Permission.Kin.ROUTED;
    }
}
