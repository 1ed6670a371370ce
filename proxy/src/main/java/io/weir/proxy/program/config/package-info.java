/**
 * The configuration of the section {@code proxy}: routes, limits, time-outs, virtual servers. {@link ProxyConfig} holds
 * the others.
 */
@NullMarked
package io.weir.proxy.program.config;

import org.jspecify.annotations.NullMarked;
