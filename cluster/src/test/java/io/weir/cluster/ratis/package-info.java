@NullMarked
package io.weir.cluster.ratis;

import org.jspecify.annotations.NullMarked;
