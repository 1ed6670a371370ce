package io.weir.proxy;

import io.weir.proxy.program.ProxyFault;
import io.weir.proxy.qos.Traffic;
import org.jspecify.annotations.Nullable;

/** Asks the limits whether a request may be answered; called where there are any. Stateless. */
final class TrafficCheck {
    private TrafficCheck() {}

    /** Why a request is refused; null when it passes. */
    static @Nullable ProxyFault of(Exchange exchange) {
        LoopContext loop = exchange.loopContext();
        Traffic traffic = loop.proxy().qos().of(exchange.client().connection(), loop.pacing());
        return switch (traffic.admit(exchange.virtualServer().name())) {
            case PASSES -> null;
            case CONNECTIONS -> ProxyFault.CONNECTION_LIMIT;
            case REQUESTS -> {
                exchange.run().retryAfter(traffic.waitNanos());
                yield ProxyFault.REQUEST_RATE;
            }
        };
    }
}
