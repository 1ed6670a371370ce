/** The replicated log: what the cluster's state is built on, and the one thread of a member on which it is looked at. */
@NullMarked
package io.weir.cluster.log;

import org.jspecify.annotations.NullMarked;
