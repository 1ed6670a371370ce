/** The naming tree: names that stand under a lease and fall with it. */
@NullMarked
package io.weir.cluster.state.naming;

import org.jspecify.annotations.NullMarked;
