@NullMarked
package io.weir.proxy;

import org.jspecify.annotations.NullMarked;
