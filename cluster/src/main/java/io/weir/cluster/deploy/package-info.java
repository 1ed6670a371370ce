/**
 * Hot deployments: archives with singleton services, distributed to every member and loaded by separate class loaders.
 */
@NullMarked
package io.weir.cluster.deploy;

import org.jspecify.annotations.NullMarked;
