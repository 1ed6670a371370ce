/** The data of the views: facts of the server, readings of its statistics, samples of the system. */
@NullMarked
package io.weir.server.monitor.source;

import org.jspecify.annotations.NullMarked;
