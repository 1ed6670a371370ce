package io.weir.proxy.qos;

import io.netty.util.NetUtil;
import io.weir.base.Counter;

/** The state of one client address. Shared by the muxers; lives while it differs from a new one. */
final class ClientUsage {
    private final long key;
    private final boolean v6;
    private final RateLimit requests;
    private final Bandwidth bandwidth;
    private final Usage usage;

    ClientUsage(long key, boolean v6, long now, long rate, Counter pauses) {
        this.key = key;
        this.v6 = v6;
        this.requests = new RateLimit(now);
        this.bandwidth = new Bandwidth(now, pauses);
        this.usage = new Usage();
        bandwidth.rate(rate);
    }

    boolean is(long otherKey, boolean otherV6) {
        return key == otherKey && v6 == otherV6;
    }

    RateLimit requests() {
        return requests;
    }

    Bandwidth bandwidth() {
        return bandwidth;
    }

    Usage usage() {
        return usage;
    }

    void opened() {
        var _ = usage.admit(0);
    }

    void closed() {
        usage.released();
    }

    /** Whether evicting it loses nothing: no connection, and full buckets. */
    boolean isIdle(long now) {
        return usage.open() == 0 && requests.isIdle(now) && bandwidth.isIdle(now);
    }

    /** The current figures, named by its address, an IPv6 one by its network. */
    UsageFigures use(long now) {
        byte[] bytes = new byte[v6 ? 16 : 4];
        for (int i = 0; i < Math.min(8, bytes.length); i++) {
            bytes[i] = (byte) (key >>> (8 * ((v6 ? 7 : 3) - i)));
        }
        return usage.figures(NetUtil.bytesToIpAddress(bytes) + (v6 ? "/64" : ""), now);
    }
}
