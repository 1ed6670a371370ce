package io.weir.kernel.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;

/** Closing with a reset. */
final class Resets {
    private Resets() {}

    /** A linger time of zero makes the operating system drop what is unsent and tell the peer so. */
    static void reset(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        var _ = channel.close();
    }
}
