/** Tests of purges. */
@NullMarked
package io.weir.cluster.purge;

import org.jspecify.annotations.NullMarked;
