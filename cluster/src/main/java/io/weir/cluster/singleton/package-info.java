/** Singleton services on this member: activation, deactivation, and isolation of late code. */
@NullMarked
package io.weir.cluster.singleton;

import org.jspecify.annotations.NullMarked;
