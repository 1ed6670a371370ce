/**
 * Clients' connections: how they are admitted and assigned to muxers, kept alive, guarded against slow clients and
 * shown to monitoring.
 */
@NullMarked
package io.weir.kernel.connection;

import org.jspecify.annotations.NullMarked;
