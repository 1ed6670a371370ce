@NullMarked
package io.weir.wire.invoke;

import org.jspecify.annotations.NullMarked;
