package io.weir.kernel.settings;

import io.weir.base.Spelled;

/** The socket muxers that can be configured (the article on muxers: native and Java muxers). */
public enum MuxerKind implements Spelled {
    AUTO("auto"),
    EPOLL("epoll"),
    IO_URING("io_uring"),
    NIO("nio");

    private final String spelling;

    MuxerKind(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }

    /** Whether the operating system's polling is used without the JDK's selector. */
    public boolean isNative() {
        return this == EPOLL || this == IO_URING;
    }
}
