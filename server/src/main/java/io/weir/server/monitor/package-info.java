/**
 * The monitoring views: perfdump, stats-xml, the file cache page, Prometheus, health, JMX and the index page. They read
 * the statistics registry and a {@link io.weir.server.monitor.MonitorSource}; nothing here depends on how the server is
 * assembled.
 */
@NullMarked
package io.weir.server.monitor;

import org.jspecify.annotations.NullMarked;
