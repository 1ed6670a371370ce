package io.weir.kernel.listen;

import io.weir.base.ByteSize;
import io.weir.base.ConfigBinder;
import io.weir.base.Knob;

/** Limits on the traffic of a listener or a virtual server: quality of service. Immutable. */
public record TrafficLimits(
        @Knob(
                doc = "Bytes a second to its clients, all together; answers are slowed down, with fair shares, never"
                        + " cut. 0: no bound."
                        + " Set it when others on the same line must keep their share; it costs a pause in"
                        + " answers. Rule of thumb: the share of the line that they may take.",
                value = "0",
                min = "0",
                max = "1024GiB",
                dynamic = true,
                watch = {"weir_qos_pauses_total", "weir_qos_paced_connections"},
                knownAs = "QoS bandwidth limit")
        ByteSize bandwidth,

        @Knob(
                doc = "Connections at a time; a request on a further one is answered 503 and that connection closed. 0:"
                        + " no bound."
                        + " Set it so that one listener or virtual server cannot take all connections. Rule of"
                        + " thumb: twice its usual peak.",
                value = "0",
                unit = "connections",
                min = "0",
                max = "1048576",
                dynamic = true,
                watch = "weir_qos_refused_total",
                knownAs = "QoS connections limit")
        int connections,

        @Knob(doc = "Requests.", inline = true, dynamic = true)
        RequestRate requests) {

    /** No limits. */
    public static final TrafficLimits NONE = ConfigBinder.defaults(TrafficLimits.class);

    /** Whether nothing is limited. */
    public boolean none() {
        return bandwidth.bytes() == 0 && connections == 0 && !requests.bounded();
    }
}
