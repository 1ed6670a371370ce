package io.weir.kernel.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Closes channels with a TCP reset. */
final class Resets {
    private Resets() {}

    /** A linger time of zero makes the operating system discard unsent data and send a reset. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        var _ = channel.close();
    }
}
