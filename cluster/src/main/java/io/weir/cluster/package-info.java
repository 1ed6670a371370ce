/** API for users' singleton services: their contract with the server. */
@NullMarked
package io.weir.cluster;

import org.jspecify.annotations.NullMarked;
