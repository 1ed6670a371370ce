/** Load on a running server: origins and clients in great number, from virtual threads. */
@NullMarked
package io.weir.lab.load;

import org.jspecify.annotations.NullMarked;
