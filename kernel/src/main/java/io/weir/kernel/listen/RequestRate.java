package io.weir.kernel.listen;

import io.weir.base.Knob;

/**
 * A limit on the rate of requests; its keys are inlined into the section that has one: a listener, a virtual server,
 * each client address, a route. Immutable.
 */
public record RequestRate(
        @Knob(
                doc = "Requests a second, of all clients together (in client-limits: of each client); further ones"
                        + " are answered 429. 0: no bound."
                        + " Find the usual rate in /traffic first. Rule of thumb: two or three times it.",
                value = "0",
                unit = "requests/s",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = "weir_qos_refused_total",
                knownAs = "check-request-limits max-rps")
        double requestRate,

        @Knob(
                doc = "Requests that may arrive at once after a pause; 0: as many as the rate allows in a second."
                        + " Raise it when a page that requests many parts at once is refused. Rule of thumb: the"
                        + " requests of one page.",
                value = "0",
                unit = "requests",
                min = "0",
                max = "1000000",
                dynamic = true,
                watch = "weir_qos_refused_total")
        int requestBurst) {

    /** Whether there is a limit. */
    public boolean bounded() {
        return requestRate > 0;
    }
}
