/** What the cluster's unit tests are made with: a loop on a stepped clock, a log in memory. */
@NullMarked
package io.weir.cluster.kit;

import org.jspecify.annotations.NullMarked;
