/** The server's figures as JMX beans. */
@NullMarked
package io.weir.server.monitor.jmx;

import org.jspecify.annotations.NullMarked;
