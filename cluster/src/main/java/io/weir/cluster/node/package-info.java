/** A member, assembled: what the server starts and asks. */
@NullMarked
package io.weir.cluster.node;

import org.jspecify.annotations.NullMarked;
