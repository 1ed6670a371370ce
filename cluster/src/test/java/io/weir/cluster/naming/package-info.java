@NullMarked
package io.weir.cluster.naming;

import org.jspecify.annotations.NullMarked;
