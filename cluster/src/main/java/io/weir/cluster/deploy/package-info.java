/** Hot deployments: archives with singleton services, brought to every member and run with class loaders of their own. */
@NullMarked
package io.weir.cluster.deploy;

import org.jspecify.annotations.NullMarked;
