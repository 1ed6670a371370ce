/** How members find each other, form a cluster once, and come and go. */
@NullMarked
package io.weir.cluster.members;

import org.jspecify.annotations.NullMarked;
