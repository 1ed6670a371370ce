@NullMarked
package io.weir.wire;

import org.jspecify.annotations.NullMarked;
