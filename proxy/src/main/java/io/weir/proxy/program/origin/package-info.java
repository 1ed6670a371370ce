/** Where requests are fetched from, and how URLs of origins are mapped back. */
@NullMarked
package io.weir.proxy.program.origin;

import org.jspecify.annotations.NullMarked;
