/** The replicated log, on which the cluster's state is built, and the single thread of a member that processes it. */
@NullMarked
package io.weir.cluster.log;

import org.jspecify.annotations.NullMarked;
