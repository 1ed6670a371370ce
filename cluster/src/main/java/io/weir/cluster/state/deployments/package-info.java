/** DeploymentRules: which archive in which version, and who has it. */
@NullMarked
package io.weir.cluster.state.deployments;

import org.jspecify.annotations.NullMarked;
