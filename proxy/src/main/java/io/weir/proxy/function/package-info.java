/** Functions of one's own in the request program: the interface that they implement, and how they are found. */
@NullMarked
package io.weir.proxy.function;

import org.jspecify.annotations.NullMarked;
