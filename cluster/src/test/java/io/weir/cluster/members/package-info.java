@NullMarked
package io.weir.cluster.members;

import org.jspecify.annotations.NullMarked;
