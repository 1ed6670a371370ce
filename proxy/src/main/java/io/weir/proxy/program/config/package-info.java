/**
 * The section {@code proxy} as it is written: routes, limits, time-outs, virtual servers. {@link ProxyConfig} holds the
 * others.
 */
@NullMarked
package io.weir.proxy.program.config;

import org.jspecify.annotations.NullMarked;
