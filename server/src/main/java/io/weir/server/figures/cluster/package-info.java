/** The figures of the cluster: their records, and the declaration that the views are made from. */
@NullMarked
package io.weir.server.figures.cluster;

import org.jspecify.annotations.NullMarked;
