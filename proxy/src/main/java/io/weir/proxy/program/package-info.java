@NullMarked
package io.weir.proxy.program;

import org.jspecify.annotations.NullMarked;
