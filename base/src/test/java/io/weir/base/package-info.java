@NullMarked
package io.weir.base;

import org.jspecify.annotations.NullMarked;
