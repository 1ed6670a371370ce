/** Membership: discovery, one-time formation of the cluster, and changes of its members. */
@NullMarked
package io.weir.cluster.members;

import org.jspecify.annotations.NullMarked;
