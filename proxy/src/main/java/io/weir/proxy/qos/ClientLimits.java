package io.weir.proxy.qos;

import io.weir.base.ByteSize;
import io.weir.base.Knob;

/**
 * The section {@code proxy.client-limits}: bounds on the traffic of each client address, an IPv6 /64 counting as one. Its
 * connections are bounded by {@code kernel.max-connections-per-address}. Immutable.
 */
public record ClientLimits(
        @Knob(
                doc = "Bytes a second to each client address; answers are slowed down, never cut. 0: no bound.",
                value = "0",
                min = "0",
                max = "1024GiB",
                dynamic = true,
                watch = "weir_qos_pauses_total")
        ByteSize bandwidth,

        @Knob(
                doc = "Requests a second of each client address; more are answered 429. 0: no bound.",
                value = "0",
                unit = "requests/s",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = "weir_qos_refused_total",
                seed = "check-request-limits monitor")
        double requestRate,

        @Knob(
                doc = "Requests that may come at once after a pause; 0: those of a second.",
                value = "0",
                unit = "requests",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = "weir_qos_refused_total")
        int requestBurst,

        @Knob(
                doc = "Client addresses that are remembered. Where it is full of busy ones, further clients share an"
                        + " allowance.",
                value = "65536",
                unit = "addresses",
                min = "8",
                max = "4194304",
                watch = {"weir_qos_clients", "weir_qos_client_overflows_total"},
                seed = "init-request-limits timeout")
        int table) {

    /** Whether nothing is bounded. */
    public boolean none() {
        return bandwidth.bytes() == 0 && requestRate == 0;
    }
}
