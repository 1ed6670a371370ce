/** The cluster's statistics, declared once for all of its packages. */
@NullMarked
package io.weir.cluster.stats;

import org.jspecify.annotations.NullMarked;
