/** The sample {@code scheduler}: see its README. */
@NullMarked
package io.weir.samples.scheduler;

import org.jspecify.annotations.NullMarked;
