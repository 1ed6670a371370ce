/** The sample {@code singleton}: see its README. */
@NullMarked
package io.weir.samples.singleton;

import org.jspecify.annotations.NullMarked;
