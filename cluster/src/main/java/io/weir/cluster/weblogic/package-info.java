/** Compatibility with classes written for WebLogic: the same names, so that only their imports change. */
@NullMarked
package io.weir.cluster.weblogic;

import org.jspecify.annotations.NullMarked;
