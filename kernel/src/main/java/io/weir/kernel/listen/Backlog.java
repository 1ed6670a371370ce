package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelStats;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The connections that wait on a listening socket until they are accepted, as the operating system counts them. Only
 * Linux provides these numbers, and only the epoll muxer reads them. Thread-safe; lives as long as its listener.
 */
final class Backlog {
    /** {@code SO_MEMINFO}: nine numbers, of which the last counts dropped connections (SK_MEMINFO_DROPS). */
    private static final RawUnixChannelOption MEMORY = new RawUnixChannelOption("SO_MEMINFO", 1, 55, 36);

    private static final int DROPS = 32;

    /** {@code TCP_INFO}; for a listening socket two of its fields are the length of the backlog and its limit. */
    private static final RawUnixChannelOption TCP = new RawUnixChannelOption("TCP_INFO", 6, 11, 32);

    private static final int LENGTH = 24;
    private static final int BOUND = 28;

    private final Channel socket;
    private final long countedBefore;
    private final long dropsBefore;
    private volatile long drops;

    private Backlog(Channel socket, long countedBefore) {
        this.socket = socket;
        this.countedBefore = countedBefore;
        this.drops = countedBefore;
        // another process, or another listener here, may have listened on this socket before
        this.dropsBefore = read(MEMORY, DROPS);
    }

    /**
     * Starts counting if this socket supports it; a new listener of the same name continues its predecessor's count.
     */
    static void watch(Channel socket, Stats stats, String listener) {
        Backlog backlog = new Backlog(socket, stats.value(KernelStats.BACKLOG_DROPS, listener));
        if (backlog.dropsBefore >= 0) {
            stats.gauge(KernelStats.BACKLOG_LENGTH, () -> Math.max(0, backlog.read(TCP, LENGTH)), listener);
            stats.gauge(KernelStats.BACKLOG_LIMIT, () -> Math.max(0, backlog.read(TCP, BOUND)), listener);
            stats.counter(KernelStats.BACKLOG_DROPS, backlog::drops, listener);
        }
    }

    /** Returns the last count after the socket is closed. */
    private long drops() {
        long now = read(MEMORY, DROPS);
        if (now >= 0) {
            // the kernel's counter has 32 bits
            drops = countedBefore + (now - dropsBefore & 0xFFFF_FFFFL);
        }
        return drops;
    }

    /** An unsigned 32-bit number, or -1 if there is none. */
    private long read(RawUnixChannelOption option, int at) {
        try {
            @Nullable ByteBuffer all = socket.isOpen() ? socket.config().getOption(option) : null;
            return all == null || all.remaining() < at + 4
                    ? -1
                    : Integer.toUnsignedLong(all.order(ByteOrder.nativeOrder()).getInt(at));
        } catch (ChannelException e) {
            // closed, or a system without this option
            return -1;
        }
    }
}
