package io.weir.proxy.qos;

import io.weir.base.StatSpec;
import java.util.List;

/** The statistics of quality of service. Immutable declarations. */
public final class QosStats {
    public static final StatSpec REFUSED = StatSpec.counter(
            "weir_qos_refused_total",
            "requests",
            "Requests refused by a limit: 429 for rates, 503 for connections.",
            "scope",
            "limit");
    public static final StatSpec PAUSES = StatSpec.counter(
            "weir_qos_pauses_total", "pauses", "Times that an answer had to wait for bandwidth.", "scope");
    public static final StatSpec PACED =
            StatSpec.gauge("weir_qos_paced_connections", "connections", "Connections that wait for bandwidth now.");
    public static final StatSpec CLIENTS =
            StatSpec.gauge("weir_qos_clients", "clients", "Client addresses that are remembered for their limits.");
    public static final StatSpec CLIENT_OVERFLOWS = StatSpec.counter(
            "weir_qos_client_overflows_total",
            "requests",
            "Connections of clients for which the table had no place, so that they share one allowance: raise"
                    + " proxy.client-limits.table.");

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(REFUSED, PAUSES, PACED, CLIENTS, CLIENT_OVERFLOWS);

    private QosStats() {}
}
