/** Several processes as one server: the supervisor, and the link to its workers. */
@NullMarked
package io.weir.server.processes;

import org.jspecify.annotations.NullMarked;
