/** The naming tree: names bound under a lease and removed with it. */
@NullMarked
package io.weir.cluster.state.naming;

import org.jspecify.annotations.NullMarked;
