package io.weir.kernel.settings;

import io.weir.base.Spelled;

/** The socket muxers that an operator can ask for (the article on muxers: native and Java muxers). */
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

    /** Whether the operating system's own polling is used without the JDK between. */
    public boolean isNative() {
        return this == EPOLL || this == IO_URING;
    }
}
