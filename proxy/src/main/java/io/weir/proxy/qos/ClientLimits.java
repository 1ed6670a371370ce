package io.weir.proxy.qos;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import io.weir.kernel.listen.RequestRate;

/**
 * The section {@code proxy.client-limits}: bounds on the traffic of each client address, an IPv6 /64 counting as one. Its
 * connections are bounded by {@code kernel.max-connections-per-address}. Immutable.
 */
public record ClientLimits(
        @Knob(
                doc = "Bytes a second to each client address; answers are slowed down, never cut. 0: no bound."
                        + " Rule of thumb: the whole line divided by the clients that load it at once.",
                value = "0",
                min = "0",
                max = "1024GiB",
                dynamic = true,
                watch = "weir_qos_pauses_total")
        ByteSize bandwidth,

        @Knob(doc = "Requests of each.", inline = true, dynamic = true)
        RequestRate requests,

        @Knob(
                doc = "Client addresses that are tracked, 230 to 330 bytes of heap each. When the table is full of"
                        + " busy ones, further clients share one allowance: raise it when that is counted. Rule"
                        + " of thumb: twice the addresses that send requests within a minute.",
                value = "65536",
                unit = "addresses",
                min = "8",
                max = "4194304",
                watch = {"weir_qos_clients", "weir_qos_client_overflows_total"})
        int table) {

    /** Whether there is no limit. */
    public boolean none() {
        return bandwidth.bytes() == 0 && !requests.bounded();
    }
}
