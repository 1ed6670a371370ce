/**
 * Configuration of the cluster, its singletons and its timers: sections {@code cluster}, {@code singletons},
 * {@code timers}.
 */
@NullMarked
package io.weir.cluster.config;

import org.jspecify.annotations.NullMarked;
