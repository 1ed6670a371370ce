@NullMarked
package io.weir.kernel;

import org.jspecify.annotations.NullMarked;
