/** Deployments: which archive in which version, and which members store it. */
@NullMarked
package io.weir.cluster.state.deployments;

import org.jspecify.annotations.NullMarked;
