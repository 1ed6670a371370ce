/** Singleton services on this member: when to activate, when to let go, and what keeps a late one harmless. */
@NullMarked
package io.weir.cluster.singleton;

import org.jspecify.annotations.NullMarked;
