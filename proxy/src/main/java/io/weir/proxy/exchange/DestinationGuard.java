package io.weir.proxy.exchange;

import io.weir.proxy.context.ProxyContext;
import io.weir.proxy.program.destination.DestinationRefusal;
import io.weir.proxy.program.destination.DestinationRules;
import io.weir.proxy.program.destination.PortRules;
import io.weir.proxy.program.run.Program;
import io.weir.proxy.program.run.ProgramRun;
import io.weir.proxy.upstream.OriginConnector;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Checks where a forwarded request, or a tunnel, may lead: for each address before the request gets a connection to it,
 * whether new, idle or released by another request. It applies the rules in force at that time; if they have changed
 * since the request was checked, client and host are checked again. Immutable; it may outlive the client.
 *
 * @param checked the program whose rules permitted the client and the host
 * @param host as the request names it
 * @param tunnelPorts null: plain forwarding
 * @param parent whether a proxy behind this one resolves the host
 */
record DestinationGuard(
        ProxyContext proxy,
        Program checked,
        InetAddress client,
        String host,
        int port,
        @Nullable PortRules tunnelPorts,
        boolean parent)
        implements OriginConnector.AddressRule {
    /** The guard of a request that passed the rules. */
    static DestinationGuard of(ExchangeState exchange) {
        ProgramRun run = exchange.run();
        return new DestinationGuard(
                exchange.loopContext().proxy(),
                run.program(),
                exchange.clientAddress(),
                run.hostName(),
                run.port(),
                run.destination().ports(),
                run.parents() != null);
    }

    private @Nullable DestinationRefusal refusal(InetAddress address) {
        Program now = proxy.program();
        DestinationRules rules = now.destinations();
        DestinationRefusal changed = now == checked ? null : rules.client(client);
        if (changed == null && now != checked) {
            changed = rules.host(host, port, tunnelPorts);
        }
        if (changed != null) {
            return changed;
        }
        return parent ? rules.unresolved(host, client) : rules.address(address, client);
    }

    @Override
    public boolean allows(InetAddress address) {
        return refusal(address) == null;
    }

    @Override
    public void refused(InetAddress address) {
        DestinationRefusal why = refusal(address);
        if (why != null) {
            proxy.programHost().count(why);
        }
    }
}
