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
            StatSpec.gauge("weir_qos_clients", "clients", "Client addresses tracked for their limits.");
    public static final StatSpec CLIENT_OVERFLOWS = StatSpec.counter(
            "weir_qos_client_overflows_total",
            "requests",
            "Connections of clients for which the table was full, so that they share one allowance: raise"
                    + " proxy.client-limits.table.");

    public static final StatSpec CONNECTIONS = gauge(
            "weir_qos_connections",
            "connections",
            "Open connections that had a request, of a listener or virtual server.");
    public static final StatSpec CONNECTIONS_MOST =
            gauge("weir_qos_connections_most", "connections", "Maximum of open connections.");
    public static final StatSpec REQUEST_RATE =
            gauge("weir_qos_request_rate", "requests/s", "Requests that passed the limits in the latest whole second.");
    public static final StatSpec REQUEST_RATE_MOST =
            gauge("weir_qos_request_rate_most", "requests/s", "Maximum in any second.");
    public static final StatSpec BYTE_RATE =
            gauge("weir_qos_byte_rate", "bytes/s", "Bytes sent to clients in the latest whole second.");
    public static final StatSpec BYTE_RATE_MOST = gauge("weir_qos_byte_rate_most", "bytes/s", "Maximum in any second.");

    /** The statistics of each listener and virtual server. */
    static final List<StatSpec> OF_SCOPES =
            List.of(CONNECTIONS, CONNECTIONS_MOST, REQUEST_RATE, REQUEST_RATE_MOST, BYTE_RATE, BYTE_RATE_MOST);

    /** All of them. */
    public static final List<StatSpec> ALL = List.of(
            REFUSED,
            PAUSES,
            PACED,
            CLIENTS,
            CLIENT_OVERFLOWS,
            CONNECTIONS,
            CONNECTIONS_MOST,
            REQUEST_RATE,
            REQUEST_RATE_MOST,
            BYTE_RATE,
            BYTE_RATE_MOST);

    private static StatSpec gauge(String name, String unit, String doc) {
        return StatSpec.gauge(name, unit, doc, "scope", "name");
    }

    private QosStats() {}
}
