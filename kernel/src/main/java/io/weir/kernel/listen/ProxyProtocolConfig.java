package io.weir.kernel.listen;

import io.weir.base.Knob;
import io.weir.base.Network;
import io.weir.base.Unwatched;
import java.util.List;

/**
 * The section {@code proxy-protocol} of a listener: client addresses from a load balancer in front of it. Immutable.
 */
public record ProxyProtocolConfig(
        @Knob(
                doc = "Each connection must begin with a PROXY header, version 1 or 2, with the client's address;"
                        + " connections without one are closed.",
                value = "off",
                unwatched = Unwatched.SWITCH,
                dynamic = true)
        boolean enabled,

        @Knob(
                doc = "Networks of the load balancers whose PROXY headers are trusted; connections from other addresses"
                        + " are closed.",
                value = "127.0.0.0/8,::1",
                watch = "weir_listener_proxy_refused_total",
                dynamic = true)
        List<String> trusted) {

    public ProxyProtocolConfig {
        trusted = List.copyOf(trusted);
        // reports an invalid network at configuration time
        List<Network> _ = Network.all(trusted);
    }
}
