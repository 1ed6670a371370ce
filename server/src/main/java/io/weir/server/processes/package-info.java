/** Several processes as one server: the supervisor, and what ties a worker to it. */
@NullMarked
package io.weir.server.processes;

import org.jspecify.annotations.NullMarked;
