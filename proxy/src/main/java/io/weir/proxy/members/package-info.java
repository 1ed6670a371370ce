/** The caches of a cluster's other members: who owns a key, and what members ask each other. */
@NullMarked
package io.weir.proxy.members;

import org.jspecify.annotations.NullMarked;
