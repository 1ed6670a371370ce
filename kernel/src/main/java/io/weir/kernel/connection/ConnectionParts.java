package io.weir.kernel.connection;

import io.weir.base.Counter;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelStats;
import java.net.InetSocketAddress;
import java.util.function.BiPredicate;

/**
 * What connections with the same protocol share, so that each holds one reference. Immutable.
 *
 * @param announced applies a client address that a load balancer named; false if that address holds too many
 * connections
 * @param last the last handler of each connection
 */
record ConnectionParts(
        KernelContext kernel,
        KernelLimits limits,
        Pressure pressure,
        KeepAlive keepAlive,
        BiPredicate<Connection, InetSocketAddress> announced,
        Protocol protocol,
        UncaughtErrors last,
        Counter acceptTimeOuts,
        Counter writePauses,
        Counter writeTimeOuts,
        Counter writeRateTimeOuts) {

    ConnectionParts(
            KernelContext kernel,
            KernelLimits limits,
            Pressure pressure,
            KeepAlive keepAlive,
            BiPredicate<Connection, InetSocketAddress> announced,
            Protocol protocol) {
        this(
                kernel,
                limits,
                pressure,
                keepAlive,
                announced,
                protocol,
                new UncaughtErrors(kernel.stats(), kernel.log()),
                kernel.stats().counter(KernelStats.ACCEPT_TIMEOUTS),
                kernel.stats().counter(KernelStats.WRITE_PAUSES),
                kernel.stats().counter(KernelStats.WRITE_TIMEOUTS),
                kernel.stats().counter(KernelStats.WRITE_RATE_TIMEOUTS));
    }

    KernelConfig config() {
        return limits.config();
    }
}
