/** Muxers: event loops on epoll, io_uring or Java NIO, each with its thread and its timers. */
@NullMarked
package io.weir.kernel.mux;

import org.jspecify.annotations.NullMarked;
