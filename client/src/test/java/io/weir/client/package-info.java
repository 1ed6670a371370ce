/** The jar that applications link, as the build made it. */
@NullMarked
package io.weir.client;

import org.jspecify.annotations.NullMarked;
